// A SAT solver behind solver/sat.h, in DIMACS's terms: variables from 1 on, negated literals negative.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "solver/limits.h"

namespace mmaprint {

/// What it answers is believed only after it was checked (solver/sat.h).
class SatEngine {
 public:
  virtual ~SatEngine() = default;
  SatEngine() = default;
  SatEngine(const SatEngine&) = delete;
  SatEngine& operator=(const SatEngine&) = delete;

  /// Before anything else: lemmas will be added. Whatever clauses are replaced by keeps all their solutions
  /// then.
  virtual void expect_lemmas() = 0;
  /// The next literal of a clause; 0 ends it.
  virtual void add(int literal) = 0;
  /// A clause that follows from those that there are, by unit propagation beside what was learned: it
  /// becomes a step of the proof. Requires expect_lemmas().
  virtual void learn(std::span<const int> clause) = 0;
  /// For the next search alone.
  virtual void assume(int literal) = 0;
  [[nodiscard]] virtual Verdict solve(const Limits& limits) = 0;
  /// After `satisfiable`.
  [[nodiscard]] virtual bool value(int variable) = 0;
  /// After `unsatisfiable` without assumptions: a refutation in binary DRAT.
  [[nodiscard]] virtual std::string proof() = 0;
  /// Of all searches so far.
  [[nodiscard]] virtual std::int64_t conflicts() const = 0;
};

using EngineMaker = std::function<std::unique_ptr<SatEngine>()>;
[[nodiscard]] std::unique_ptr<SatEngine> make_cadical();

}  // namespace mmaprint
