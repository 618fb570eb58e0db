// What is known of a node's sum before any operand: how large it can get, and whether it rounds as if nothing
// were lost on the way. Generic over an algebra.
#pragma once

#include "model/plan.h"

namespace mmaprint {

/// What becomes of bits below 2^(E - kept).
enum class Loss : std::uint8_t {
  by_parameter,  ///< the adder's alignment rounding decides
  none,          ///< there are none: `kept` covers every operand
  sticky,        ///< kept as one sticky bit, where that is known to round like the exact sum
};

/// What is known of a node's sums before any operand.
template <class A>
[[gnu::always_inline]] constexpr SumShape sum_shape(const A& a, const PlanWidths& plan, int adder,
                                                    int addends, int products, int kept, Loss loss) {
  using Mode = AlignmentRounding;
  const auto never = [&](Mode mode) {
    return a.template always<Parameter::alignment_rounding>(adder, [mode](Mode m) { return m != mode; });
  };
  const bool normalised = a.template always<Parameter::product>(
      adder, [](ProductKind kind) { return kind == ProductKind::exact_normalised; });
  SumShape shape{products,
                 addends - products,
                 kept,
                 normalised ? ProductKind::exact_normalised : ProductKind::exact_unnormalised,
                 Mode::truncate,
                 Normalisation::late,
                 plan.product_bound()};
  if (loss != Loss::by_parameter) return shape;
  // The one of the possible modes that lets sums grow most.
  for (const Mode mode : {Mode::floor, Mode::sticky, Mode::nearest_even})
    if (!never(mode)) shape.alignment_rounding = mode;
  if (!a.template always<Parameter::normalisation>(adder,
                                                   [](Normalisation n) { return n == Normalisation::late; }))
    shape.normalisation = Normalisation::immediate;
  return shape;
}

/// A node of a product and another operand: with this many fraction bits or more, alignment with a sticky bit
/// is as good as none: the sum rounds to D as the exact one does. `normalised`: are products in [1, 2)?
///
/// Let u = 2^(E-F) be the last kept bit. The operand at E keeps all it has and is even in u, so the other one
/// alone can lose bits, and the sum is odd in u then: it lies strictly between the same even multiples of u
/// as the exact sum. What rounding decides by are halves of D's last place, 2^(L-p) for a leading one at 2^L,
/// and these are even multiples if L >= E - s and F >= s + p + 1. An operand at E is at least 2^E, or it is
/// subnormal, and either so is D or nothing is lost below its exponent. A product at E is at least 2^(E-s),
/// where s = 0 if it is normalised, the fraction bits of one factor if one can be subnormal, and of both if
/// both can: but then E is as low as it gets and often nothing is lost below it. The operand that loses bits
/// is so small beside it that it moves the leading one by a place at most.
constexpr int bits_to_round_as_exact(const PlanWidths& plan, bool normalised, const OperandBits& bits) {
  const int operand = std::max(plan.c.fraction_bits, plan.d.fraction_bits);
  const auto with = [&](int s) { return std::max(plan.product_fraction_bits(), s + operand) + 3; };
  const int subnormal = bits.subnormal > plan.d.emin() ? bits.subnormal - bits.lowest : 0;
  if (normalised) return std::max(subnormal, with(0));
  const int both = with(plan.a.fraction_bits + plan.b.fraction_bits);
  const int one = with(std::max(plan.a.fraction_bits, plan.b.fraction_bits));
  return std::max(subnormal, std::min(both, std::max(one, plan.a.emin() + plan.b.emin() - bits.lowest)));
}

/// Is the result of an adder with `f` fraction bits that of the exact sum, whatever the exponent of products
/// is taken to be? Known before any operand.
template <class A>
constexpr bool rounds_as_exact(const A& a, const PlanWidths& plan, int adder, std::optional<int> f,
                               int addends, int products, const OperandBits& bits) {
  if (f && (addends != 2 || products != 1)) return false;
  const int kept = f.value_or(plan.exact_fraction_bits());
  const SumShape shape =
      sum_shape(a, plan, adder, addends, products, kept, f ? Loss::by_parameter : Loss::none);
  if (f) {
    const bool normalised = shape.product == ProductKind::exact_normalised;
    if (*f < bits_to_round_as_exact(plan, normalised, bits)) return false;
    if (!a.template always<Parameter::alignment_rounding>(
            adder, [](AlignmentRounding mode) { return mode == AlignmentRounding::sticky; }))
      return false;
    // Where the clamp decides, nothing is lost.
    if (!a.template always<Parameter::minimum_alignment_exponent>(
            adder, [&](std::optional<int> clamp) { return !clamp || *clamp <= bits.lowest + *f; }))
      return false;
  }
  return a.template always<Parameter::extra_carry_bits>(
      adder, [&](std::optional<int> carry) { return !carry_can_wrap(carry, shape); });
}

}  // namespace mmaprint
