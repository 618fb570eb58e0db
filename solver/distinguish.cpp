#include "solver/distinguish.h"

#include <stdexcept>

#include "model/plan.h"
#include "solver/aig_checker.h"
#include "solver/z3_checker.h"

namespace mmaprint {
const Signature& formats_of(const Side& side) {
  if (const auto* model = std::get_if<UnitModel>(&side)) return model->formats;
  return std::get<Hypotheses>(side).space->formats;
}

int products_of(const Side& side) {
  if (const auto* model = std::get_if<UnitModel>(&side)) return model->k;
  return std::get<Hypotheses>(side).space->k;
}

Skeleton skeleton_of(const Side& side) {
  if (const auto* model = std::get_if<UnitModel>(&side)) return skeleton_of(*model);
  const auto& hypotheses = std::get<Hypotheses>(side);
  return hypotheses.space->skeleton(hypotheses.set);
}
Tree tree_of(const Side& side) { return skeleton_of(side).tree; }
Plan plan_of(const Side& side) { return {formats_of(side), products_of(side), skeleton_of(side)}; }

UnitModel model_of(const Side& side, const std::optional<ParameterValues>& chosen) {
  if (const auto* model = std::get_if<UnitModel>(&side)) return *model;
  const auto& hypotheses = std::get<Hypotheses>(side);
  return hypotheses.space->model(hypotheses.set.skeleton, chosen.value(), hypotheses.set.nan);
}

std::unique_ptr<EquivalenceChecker> make_checker(Solver solver, const CheckerOptions& options) {
  switch (solver) {
    case Solver::cadical:
      return make_aig_checker(make_cadical, options);
    case Solver::z3:
      if (options.queries != nullptr) throw std::invalid_argument("Z3's formulas are not logged");
      return make_z3_checker();
  }
  throw std::invalid_argument("no such solver");
}

}  // namespace mmaprint
