// What the specification decides, and on what: its policies, each with a name. Generic over an algebra.
#pragma once

#include "model/summand.h"

namespace mmaprint::policy {

/// Do all operands of a node keep as many fraction bits, and lose the rest alike?
template <class A>
constexpr bool aligned_alike(const A& a, const NodeShape& node) {
  if (node.kinds == nullptr) return true;
  const auto never = [](const auto& own) { return own == std::remove_cvref_t<decltype(own)>{}; };
  const bool of_carried = node.carried.count == 0 ||
                          (a.template always<Parameter::carried_fraction_bits>(node.adder, never) &&
                           a.template always<Parameter::carried_alignment_rounding>(node.adder, never));
  return of_carried && (node.addends == node.products + node.carried.count ||
                        (a.template always<Parameter::c_fraction_bits>(node.adder, never) &&
                         a.template always<Parameter::c_alignment_rounding>(node.adder, never) &&
                         a.template always<Parameter::c_dropped_below>(node.adder, never)));
}

/// F of each kind of operands: the node's, `f`, or its own. Kinds that are not there have no say in the
/// sum's.
constexpr FractionBits fraction_bits(const NodeShape& node, std::optional<int> f, std::optional<int> carried,
                                     std::optional<int> c) {
  MMAPRINT_EXPECTS(node.kinds != nullptr);
  const FractionBits all{f, carried ? carried : f, c ? c : f};
  const OperandKind some = node.has(OperandKind::product)   ? OperandKind::product
                           : node.has(OperandKind::carried) ? OperandKind::carried
                                                            : OperandKind::c;
  const auto present = [&](OperandKind kind) { return all.of(node.has(kind) ? kind : some); };
  return {present(OperandKind::product), present(OperandKind::carried), present(OperandKind::c)};
}

/// c, or a rounded result, counts as a zero where its exponent is below E - t.
template <class A>
constexpr typename A::Bool is_dropped(const A& a, const Addend<A>& x, const typename A::Int& e, int t) {
  MMAPRINT_EXPECTS(t >= 0);
  return a.at_least(a.subtract(e, x.exponent), t + 1);
}

/// How a kind of operands with a rounding of its own is aligned.
constexpr AlignmentRounding alignment_rounding(OwnAlignmentRounding own, AlignmentRounding others) {
  switch (own) {
    case OwnAlignmentRounding::as_others:
      break;
    case OwnAlignmentRounding::truncate:
      return AlignmentRounding::truncate;
    case OwnAlignmentRounding::floor:
      return AlignmentRounding::floor;
    case OwnAlignmentRounding::nearest_even:
      return AlignmentRounding::nearest_even;
    case OwnAlignmentRounding::sticky:
      return AlignmentRounding::sticky;
  }
  return others;
}

/// The exponent of an addend that has no part in E: below all others.
template <class A>
constexpr typename A::Int lowest_exponent(const A& a, const PlanWidths& plan) {
  return a.integer(plan.lowest_exponent());
}

/// The exponent and the significand with which a nonzero product takes part in E, given those of the exact
/// product, which has two bits above the point and a spare one below.
template <class A>
constexpr std::pair<typename A::Int, typename A::Word> product_as(const A& a, const PlanWidths& plan,
                                                                  ProductKind kind, typename A::Bool zero,
                                                                  const typename A::Int& exponent,
                                                                  const typename A::Word& exact) {
  MMAPRINT_EXPECTS(kind != ProductKind::exclusive_or && fits(a, exact, plan.product_width()));
  if (kind == ProductKind::exact_unnormalised) return std::pair(exponent, exact);
  // The leading one moves from wherever it is to the position of 2^0, below one unused bit.
  const int width = plan.product_width() - 1;
  const auto [leading, count] = a.normalise(a.slice(exact, 1, width), width);
  return std::pair(a.mux(zero, exponent, a.add(exponent, a.subtract(a.integer(1), count))), leading);
}

/// Overflow of a product alone is decided on the exact product: is it beyond all of D's exponents?
template <class A>
constexpr typename A::Bool product_overflows(const A& a, const PlanWidths& plan, const typename A::Bool& zero,
                                             const typename A::Int& exponent, const typename A::Word& exact) {
  const auto leading = product_as(a, plan, ProductKind::exact_normalised, zero, exponent, exact).first;
  return a.all(a.no(zero), a.at_least(leading, plan.d.emax() + 1));
}

/// Flushing of inputs is decided on the value as it comes in.
template <class A>
constexpr typename A::Bool is_subnormal(const A& a, const FormatInfo& f, const Operand<A>& x) {
  MMAPRINT_EXPECTS(!f.is_integer() && fits(a, x.significand, f.precision()));
  return a.all(a.no(a.bit(x.significand, f.fraction_bits)), a.no(a.is_zero(x.significand)));
}

/// Flushing of results is decided on the rounded result, unless it is zero or beyond the finite numbers.
template <class A>
constexpr typename A::Bool is_flushable(const A& a, const FormatInfo& d, const Operand<A>& x,
                                        typename A::Bool vanished, typename A::Bool overflowed) {
  MMAPRINT_EXPECTS(fits(a, x.significand, d.precision()));
  return a.all(a.no(a.bit(x.significand, d.fraction_bits)), a.no(vanished), a.no(overflowed));
}

/// Overflow is decided on the rounded result: is it beyond the largest finite number?
template <class A>
constexpr typename A::Bool overflows(const A& a, const FormatInfo& d, const Rounded<A>& x) {
  MMAPRINT_EXPECTS(fits(a, x.significand, d.precision()) && holds(a, a.at_least(x.exponent, d.emin())));
  auto beyond = a.at_least(x.exponent, d.emax() + 1);
  if (d.largest_significand() == (2ULL << d.fraction_bits) - 1) return beyond;
  return a.any(beyond, a.all(a.at_least(x.exponent, d.emax()),
                             a.greater(x.significand, a.word(d.precision(), d.largest_significand()))));
}

/// Does IEEE 754 round an overflow to the largest finite number, and not to an infinity?
template <class A>
constexpr typename A::Bool overflow_stays_finite(const A& a, Rounding mode, typename A::Bool negative) {
  switch (mode) {
    case Rounding::toward_zero:
    case Rounding::odd:  // the largest number is odd
      return a.truth(true);
    case Rounding::up:
      return negative;
    case Rounding::down:
      return a.no(negative);
    case Rounding::nearest_even:
    case Rounding::nearest_away:
      break;
  }
  return a.truth(false);
}

/// Does rounding a magnitude as `mode` says go up, given the last kept bit, the first lost bit and whether
/// any further one is set?
template <class A>
constexpr typename A::Bool rounds_up(const A& a, Rounding mode, typename A::Bool negative,
                                     typename A::Bool last, typename A::Bool half, typename A::Bool rest) {
  switch (mode) {
    case Rounding::toward_zero:
      return a.truth(false);
    case Rounding::nearest_even:
      return a.all(half, a.any(rest, last));
    case Rounding::nearest_away:
      return half;
    case Rounding::up:
      return a.all(a.no(negative), a.any(half, rest));
    case Rounding::down:
      return a.all(negative, a.any(half, rest));
    // To odd: an inexact result gets its last bit set, which an even truncation reaches by going up one.
    case Rounding::odd:
      return a.all(a.no(last), a.any(half, rest));
  }
  return a.truth(false);
}

/// How alignment, and normalising a partial sum, rounds.
constexpr Rounding rounding_of(AlignmentRounding mode) {
  switch (mode) {
    case AlignmentRounding::truncate:
      break;
    case AlignmentRounding::floor:
      return Rounding::down;
    case AlignmentRounding::nearest_even:
      return Rounding::nearest_even;
    case AlignmentRounding::sticky:
      return Rounding::odd;
  }
  return Rounding::toward_zero;
}

}  // namespace mmaprint::policy
