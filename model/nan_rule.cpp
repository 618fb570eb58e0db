#include "model/nan_rule.h"

#include "model/concrete.h"
#include "model/datapath.h"
#include "model/fixed_parameters.h"
#include "model/node_results.h"

namespace mmaprint {
namespace {

using Words = Concrete<Word128, FixedParameters>;

/// One input: its patterns, and the operands that they stand for.
struct PatternsRead {
  const Words* algebra;
  const Plan* plan;
  std::span<const Pattern> patterns_a, patterns_b;
  Pattern patterns_c;

  [[nodiscard]] Pattern pattern_a(std::size_t k) const { return patterns_a[k]; }
  [[nodiscard]] Pattern pattern_b(std::size_t k) const { return patterns_b[k]; }
  [[nodiscard]] Pattern pattern_c() const { return patterns_c; }
  [[nodiscard]] Operand<Words> a(std::size_t k) const {
    return read<Parameter::input_subnormals>(plan->from_a, plan->a, patterns_a[k]);
  }
  [[nodiscard]] Operand<Words> b(std::size_t k) const {
    return read<Parameter::input_subnormals>(plan->from_b, plan->b, patterns_b[k]);
  }
  [[nodiscard]] Operand<Words> c() const {
    return read<Parameter::c_subnormals>(plan->from_c, plan->c, patterns_c);
  }

 private:
  template <Parameter P>
  [[nodiscard]] Operand<Words> read(const Container& from, const FormatInfo& f, Pattern p) const {
    return Datapath::read_operand<P>(*algebra, from, f, {Word128(p)});
  }
};

/// fn(operands, results of all nodes).
template <class Fn>
auto evaluated(const UnitModel& model, const Plan& plan, std::span<const Pattern> a,
               std::span<const Pattern> b, Pattern c, Fn&& fn) {
  FixedParameters source(model);
  const Words algebra(source);
  const PatternsRead in{&algebra, &plan, a, b, c};
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
