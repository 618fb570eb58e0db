// The smallest set of observations that no hypothesis explains.
//
// Every hypothesis must be refuted by some observation of the set, so the set is a hitting set of "the
// observations that refute h", over all h. They are far too many to list. Instead hypotheses are collected as
// they are needed: a smallest hitting set of those collected so far is tried by evaluation by need; if some
// hypothesis explains it, that one is collected too. A set that refutes everything is then a smallest one, as
// no smaller set hits even the few.
#pragma once

#include <variant>

#include "model/hypotheses.h"

namespace mmaprint {

struct Refuted {
  std::vector<std::size_t> observations;  ///< indices, ascending
  bool smallest = false;                  ///< proved: no smaller set refutes everything
};
/// A hypothesis that explains all observations.
struct Explained {
  UnitModel model;
};
/// Out of time.
struct Undecided {};
using Refutation = std::variant<Refuted, Explained, Undecided>;

[[nodiscard]] Refutation refute(const Space& space, const std::vector<HypothesisSet>& start,
                                const std::vector<Observation>& observations, int threads,
                                std::optional<double> seconds);

/// The model that explains most observations among those that a search from single observations meets.
struct Nearest {
  UnitModel model;
  std::size_t explained;
};
[[nodiscard]] Nearest explains_most(const Space& space, const std::vector<HypothesisSet>& start,
                                    const std::vector<Observation>& observations, std::uint64_t seed);

}  // namespace mmaprint
