// The clauses of a graph's gates in a SAT solver: assert, check under assumptions, value of.
//
// The solver is not believed. A solution has to make true what was asserted, gate by gate; where there is
// said to be none, its proof is checked (solver/unsat_proof.h), unless assumptions were made. What does not
// hold is thrown as WrongAnswer: an internal error, which becomes no verdict.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>

#include "solver/cnf.h"
#include "solver/limits.h"
#include "solver/sat_engine.h"

namespace mmaprint {

/// A solver said what is not so.
class WrongAnswer : public std::logic_error {
 public:
  using std::logic_error::logic_error;
};

class Sat {
 public:
  /// With lemmas: learn() may be called.
  enum class Use : std::uint8_t { plain, with_lemmas };
  /// Once the deadline has passed, assert_unit() throws DeadlinePassed.
  explicit Sat(const Aig& graph, const Deadline& deadline = {}, const EngineMaker& engine = make_cadical,
               Use use = Use::plain);
  ~Sat();
  Sat(Sat&&) noexcept;
  Sat& operator=(Sat&&) noexcept;
  Sat(const Sat&) = delete;
  Sat& operator=(const Sat&) = delete;

  /// From now on x is true.
  void assert_unit(Literal x);
  /// From now on clauses say what x is made of, be it true or false.
  void define(Literal x);
  /// After `check` has shown that these cannot all be false: the solver keeps that, and the proof has it.
  void learn(std::span<const Literal> clause);
  [[nodiscard]] Verdict check(std::span<const Literal> assumptions, const Limits& limits);
  /// After `unsatisfiable` without assumptions: a proof of it, of no more steps than were needed.
  [[nodiscard]] std::string take_proof();
  /// After `satisfiable`: the value of any gate of the graph; inputs that no clause mentions are false.
  [[nodiscard]] bool value(Literal x) const;
  /// What was asserted, and the clauses that the solver has of it.
  [[nodiscard]] const Cnf& cnf() const;
  /// Of all checks so far, as clauses learned from them.
  [[nodiscard]] std::int64_t conflicts() const;

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace mmaprint
