// Layer: sums that round as exact ones.
//
// Replaces: how a node of one or two operands aligns (alignment), and which exponent products have
// (product_exponent_matters). CLAIM: where every sum rounds as the exact one does (rounds_as_exact), it may
// be aligned with a fixed number of fraction bits and a sticky bit, and products may have either exponent, in
// nodes of any number of operands. What rounds as an exact sum of two operands has the exact sum's formula by
// this, and a product alone has the product's.
#pragma once

#include "model/inlining.h"
#include "model/lowering/bounds.h"

namespace mmaprint {

/// Is the node's one product its only operand? It loses nothing with as many fraction bits as a product has,
/// and no zero stands beside it.
constexpr bool is_product_alone(const NodeShape& node) { return node.products == 1 && node.addends == 1; }
/// Has it one operand or two, and no carried sum among them?
constexpr bool has_two_operands_at_most(const NodeShape& node) {
  return node.addends <= 2 && node.carried.count == 0;
}

/// A node of two operands: with this many fraction bits or more, alignment with a sticky bit is as good as
/// none: the sum rounds to D as the exact one does. `normalised`: are products in [1, 2)?
///
/// Let u = 2^(E-F) be the last kept bit. The operand at E keeps all it has and is even in u, so the other one
/// alone can lose bits, and the sum is odd in u then: it lies strictly between the same even multiples of u
/// as the exact sum. What rounding decides by are halves of D's last place, 2^(L-p) for a leading one at 2^L,
/// and these are even multiples if L >= E - s and F >= s + p + 1. An operand at E is at least 2^E, or it is
/// subnormal, and either so is D or nothing is lost below its exponent. A product at E is at least 2^(E-s),
/// where s = 0 if it is normalised, the fraction bits of one factor if one can be subnormal, and of both if
/// both can: but then E is as low as it gets and often nothing is lost below it. The operand that loses bits
/// is so small beside it that it moves the leading one by a place at most: it is below 2^(E-F+m+2) if it has
/// m fraction bits, and F >= s + m + 3.
constexpr int bits_to_round_as_exact(const PlanWidths& plan, bool normalised, const NodeShape& node) {
  MMAPRINT_EXPECTS(has_two_operands_at_most(node));
  const OperandBits& bits = node.bits;
  const int operand = plan.operand_fraction_bits(), product = plan.product_fraction_bits();
  // Beside a product that is as small as that there may be another.
  const auto with = [&](int s) {
    return std::max(node.products == 2 ? s + product : product, s + operand) + 3;
  };
  const int subnormal = bits.subnormal > node.result.emin() ? bits.subnormal - bits.lowest : 0;
  if (normalised) return std::max(subnormal, with(0));
  const int both = with(plan.a.fraction_bits + plan.b.fraction_bits);
  // With scales both may be subnormal at any exponent.
  if (plan.scales_products()) return std::max(subnormal, both);
  const int one = with(std::max(plan.a.fraction_bits, plan.b.fraction_bits));
  return std::max(subnormal, std::min(both, std::max(one, plan.a.emin() + plan.b.emin() - bits.lowest)));
}

/// No zero addend has a larger exponent than this.
constexpr int highest_of_zeros(const PlanWidths& plan, ZeroAddends rule) {
  switch (rule.kind()) {
    case ZeroAddends::Kind::left_out:
      break;
    case ZeroAddends::Kind::as_exponent:
      return rule.exponent();
    case ZeroAddends::Kind::factor_exponent:
      return rule.exponent() + std::max({plan.a.emax(), plan.b.emax(), rule.exponent()}) +
             (plan.scales_products() ? plan.scales.highest() : 0);
  }
  return plan.lowest_exponent();
}

/// Is nothing lost with that many fraction bits where a zero decides what E is?
template <class A>
constexpr bool zeros_lose_nothing(const A& a, const PlanWidths& plan, const NodeShape& node, int f) {
  return is_product_alone(node) ||
         a.template always<Parameter::zero_addends>(node.adder, [&](ZeroAddends rule) {
           return highest_of_zeros(plan, rule) <= node.bits.lowest + f;
         });
}

/// Is the result of an adder with `f` fraction bits that of the exact sum, whatever the exponent of products
/// is taken to be? Known before any operand.
template <class A>
constexpr bool rounds_as_exact(const A& a, const PlanWidths& plan, const NodeShape& node,
                               std::optional<int> f) {
  if (node.is_carried || !policy::aligned_alike(a, node)) return false;
  if (f && !has_two_operands_at_most(node)) return false;
  const int kept = f.value_or(plan.exact_fraction_bits());
  const SumShape shape = sum_shape(a, plan, node, kept, f ? Loss::by_parameter : Loss::none);
  if (f) {
    const bool normalised = shape.product == ProductKind::exact_normalised;
    const bool alone = is_product_alone(node);
    if (*f < (alone ? plan.product_fraction_bits() : bits_to_round_as_exact(plan, normalised, node)))
      return false;
    if (!alone && !a.template always<Parameter::alignment_rounding>(
                      node.adder, [](AlignmentRounding mode) { return mode == AlignmentRounding::sticky; }))
      return false;
    // Where the clamp or a zero decides, nothing is lost.
    if (!a.template always<Parameter::minimum_alignment_exponent>(
            node.adder, [&](std::optional<int> clamp) { return !clamp || *clamp <= node.bits.lowest + *f; }))
      return false;
    if (!zeros_lose_nothing(a, plan, node, *f)) return false;
  }
  return never_wraps(a, node.adder, shape);
}

template <class Below>
struct ExactRounding : Below {
  template <class A>
  static constexpr bool product_exponent_matters(const A& a, const PlanWidths& plan, const NodeShape& node) {
    return !a.template always<Parameter::alignment_fraction_bits>(
        node.adder, [&](std::optional<int> f) { return rounds_as_exact(a, plan, node, f); });
  }

