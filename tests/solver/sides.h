// What checkers say of two sides, with every witness replayed by the evaluator.
#pragma once

#include <gtest/gtest.h>

#include <optional>
#include <string>

#include "model/evaluator.h"
#include "solver/distinguish.h"

namespace mmaprint::test {

inline constexpr Solver kSolvers[] = {Solver::cadical, Solver::z3};

[[nodiscard]] inline Pattern replayed(const Side& side, const std::optional<ParameterValues>& chosen,
                                      const DotInput& input) {
  if (const auto* model = std::get_if<UnitModel>(&side)) return evaluate(*model, input);
  const auto& h = std::get<Hypotheses>(side);
  return evaluate(h.space->model(h.set.skeleton, *chosen, h.set.nan), input);
}

/// Do these two sides give different results here, NaN patterns aside where a side leaves its open?
[[nodiscard]] inline bool differ(const Side& left, const Side& right, const Witness& witness) {
  const Pattern x = replayed(left, witness.left, witness.input),
                y = replayed(right, witness.right, witness.input);
  const auto* model = std::get_if<UnitModel>(&left);
  const Format d = model != nullptr ? model->formats.d : std::get<Hypotheses>(left).space->formats.d;
  const auto states_nan = [](const Side& side) {
    return std::holds_alternative<UnitModel>(side) || std::get<Hypotheses>(side).set.nan.has_value();
  };
  if (is_nan(d, x) && is_nan(d, y) && !(states_nan(left) && states_nan(right))) return false;
  return x != y;
}

/// The verdict, with the witness replayed.
/// nullopt: no answer within the limits.
[[nodiscard]] inline std::optional<bool> are_different(Solver solver, const Side& left, const Side& right,
                                                       const Restriction& where, const std::string& what,
                                                       const Limits& limits = {}) {
  const auto answer = make_checker(solver)->distinguish(left, right, where, limits);
  if (const auto* witness = std::get_if<Witness>(&answer)) {
    EXPECT_TRUE(differ(left, right, *witness)) << what;
    return true;
  }
  if (std::holds_alternative<Equivalent>(answer)) return false;
  return std::nullopt;
}

inline void expect_difference(bool different, Solver solver, const Side& left, const Side& right,
                              const Restriction& where, const std::string& what) {
  EXPECT_EQ(are_different(solver, left, right, where, what), std::optional(different)) << what;
}

}  // namespace mmaprint::test
