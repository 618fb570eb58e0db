// Which NaN a NaN result is, by a rule: the way through a plan's nodes of what model/travelling_nan.h has
// go on from each.
#pragma once

#include <span>
#include <vector>

#include "model/travelling_nan.h"

namespace mmaprint {

/// The format in which a NaN goes on from a node.
template <class Node>
[[nodiscard]] constexpr const FormatInfo& format_of_nan(const PlanWidths& plan, const Node& node) {
  if constexpr (requires { node.is_carried; })
    if (node.is_carried) return plan.d;
  return node.result_of(plan);
}

/// Calls fn for each NaN among a node's operands, in their order. `in` gives operands and their patterns,
/// `results` what earlier nodes gave, `holds_c` whether c stands under them. Does c stand under this one?
template <class Node, class Operands, class Results, class HoldsC, class Fn>
constexpr bool visit_nans(const PlanWidths& plan, const Node& node, const Operands& in,
                          const Results& results, const HoldsC& holds_c, Fn&& fn) {
  using Kind = NanOperand::Kind;
  int place = 0;
  bool has_c = false;
  const auto on_product = [&](std::size_t k) {
    const auto x = in.a(k), y = in.b(k);
    if (x.nan.value)
      fn(NanOperand{Kind::a, place, false, 0,
                    TravellingNan::of(plan.from_a.format, plan.a, in.pattern_a(k))});
    if (y.nan.value)
      fn(NanOperand{Kind::b, place, false, 0,
                    TravellingNan::of(plan.from_b.format, plan.b, in.pattern_b(k))});
    if (!x.nan.value && !y.nan.value) {
      const auto zero = [](const auto& z) {
        return !z.infinite.value && z.significand == decltype(z.significand){};
      };
      if ((x.infinite.value && zero(y)) || (y.infinite.value && zero(x)))
        fn(NanOperand{Kind::zero_times_infinity, place, false, 0, {}});
    }
    ++place;
  };
  const auto on_earlier = [&](std::size_t n) {
    if (results[n].nan.value)
      fn(NanOperand{Kind::node, place, node.products > 0 || holds_c[n], static_cast<int>(n), {}});
    has_c = has_c || holds_c[n];
    ++place;
  };
  node.visit(
      plan,
      [&](const auto& products) {
        for (const std::size_t k : products) on_product(k);
      },
      [&](std::size_t n, const FormatInfo&) { on_earlier(n); },
      [&](std::size_t n, const auto&) { on_earlier(n); },
      [&] {
        if (in.c().nan.value)
          fn(NanOperand{Kind::c, place, true, 0,
                        TravellingNan::of(plan.from_c.format, plan.c, in.pattern_c())});
        has_c = true;
        ++place;
      },
      [&](ZeroOperand) { ++place; });
  return has_c;
}

/// The NaN that d is. Requires a NaN result, and the results of all nodes.
template <class AnyPlan, class Operands, class Results>
[[nodiscard]] constexpr Pattern nan_by_rule(const AnyPlan& plan, const NanRule& rule, const Operands& in,
                                            const Results& results) {
  Row<std::optional<TravellingNan>> nans(plan.nodes.size());  // none: the unit's own
  Row<bool> holds_c(plan.nodes.size());
  for (const auto& node : plan.nodes) {
    NanThatGoesOn first(rule);
    holds_c.push_back(
        visit_nans(plan, node, in, results, holds_c, [&](const NanOperand& nan) { first.show(nan, nans); }));
    nans.push_back(first.result(format_of_nan(plan, node)));
  }
  const auto& root = nans[nans.size() - 1];
  return root ? root->pattern(plan.d) : rule.generated;
}

/// By node, those of its operands that are NaN.
using NanOperands = std::vector<std::vector<NanOperand>>;

/// Requires a valid model of floating-point operands and its plan.
[[nodiscard]] NanOperands nan_operands(const UnitModel& model, const Plan& plan, std::span<const Pattern> a,
                                       std::span<const Pattern> b, Pattern c);

/// The operand's NaN that is d, as a pattern; nullopt: the unit's own, made by an invalid operation.
[[nodiscard]] std::optional<Pattern> let_through(const NanOperands& operands, const NanRule& rule,
                                                 const Plan& plan);

/// The NaN that d is. Requires a NaN result.
[[nodiscard]] Pattern nan_by_rule(const UnitModel& model, const Plan& plan, const NanRule& rule,
                                  std::span<const Pattern> a, std::span<const Pattern> b, Pattern c);

}  // namespace mmaprint