  template <class A>
  MMAPRINT_INLINE static constexpr auto alignment(const A& a, const PlanWidths& plan, const NodeShape& node,
                                                  std::optional<int> f, const typename A::Int& largest,
                                                  const typename A::Int& clamped) {
    MMAPRINT_EXPECTS(policy::aligned_alike(a, node));
    if (has_two_operands_at_most(node) && rounds_as_exact(a, plan, node, f)) {
      MMAPRINT_EXPECTS(!node.is_carried);
      // Zeros may need more than the other operands do.
      for (const int bits : {bits_that_suffice(plan, node), plan.sticky_fraction_bits()})
        if (zeros_lose_nothing(a, plan, node, bits)) return with_sticky(a, plan, node, bits, largest);
    }
    return Below::alignment(a, plan, node, f, largest, clamped);
  }

 private:
  static constexpr int bits_that_suffice(const PlanWidths& plan, const NodeShape& node) {
    return is_product_alone(node) ? plan.product_fraction_bits() : bits_to_round_as_exact(plan, false, node);
  }
  /// Products have their factors' exponents here. Where they have their own otherwise, carry bits that no sum
  /// leaves are enough from the place above only.
  template <class A>
  static constexpr auto with_sticky(const A& a, const PlanWidths& plan, const NodeShape& node, int bits,
                                    const typename A::Int& largest) {
    const bool as_factors =
        node.products == 0 || a.template always<Parameter::product>(node.adder, [](ProductKind kind) {
          return kind == ProductKind::exact_unnormalised;
        });
    const int above = as_factors ? 0 : 1;
    const auto exponent =
        a.maximum(a.add(largest, a.integer(above)), a.integer(node.bits.lowest + bits + above));
    return Below::aligned_to(a, plan, node, exponent, Loss::sticky, bits + above);
  }
};

}  // namespace mmaprint
