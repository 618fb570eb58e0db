#include "model/nan_rule.h"

#include "model/concrete.h"
#include "model/datapath.h"
#include "model/fixed_parameters.h"
#include "model/node_results.h"

namespace mmaprint {
namespace {

using Words = Concrete<Word128, FixedParameters>;

/// fn(operands, results of all nodes).
template <class Fn>
auto evaluated(const UnitModel& model, const Plan& plan, std::span<const Pattern> a,
               std::span<const Pattern> b, Pattern c, Fn&& fn) {
  FixedParameters source(model);
  const Words algebra(source);
  const MachineOperands<Words> in(algebra, plan, a.data(), b.data(), c);
  NodeResults<Operand<Words>> results(plan.nodes.size());
  Datapath::node_results(algebra, plan, in, results);
  return fn(in, results);
}

}  // namespace

NanOperands nan_operands(const UnitModel& model, const Plan& plan, std::span<const Pattern> a,
                         std::span<const Pattern> b, Pattern c) {
  return evaluated(model, plan, a, b, c, [&](const auto& in, const auto& results) {
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
  return evaluated(model, plan, a, b, c,
                   [&](const auto& in, const auto& results) { return nan_by_rule(plan, rule, in, results); });
}

}  // namespace mmaprint
