// Layer: integer sums in any order.
//
// Replaces: the walk over the nodes of an integer unit (integer_result).
// CLAIM: the result is the same. A sum that wraps at every node is that of all terms, as wrapping is a
// homomorphism; and where nodes saturate, one that cannot be clipped, or that is clipped at the top with
// nothing negative to come, joins the next without a trace (Plan::integers says which those are).
//
// The order of exact additions can't be seen, so no formula should have one: products are summed by index,
// whatever node they belong to. Structures that no input tells apart become the same formula by this.
#pragma once

#include "model/integer_specification.h"

namespace mmaprint {

/// How many sums the product of that index is a term of.
template <class AnyPlan>
constexpr std::size_t times_added(const AnyPlan& plan, std::size_t k) {
  std::size_t times = 0;
  for (const auto& sum : plan.integers)
    for (const std::size_t product : sum.products) times += product == k ? 1 : 0;
  return times;
}

/// Is every product a term of some sum? (No product is one of two sums.)
template <class AnyPlan>
constexpr bool adds_all_products(const AnyPlan& plan) {
  std::size_t terms = 0, indices = 0;
  for (const auto& sum : plan.integers)
    for (const std::size_t k : sum.products) ++terms, indices += k;
  const auto n = static_cast<std::size_t>(plan.k);
  MMAPRINT_EXPECTS(terms < n || (terms == n && indices == n * (n - 1) / 2));
  return terms == n;
}

template <class Below>
struct IntegerSums : Below {
  template <class A, class AnyPlan, class Operands>
  static constexpr typename A::Word integer_dot(const A& a, const AnyPlan& plan, const Operands& in) {
    using Total = IntegerTotal<A, AnyPlan, Operands>;
    MMAPRINT_EXPECTS(plan.d.is_integer());
    const auto sum = a.template select<Parameter::overflow>(0, [&](Overflow kind) {
      if (kind == Overflow::wrap) {
        Total total(a, plan, in);
        for (const auto& terms : plan.integers)
          if (terms.c) total.add_c();
        const bool adds_all = adds_all_products(plan);
        for (std::size_t k = 0; k < static_cast<std::size_t>(plan.k); ++k)
          if (adds_all || times_added(plan, k) > 0) total.add_product(k);
        return total.sum();
      }
      typename AnyPlan::template Results<typename A::Sum> sums(plan.integers.size());
      for (const auto& terms : plan.integers) {
        Total total(a, plan, in);
        if (terms.c) total.add_c();
        for (const std::size_t i : terms.sums) {
          MMAPRINT_EXPECTS(i < sums.size());
          total.add(sums[i]);
        }
        for (const std::size_t k : terms.products) total.add_product(k);
        sums.push_back(saturated(a, plan, total.sum()));
      }
      return sums[sums.size() - 1];
    });
    const auto d = a.low_bits(sum, plan.d.container_bits);
    MMAPRINT_ENSURES(fits(a, d, plan.d.container_bits));
    return d;
  }
};

}  // namespace mmaprint
