#include "solver/relays.h"

#include <algorithm>

namespace mmaprint {
namespace {

bool has_one_product_alone(const PlannedNode& node) {
  using Kind = OperandRun::Kind;
  return node.products == 1 && !node.is_carried && std::ranges::all_of(node.runs, [](const OperandRun& run) {
           return run.kind == Kind::products || run.kind == Kind::zero;
         });
}

/// Has the side one value of each parameter that matters at nodes of this class?
bool is_fixed(const Side& side, int of_class) {
  const auto* hypotheses = std::get_if<Hypotheses>(&side);
  if (hypotheses == nullptr) return true;
  const Box& box = hypotheses->set.box;
  return std::ranges::all_of(box.keys(), [&](const ParameterKey& key) {
    return box[key].is_single() || (info(key.parameter).scope == Scope::adder && key.of_class != of_class);
  });
}

}  // namespace

std::vector<bool> relays_to(const Side& side, const Plan& plan, std::size_t node) {
  std::vector<bool> relays(node, false);
  for (const OperandRun& run : plan.nodes[node].runs)
    if (run.kind == OperandRun::Kind::node)
      relays[run.node] =
          has_one_product_alone(plan.nodes[run.node]) && is_fixed(side, plan.nodes[run.node].adder);
  return relays;
}

UnitModel any_model_of(const Side& side) {
  if (const auto* model = std::get_if<UnitModel>(&side)) return *model;
  const auto& hypotheses = std::get<Hypotheses>(side);
  return hypotheses.space->model(hypotheses.set.skeleton, hypotheses.set.box.lowest(), hypotheses.set.nan);
}

}  // namespace mmaprint
