// What a unit computes, first part: its operands, its products (step 1), and what is seen of a node's
// addends. See model/specification.h.
#pragma once

#include <span>
#include <utility>

#include "model/checks.h"
#include "model/conversion.h"
#include "model/inlining.h"
#include "model/plain_products.h"
#include "model/policies.h"
#include "model/specification_scales.h"

namespace mmaprint {

template <class L>
struct OperandSteps : PlainProducts {
  // ---- Operands.

  /// Turns a subnormal into a zero where parameter P says so.
  template <Parameter P, class A>
  static constexpr void flush_subnormal(const A& a, const FormatInfo& f, Operand<A>& x) {
    if (f.is_integer()) return;
    if (a.template always<P>(0, [](Subnormals t) { return t == Subnormals::kept; })) return;
    if (!a.template always<P>(0, [](Subnormals t) { return t != Subnormals::flushed_positive; })) {
      const auto normal = a.bit(x.significand, f.fraction_bits);
      if (L::can_hold(a, a.all(x.negative, a.no(normal))))
        x.negative = a.template select<P>(0, [&](Subnormals treatment) {
          return treatment == Subnormals::flushed_positive ? a.all(x.negative, normal) : x.negative;
        });
    }
    const auto subnormal = policy::is_subnormal(a, f, x);
    if (!L::can_hold(a, subnormal)) return;
    const auto gone = a.template select<P>(
        0, [&](Subnormals treatment) { return treatment == Subnormals::kept ? a.truth(false) : subnormal; });
    x.significand = a.mux(gone, a.word(f.precision(), 0), x.significand);
  }

  /// The operand that a bit pattern of format f stands for, with subnormals treated as parameter P says.
  template <Parameter P, class A>
  static constexpr Operand<A> read_operand(const A& a, const FormatInfo& f, const typename A::Word& pattern) {
    auto x = decode(a, f, pattern);
    flush_subnormal<P>(a, f, x);
    return x;
  }
  /// The same of a container's pattern, which is converted to format f first.
  template <Parameter P, class A>
  static constexpr Operand<A> read_operand(const A& a, const Container& from, const FormatInfo& f,
                                           const typename A::Word& pattern) {
    auto x = read_pattern(a, from, f, pattern);
    flush_subnormal<P>(a, f, x);
    return x;
  }

  /// The addend that an operand in format f is.
  template <class A>
  MMAPRINT_INLINE static constexpr Addend<A> addend_of(const A& a, const PlanWidths& plan,
                                                       const FormatInfo& f, const Operand<A>& x) {
    const auto zero = a.is_zero(x.significand);
    return {x.negative, zero, a.mux(zero, policy::lowest_exponent(a, plan), x.exponent),
            a.shift_left(x.significand, plan.addend_fraction_bits() - f.fraction_bits)};
  }
  template <class A>
  static constexpr bool zeros_are_left_out(const A& a, int adder) {
    return a.template always<Parameter::zero_addends>(
        adder, [](ZeroAddends rule) { return rule.kind() == ZeroAddends::Kind::left_out; });
  }

  // ---- 1. Products.

  /// The exact product. `as_parameter` says whether the adder's parameter decides which exponent it has.
  template <class A>
  MMAPRINT_INLINE static constexpr Product<A> multiply(const A& a, const PlanWidths& plan, int adder,
                                                       const Operand<A>& x, const Operand<A>& y,
                                                       bool as_parameter) {
    MMAPRINT_EXPECTS(fits(a, x.significand, plan.a.precision()) &&
                     fits(a, y.significand, plan.b.precision()));
    const auto exact = a.shift_left(a.multiply(x.significand, y.significand), 1);
    const auto zero_x = a.is_zero(x.significand);
    const auto zero_y = a.is_zero(y.significand);
    const auto zero = a.any(zero_x, zero_y);
    const auto sum = a.add(x.exponent, y.exponent);
    const auto exponent = a.mux(zero, policy::lowest_exponent(a, plan), sum);
    const auto as_kind = [&](ProductKind kind) {
      return policy::product_as(a, plan, kind, zero, exponent, exact);
    };
    const auto [aligned_exponent, aligned] = as_parameter
                                                 ? a.template select<Parameter::product>(adder, as_kind)
                                                 : as_kind(ProductKind::exact_unnormalised);
    const Addend<A> value{a.differ(x.negative, y.negative), zero, aligned_exponent,
                          a.shift_left(aligned, plan.addend_fraction_bits() - plan.product_fraction_bits())};
    const auto overflowed = product_overflows(a, plan, adder, zero, sum, exact);
    if (!L::can_hold(a, a.any(x.nan, x.infinite, y.nan, y.infinite)))
      return {value, a.truth(false), overflowed};
    return {value, product_is_nan(a, x, y, zero_x, zero_y), a.any(x.infinite, y.infinite, overflowed)};
  }

