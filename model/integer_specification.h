// What integer and binary units compute: exact sums, node by node, that wrap or saturate. Generic over an
// algebra.
#pragma once

#include "model/operand.h"
#include "model/plan.h"

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
  /// (Machine words take products as they come, where `in` has them.)
  constexpr void add_product(std::size_t k) {
    if constexpr (requires { in_->signed_product(k); }) {
      sum_ = a_.add_integer(sum_, in_->signed_product(k));
    } else {
      const auto x = in_->a(k);
      const auto y = in_->b(k);
      sum_ = a_.add_signed(sum_, integer_product(a_, x, y), a_.differ(x.negative, y.negative));
    }
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

/// d of an integer unit: each node's sum is exact, and then cut to D's bits or brought to D's nearest value.
template <class A, class AnyPlan, class Operands>
constexpr typename A::Word integer_result(const A& a, const AnyPlan& plan, const Operands& in) {
  typename AnyPlan::template Results<typename A::Sum> results(plan.nodes.size());
  for (const auto& node : plan.nodes) {
    IntegerTotal<A, AnyPlan, Operands> total(a, plan, in);
    node.visit(
        plan,
        [&](const auto& products) {
          for (const auto k : products) total.add_product(k);
        },
        [&](std::size_t earlier, const auto& /*format*/) { total.add(results[earlier]); },
        [](std::size_t, const auto& /*carried*/) {},  // integers carry none
        [&] { total.add_c(); }, [](ZeroOperand) {});
    results.push_back(a.template select<Parameter::overflow>(0, [&](Overflow kind) {
      return kind == Overflow::wrap ? a.wrap(total.sum(), plan.d.container_bits)
                                    : saturated(a, plan, total.sum());
    }));
  }
  return a.low_bits(results[results.size() - 1], plan.d.container_bits);
}

}  // namespace mmaprint
