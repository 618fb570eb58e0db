// Integer and binary units: exact sums that wrap or saturate. Generic over an algebra.
//
// The order of exact additions can't be seen, so no formula should have one: products are summed by index,
// whatever node they belong to, and a node is a sum of its own only where it can be clipped before the next
// one adds to it (Plan::integers says which those are). Structures that no input tells apart become the same
// formula by this.
#pragma once

#include "model/operand.h"

namespace mmaprint {

/// |a_k b_k|; for single bits also a_k xor b_k.
template <class A>
constexpr typename A::Word integer_product(const A& a, const Operand<A>& x, const Operand<A>& y) {
  return a.template select<Parameter::product>(0, [&](ProductKind kind) {
    if (kind != ProductKind::exclusive_or) return a.multiply(x.significand, y.significand);
    return a.mux(a.differ(a.bit(x.significand, 0), a.bit(y.significand, 0)), a.word(2, 1), a.word(2, 0));
  });
}

/// A running total in an accumulator that holds any sum of the plan.
template <class A, class AnyPlan, class Operands>
class IntegerTotal {
 public:
  constexpr IntegerTotal(const A& a, const AnyPlan& plan, const Operands& in)
      : a_(a), in_(&in), sum_(a.zero_sum(plan.integer_width())) {}

  constexpr void add_c() {
    const auto c = in_->c();
    sum_ = a_.add_signed(sum_, c.significand, c.negative);
  }
  constexpr void add_product(std::size_t k) {
    const auto x = in_->a(k);
    const auto y = in_->b(k);
    sum_ = a_.add_signed(sum_, integer_product(a_, x, y), a_.differ(x.negative, y.negative));
  }
  constexpr void add(const typename A::Sum& earlier) {
    sum_ = a_.add_signed(sum_, a_.magnitude(earlier), a_.is_negative(earlier));
  }
  [[nodiscard]] constexpr const typename A::Sum& sum() const { return sum_; }

 private:
  A a_;
  const Operands* in_;
  typename A::Sum sum_;
};

/// The nearest value of D's format.
template <class A, class AnyPlan>
constexpr typename A::Sum saturated(const A& a, const AnyPlan& plan, const typename A::Sum& sum) {
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

/// d of an integer unit. Whatever the order, a sum that wraps is that of all terms.
template <class A, class AnyPlan, class Operands>
constexpr typename A::Word integer_dot(const A& a, const AnyPlan& plan, const Operands& in) {
  using Total = IntegerTotal<A, AnyPlan, Operands>;
  const auto sum = a.template select<Parameter::overflow>(0, [&](Overflow kind) {
    if (kind == Overflow::wrap) {
      Total total(a, plan, in);
      total.add_c();
      for (std::size_t k = 0; k < static_cast<std::size_t>(plan.k); ++k) total.add_product(k);
      return total.sum();
    }
    typename AnyPlan::template Results<typename A::Sum> sums(plan.integers.size());
    for (const auto& terms : plan.integers) {
      Total total(a, plan, in);
      if (terms.c) total.add_c();
      for (const std::size_t i : terms.sums) total.add(sums[i]);
      for (const std::size_t k : terms.products) total.add_product(k);
      sums.push_back(saturated(a, plan, total.sum()));
    }
    return sums[sums.size() - 1];
  });
  return a.low_bits(sum, plan.d.container_bits);
}

}  // namespace mmaprint
