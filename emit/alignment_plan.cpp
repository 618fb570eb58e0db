#include "emit/alignment_plan.h"

#include <algorithm>

#include "model/concrete.h"
#include "model/datapath.h"
#include "model/fixed_parameters.h"

namespace mmaprint::emit {
namespace {

using Words = Concrete<Word128, FixedParameters>;

/// A sum whose formula stays within words of 64 bits.
constexpr int kShortSum = 56;

/// Sums that round as exact ones do so with a sticky bit, too (model/lowering/exact_rounding.h): with these
/// products and so many bits, whichever is narrower.
void plan_as_exact(const PlanWidths& widths, const NodeShape& shape, AlignmentPlan& plan) {
  plan.as_exact = true;
  if (is_product_alone(shape)) {
    plan.fraction_bits = widths.a.fraction_bits + widths.b.fraction_bits;
    plan.product = {plan.fraction_bits, {}};
    return;
  }
  plan.fraction_bits = bits_to_round_as_exact(widths, false, shape);
  if (plan.fraction_bits > kShortSum) {
    plan.normalises_products = true;
    plan.fraction_bits = bits_to_round_as_exact(widths, true, shape);
  }
  plan.product = plan.c = {plan.fraction_bits, AlignmentRounding::sticky};
}

/// F with which the node loses nothing, whatever E is.
int exact_bits(const PlanWidths& widths, const PlannedNode& node, const Adder& adder) {
  int most = 0;
  const bool alone = node.operands == 1 && !adder.minimum_alignment_exponent &&
                     adder.zero_addends.kind() == ZeroAddends::Kind::left_out && node.carried.count == 0;
  if (alone && node.products == 0) {
    // The operand's own exponent is E.
    for (const OperandRun& run : node.runs)
      most = std::max(most,
                      run.kind == OperandRun::Kind::node ? run.format.fraction_bits : widths.c.fraction_bits);
    return most;
  }
  return widths.highest_exponent() - node.bits.lowest;
}

KindAlignment kind_alignment(std::optional<int> f, int most, AlignmentRounding mode) {
  if (!f || *f > most) return {most, {}};
  return {*f, mode};
}

}  // namespace

AlignmentPlan alignment_plan(const Context& context, const PlannedNode& node) {
  FixedParameters source(context.model);
  const Words words(source);
  const PlanWidths& widths = context.plan;
  const NodeShape shape(widths, node);
  const Adder& adder = context.model.adders[static_cast<std::size_t>(node.adder)];
  const std::optional<int> f = adder.alignment_fraction_bits;
  AlignmentPlan plan;
  plan.normalises_products = adder.product == ProductKind::exact_normalised;
  Loss loss = f ? Loss::by_parameter : Loss::none;
  const bool alike = policy::aligned_alike(words, shape);
  if (alike && has_two_operands_at_most(shape) && rounds_as_exact(words, widths, shape, f)) {
    plan_as_exact(widths, shape, plan);
    loss = Loss::sticky;
  } else if (alike) {
    plan.fraction_bits = f ? *f : exact_bits(widths, node, adder);
    plan.product = plan.carried = plan.c =
        f ? KindAlignment{*f, adder.alignment_rounding} : KindAlignment{plan.fraction_bits, {}};
  } else {
    const FractionBits own =
        policy::fraction_bits(shape, f, adder.carried_fraction_bits, adder.c_fraction_bits);
    const auto largest = own.largest();
    loss = largest ? Loss::by_parameter : Loss::none;
    const int kept = largest ? *largest : exact_bits(widths, node, adder);
    plan.fraction_bits = kept;
    plan.product = kind_alignment(own.product, kept, adder.alignment_rounding);
    plan.carried = kind_alignment(
        own.carried, kept,
        policy::alignment_rounding(adder.carried_alignment_rounding, adder.alignment_rounding));
    plan.c = kind_alignment(own.c, kept,
                            policy::alignment_rounding(adder.c_alignment_rounding, adder.alignment_rounding));
    plan.c_dropped_below = adder.c_dropped_below;
  }
  const SumShape sum = sum_shape(words, widths, shape, plan.fraction_bits, loss);
  plan.width = accumulator_width(sum);
  if (!plan.as_exact && carry_can_wrap(adder.extra_carry_bits, sum))
    plan.wraps_at = plan.fraction_bits + *adder.extra_carry_bits + 2;
  plan.immediate = loss == Loss::by_parameter && adder.normalisation == Normalisation::immediate;
  return plan;
}

}  // namespace mmaprint::emit
