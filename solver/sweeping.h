// SAT sweeping: gates that always have the same value are found, shown to be equal and made known to the
// solver, from the inputs on to the goal (Kuehlmann, Paruthi, Krohm, Ganai, 2002; Mishchenko, Chatterjee,
// Jiang, Brayton, 2005).
//
// Two sides that compute the same are two copies of everything above what differs, and a solver has to find
// out for itself, gate by gate, that they agree. What simulation on many inputs cannot tell apart is asked
// about instead, in the order in which gates depend on each other and with few conflicts each: what is equal
// below makes it easy. A counterexample becomes another input of the simulation. What was shown is clauses
// that follow, and part of the proof.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "solver/aig.h"
#include "solver/sat.h"

namespace mmaprint {

/// A bit of each of 64 simulations.
using Lanes = std::uint64_t;
/// What an input of the graph is in the round-th 64 simulations; `value` is what a gate before it is.
using InputLanes =
    std::function<Lanes(std::uint32_t node, int round, const std::function<Lanes(Literal)>& value)>;

class Sweeping {
 public:
  /// Of what `goal` depends on. `sat` was made for lemmas, has the clauses of all of that in both directions,
  /// and what is asserted beside the goal, but not the goal.
  Sweeping(const Aig& graph, Sat& sat, Literal goal, InputLanes inputs);

  /// As far as `limits.steps` lead.
  void operator()(const Limits& limits);
  /// Gates that are equal to others, as was shown.
  [[nodiscard]] std::size_t merged() const { return merged_; }
  /// That it took beside the conflicts of searches.
  [[nodiscard]] std::int64_t steps() const { return steps_; }

 private:
  void simulate(const InputLanes& inputs, int round);
  [[nodiscard]] std::uint64_t hash_of(std::uint32_t node) const;
  [[nodiscard]] bool is_complemented(std::uint32_t node) const { return (lanes_[node].front() & 1U) != 0; }
  /// In all simulations, up to a complement?
  [[nodiscard]] bool agree(std::uint32_t x, std::uint32_t y) const;
  /// Shows that they are equal, up to a complement, if few conflicts suffice.
  [[nodiscard]] bool are_equal(std::uint32_t x, std::uint32_t y, const Limits& limits);
  void simulate_solution();

  [[nodiscard]] std::int64_t steps_of_round() const {
    return 1 + static_cast<std::int64_t>(cone_.size()) / kGatesOfAStep;
  }

  const Aig& graph_;
  Sat& sat_;
  InputLanes inputs_;
  std::vector<std::uint32_t> cone_;        ///< ascending, so that operands come first
  std::vector<std::vector<Lanes>> lanes_;  ///< by node, one of each round; none of what is outside
  std::size_t rounds_ = 0;
  std::int64_t steps_ = 0;
  std::size_t merged_ = 0;
};

}  // namespace mmaprint