  /// Sees a product's factors, of which one or both may be zeros, and the exponent of its scales.
  template <class A>
  static constexpr void join_zeros(const A& a, ZerosSeen<A>& seen, const Operand<A>& x, const Operand<A>& y,
                                   const typename A::Int& scale) {
    const auto zero_x = a.is_zero(x.significand);
    const auto zero_y = a.is_zero(y.significand);
    const auto none = a.integer(kNoClamp);
    seen.any = a.any(seen.any, zero_x, zero_y);
    seen.twice_zero = a.maximum(seen.twice_zero, a.mux(a.all(zero_x, zero_y), scale, none));
    const auto beside = a.add(scale, a.mux(zero_x, y.exponent, x.exponent));
    seen.beside = a.maximum(seen.beside, a.mux(a.differ(zero_x, zero_y), beside, none));
  }

  /// The exponent that the zeros among a node's addends have together.
  template <class A>
  static constexpr typename A::Int exponent_of_zeros(const A& a, const PlanWidths& plan,
                                                     const ZerosSeen<A>& seen, ZeroAddends rule) {
    auto none = policy::lowest_exponent(a, plan);
    if (rule.kind() == ZeroAddends::Kind::left_out) return none;
    const auto z = a.integer(rule.exponent());
    if (rule.kind() == ZeroAddends::Kind::as_exponent) return a.mux(seen.any, z, none);
    const auto twice = a.add(seen.twice_zero, a.integer(2 * rule.exponent()));
    return a.maximum(none, a.maximum(twice, a.add(seen.beside, z)));
  }

  /// Does a product alone count as an infinity? `exponent` and `exact`: those of the unnormalised product.
  template <class A>
  MMAPRINT_INLINE static constexpr typename A::Bool product_overflows(const A& a, const PlanWidths& plan,
                                                                      int adder, const typename A::Bool& zero,
                                                                      const typename A::Int& exponent,
                                                                      const typename A::Word& exact) {
    if (!plan.products_can_overflow() ||
        a.template always<Parameter::product_overflow>(
            adder, [](ProductOverflow kind) { return kind == ProductOverflow::exact; }))
      return a.truth(false);
    auto overflows = policy::product_overflows(a, plan, zero, exponent, exact);
    if (!L::can_hold(a, overflows)) return overflows;
    return a.template select<Parameter::product_overflow>(adder, [&](ProductOverflow kind) {
      return kind == ProductOverflow::infinity ? overflows : a.truth(false);
    });
  }

  /// Sees an addend.
  template <class A>
  static constexpr void join(const A& a, Gathered<A>& seen, const Addend<A>& x, typename A::Bool is_nan,
                             typename A::Bool is_infinite) {
    seen.all_zero = a.all(seen.all_zero, x.zero);
    seen.largest_exponent = a.maximum(seen.largest_exponent, x.exponent);
    if (!L::can_hold(a, a.any(is_nan, is_infinite))) return;
    join_special(a, seen, x.negative, is_nan, is_infinite);
  }

  /// Appends products to a node's addends and gives what is seen with them. Not inlined: the busiest loop of
  /// all is to have the registers for itself.
  template <class A, class Node, class Operands, class Products, class Addends>
  MMAPRINT_OUT_OF_LINE static constexpr Gathered<A> append_products(const A& a, const PlanWidths& plan,
                                                                    const Node& node, const Operands& in,
                                                                    const Products& products,
                                                                    Addends& addends, Gathered<A> seen) {
    const bool left_out = zeros_are_left_out(a, node.adder);
    if constexpr (ZerosAreLowest<Operands>)
      if (left_out && products_are_plain(a, node.adder))
        return append_plain_products(a, plan, node, in, products, addends, seen);
    const bool as_parameter = L::product_exponent_matters(a, plan, NodeShape(plan, node));
    // (Apart from the rest: what all products change stays in registers.)
    auto all_zero = seen.all_zero;
    auto largest = seen.largest_exponent;
    addends.append(products.size(), [&](std::size_t i) {
      auto p = multiply(a, plan, node.adder, in.a(products[i]), in.b(products[i]), as_parameter);
      auto scale = a.integer(0);
      if constexpr (HasScales<Operands>) {
        const auto by = in.scales(products[i]);
        ScaleSteps::scale_product(a, by, p);
        scale = by.exponent;
      }
      all_zero = a.all(all_zero, p.value.zero);
      largest = a.maximum(largest, p.value.exponent);
      if (L::can_hold(a, a.any(p.nan, p.infinite))) join(a, seen, p.value, p.nan, p.infinite);
      if (!left_out) join_zeros(a, seen.zeros, in.a(products[i]), in.b(products[i]), scale);
      return p.value;
    });
    seen.all_zero = all_zero;
    seen.largest_exponent = largest;
    return seen;
  }
};

}  // namespace mmaprint
