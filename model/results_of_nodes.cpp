#include "model/results_of_nodes.h"

#include "model/evaluated_nodes.h"

namespace mmaprint {

std::vector<Pattern> results_of_nodes(const UnitModel& model, const Plan& plan, const DotInput& input) {
  return with_evaluated_nodes(model, plan, input.a, input.b, input.c, input.sa, input.sb,
                              [&](const auto& algebra, const auto& /*operands*/, const auto& results) {
                                std::vector<Pattern> patterns(plan.nodes.size(), 0);
                                for (std::size_t n = 0; n < patterns.size(); ++n)
                                  if (const PlannedNode& node = plan.nodes[n]; !node.is_carried)
                                    patterns[n] =
                                        static_cast<Pattern>(encode(algebra, node.result, results[n]).value);
                                return patterns;
                              });
}

}  // namespace mmaprint
