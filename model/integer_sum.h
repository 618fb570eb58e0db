// Integer and binary units: exact sums that wrap or saturate. Generic over an algebra.
//
// The order of exact additions can't be seen, so no formula should have one: products are summed by index,
// whatever node they belong to, and a node is a sum of its own only where it can be clipped before the next
// one adds to it (Plan::sums says which those are). Structures that no input tells apart become the same
// formula by this.
#pragma once

#include <span>

#include "model/operand.h"
#include "model/row.h"

namespace mmaprint {

/// |a_k b_k|; for single bits also a_k xor b_k.
template <class A>
typename A::Word integer_product(const A& a, const Operand<A>& x, const Operand<A>& y) {
  return a.template select<Parameter::product>(0, [&](ProductKind kind) {
    if (kind != ProductKind::exclusive_or) return a.multiply(x.significand, y.significand);
    return a.mux(a.differ(a.bit(x.significand, 0), a.bit(y.significand, 0)), a.word(2, 1), a.word(2, 0));
  });
}

/// The exact sum of the products named, of the earlier sums, and of c where it takes part.
template <class A, class Operands>
typename A::Sum exact_integer_sum(const A& a, const Plan& plan, const Operands& in, const IntegerSum& terms,
                                  std::span<const typename A::Sum> earlier) {
  auto sum = a.zero_sum(plan.integer_width());
  if (terms.c) {
    const auto c = in.c();
    sum = a.add_signed(sum, c.significand, c.negative);
  }
  for (const std::size_t i : terms.sums)
    sum = a.add_signed(sum, a.magnitude(earlier[i]), a.is_negative(earlier[i]));
  for (const std::size_t k : terms.products) {
    const auto x = in.a(k);
    const auto y = in.b(k);
    sum = a.add_signed(sum, integer_product(a, x, y), a.differ(x.negative, y.negative));
  }
  return sum;
}

/// The nearest value of D's format.
template <class A>
typename A::Sum saturated(const A& a, const Plan& plan, const typename A::Sum& sum) {
  const int bits = plan.d.fraction_bits;
  const int width = plan.integer_width();
  const auto lowest = a.word(bits + 1, std::uint64_t{1} << bits);
  const auto negative = a.is_negative(sum);
  const auto magnitude = a.magnitude(sum);
  const auto beyond =
      a.mux(negative, a.greater(magnitude, lowest), a.no(a.is_zero(a.slice(magnitude, bits, width - bits))));
  const auto limit = a.mux(negative, lowest, a.word(bits + 1, (std::uint64_t{1} << bits) - 1));
  return a.mux(beyond, a.add_signed(a.zero_sum(width), limit, negative), sum);
}

/// d of an integer unit.
template <class A, class Operands>
typename A::Word integer_dot(const A& a, const Plan& plan, const Operands& in) {
  const auto sum = a.template select<Parameter::overflow>(0, [&](Overflow kind) {
    if (kind == Overflow::wrap) return exact_integer_sum<A>(a, plan, in, plan.whole_sum(), {});
    Row<typename A::Sum> sums(plan.sums.size());
    for (const IntegerSum& terms : plan.sums)
      sums.push_back(saturated(a, plan, exact_integer_sum<A>(a, plan, in, terms, sums.all())));
    return sums[sums.size() - 1];
  });
  return a.low_bits(sum, plan.d.container_bits);
}

}  // namespace mmaprint
