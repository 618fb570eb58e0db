#include "model/nan_rule.h"

#include "model/evaluated_nodes.h"

namespace mmaprint {

NanOperands nan_operands(const UnitModel& model, const Plan& plan, std::span<const Pattern> a,
                         std::span<const Pattern> b, Pattern c) {
  return with_evaluated_nodes(
      model, plan, a, b, c, {}, {}, [&](const auto&, const auto& in, const auto& results) {
        NanOperands all(plan.nodes.size());
        std::vector<bool> holds_c;
        for (std::size_t n = 0; n < all.size(); ++n)
          holds_c.push_back(visit_nans(plan, plan.nodes[n], in, results, holds_c,
                                       [&](const NanOperand& operand) { all[n].push_back(operand); }));
        return all;
      });
}

std::optional<Pattern> let_through(const NanOperands& operands, const NanRule& rule, const Plan& plan) {
  std::vector<std::optional<TravellingNan>> results;  // none: the unit's own
  for (std::size_t n = 0; n < operands.size(); ++n) {
    NanThatGoesOn first(rule);
    for (const NanOperand& operand : operands[n]) first.show(operand, results);
    results.push_back(first.result(format_of_nan(plan, plan.nodes[n])));
  }
  const auto& root = results.back();
  return root ? std::optional(root->pattern(plan.d)) : std::nullopt;
}

Pattern nan_by_rule(const UnitModel& model, const Plan& plan, const NanRule& rule, std::span<const Pattern> a,
                    std::span<const Pattern> b, Pattern c) {
  return with_evaluated_nodes(
      model, plan, a, b, c, {}, {},
      [&](const auto&, const auto& in, const auto& results) { return nan_by_rule(plan, rule, in, results); });
}

}  // namespace mmaprint
