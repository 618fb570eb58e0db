// What a unit computes: the scales of blocks of factors, of a product that is scaled by itself and of a sum
// that is. See model/specification.h; docs/semantics.md, scales.
#pragma once

#include <span>
#include <type_traits>

#include "model/checks.h"
#include "model/row.h"
#include "model/specification_zeros.h"

namespace mmaprint {

/// The scales of a product, multiplied: significand·2^(exponent - fraction bits of both), or NaN.
template <class A>
struct Scale {
  typename A::Bool nan, zero;
  typename A::Int exponent;
  typename A::Word significand;
};

/// Operands with scales give those of product k.
template <class Operands>
concept HasScales = requires(const Operands& in) { in.scales(std::size_t{0}); };

struct ScaleSteps : ZeroSteps {
  /// The scales' product; `next` is one of them, and no sign of it is read.
  template <class A>
  static constexpr void multiply_by(const A& a, const FormatInfo& f, const typename A::Word& pattern,
                                    Scale<A>& scale) {
    const auto next = decode(a, f, pattern);
    scale.nan = a.any(scale.nan, next.nan);
    scale.exponent = a.add(scale.exponent, next.exponent);
    if (f.fraction_bits == 0) return;  // a power of two
    scale.zero = a.any(scale.zero, a.is_zero(next.significand));
    scale.significand = a.multiply(scale.significand, next.significand);
  }
  template <class A>
  static constexpr Scale<A> no_scale(const A& a) {
    return {a.truth(false), a.truth(false), a.integer(0), a.word(1, 1)};
  }

  /// A product that is scaled by itself: by powers of two, which add to its exponent.
  template <class A>
  static constexpr void scale_product(const A& a, const Scale<A>& by, Product<A>& x) {
    x.value.exponent = a.mux(x.value.zero, x.value.exponent, a.add(x.value.exponent, by.exponent));
    x.nan = a.any(x.nan, by.nan);
  }

  /// The exact sum of a node's products: an integer of 2^lowest_bit_of_unscaled.
  template <class A>
  struct SumOfProducts {
    typename A::Bool nan, all_zero;
    typename A::Sum sum;
  };
  /// `signs` gets an addend for each product, of which its sign counts and whether it is a zero.
  template <class A, class Node, class Operands, class Addends>
  static constexpr SumOfProducts<A> sum_of_products(const A& a, const PlanWidths& plan, const Node& node,
                                                    const Operands& in, int width, Addends& signs) {
    const int highest = plan.a.emax() + plan.b.emax();
    const int range = highest - plan.a.emin() - plan.b.emin();
    auto nan = a.truth(false), all_zero = a.truth(true);
    auto sum = a.zero_sum(width);
    const auto none = [](const auto&...) {};
    node.visit(
        plan,
        [&](const auto& products) {
          for (const std::size_t k : products) {
            const auto x = in.a(k), y = in.b(k);
            const auto exact = a.shift_left(a.multiply(x.significand, y.significand), range);
            const auto down = a.subtract(a.integer(highest), a.add(x.exponent, y.exponent));
            const auto negative = a.differ(x.negative, y.negative);
            const auto zero = a.any(a.is_zero(x.significand), a.is_zero(y.significand));
            sum = a.add_signed(sum, a.shift_right(exact, down), negative);
            nan = a.any(nan, x.nan, y.nan);
            all_zero = a.all(all_zero, zero);
            signs.push_back({negative, zero, a.integer(0), a.word(1, 0)});
          }
        },
        none, none, [] {}, none);
    return {nan, all_zero, sum};
  }

  /// A sum that is scaled, as it is carried on with the scales' exponents for E. No factor is infinite
  /// (validate()), and the sum fits a machine word.
  template <class A, class Node, class Operands>
  static constexpr CarriedSum<A> scaled_sum(const A& a, const PlanWidths& plan, const Node& node,
                                            const Operands& in) {
    const int range = plan.a.emax() + plan.b.emax() - plan.a.emin() - plan.b.emin();
    const int width =
        plan.a.precision() + plan.b.precision() + range + ceil_log2(static_cast<int>(node.operands)) + 1;
    const NodeShape shape(plan, node);
    typename Node::template Operands<Addend<A>> signs(node.operands);
    const auto of = sum_of_products(a, plan, node, in, width, signs);
    const auto scale = in.scales(node.first_product());
    const auto magnitude = a.magnitude(of.sum);
    const auto vanished = a.is_zero(magnitude);
    const auto nan = a.any(of.nan, scale.nan);
    const auto of_zeros = a.all(a.any(of.all_zero, scale.zero), a.no(nan));
    const auto negative = a.mux(of.all_zero, zero_result(a, shape, signs.all()).negative,
                                a.mux(vanished, cancelled_result(a, shape).negative, a.is_negative(of.sum)));
    const auto zero = a.any(vanished, scale.zero, nan);
    const auto placed = a.shift_left(a.multiply(magnitude, scale.significand),
                                     plan.addend_fraction_bits() - plan.scaled_fraction_bits());
    const auto lowest = policy::lowest_exponent(a, plan);
    return {{negative, zero, a.mux(a.any(of_zeros, nan), lowest, scale.exponent),
             a.mux(zero, a.word(plan.addend_width(), 0), placed)},
            of_zeros,
            nan,
            a.truth(false)};
  }
};

}  // namespace mmaprint
