#include "model/results_of_nodes.h"

#include "model/concrete.h"
#include "model/datapath.h"
#include "model/fixed_parameters.h"
#include "model/node_results.h"

namespace mmaprint {

std::vector<Pattern> results_of_nodes(const UnitModel& model, const Plan& plan, const DotInput& input) {
  using Words = Concrete<Word128, FixedParameters>;
  using Patterns = std::span<const Pattern>;
  FixedParameters source(model);
  const Words algebra(source);
  const MachineOperands<Words> in(algebra, plan, input.a.data(), input.b.data(), input.c);
  NodeResults<Operand<Words>> results(plan.nodes.size());
  if (model.formats.has_scales())
    Datapath::node_results(
        algebra, plan, ScaledOperands(in, algebra, plan, Patterns(input.sa), Patterns(input.sb)), results);
  else
    Datapath::node_results(algebra, plan, in, results);
  std::vector<Pattern> patterns;
  for (std::size_t n = 0; n < plan.nodes.size(); ++n) {
    const PlannedNode& node = plan.nodes[n];
    patterns.push_back(
        node.is_carried ? 0 : static_cast<Pattern>(encode(algebra, node.result, results[n]).value));
  }
  return patterns;
}

}  // namespace mmaprint
