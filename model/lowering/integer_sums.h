// Layer: integer sums in any order.
//
// Replaces: the walk over the nodes of an integer unit (integer_result).
// CLAIM: the result is the same. A sum that wraps at every node is that of all terms, as wrapping is a
// homomorphism; and where nodes saturate, one that cannot be clipped, or that is clipped at the top with
// nothing negative to come, joins the next without a trace (Plan::integers says which those are).
//
// The order of exact additions can't be seen, so no formula should have one: products that the tree has are
// summed by index, whatever node they belong to. Structures that no input tells apart become the same formula
// by this.
#pragma once

#include "model/integer_specification.h"

namespace mmaprint {

/// Is the product of that index a term of some sum?
template <class AnyPlan>
constexpr bool is_added(const AnyPlan& plan, std::size_t k) {
  for (const auto& sum : plan.integers)
    for (const std::size_t product : sum.products)
      if (product == k) return true;
  return false;
}

template <class AnyPlan>
constexpr std::size_t products_added(const AnyPlan& plan) {
  std::size_t terms = 0;
  for (const auto& sum : plan.integers) terms += sum.products.size();
  return terms;
}

/// Is no product a term twice? Where all are terms, it is seen by the sum of their indices; where some are
/// left out, one by one.
template <class AnyPlan>
constexpr bool adds_no_product_twice(const AnyPlan& plan) {
  const auto n = static_cast<std::size_t>(plan.k);
  std::size_t indices = 0;
  for (const auto& sum : plan.integers)
    for (const std::size_t k : sum.products) indices += k;
  if (products_added(plan) == n) return indices == n * (n - 1) / 2;
  std::size_t different = 0;
  for (std::size_t k = 0; k < n; ++k)
    if (is_added(plan, k)) ++different;
  return different == products_added(plan);
}

template <class Below>
struct IntegerSums : Below {
  template <class A, class AnyPlan, class Operands>
  static constexpr typename A::Word integer_dot(const A& a, const AnyPlan& plan, const Operands& in) {
    using Total = IntegerTotal<A, AnyPlan, Operands>;
    MMAPRINT_EXPECTS(plan.d.is_integer() && adds_no_product_twice(plan));
    const auto sum = a.template select<Parameter::overflow>(0, [&](Overflow kind) {
      if (kind == Overflow::wrap) {
        Total total(a, plan, in);
        for (const auto& terms : plan.integers)
          if (terms.c) total.add_c();
        const auto n = static_cast<std::size_t>(plan.k);
        if (products_added(plan) == n) {
          for (std::size_t k = 0; k < n; ++k) total.add_product(k);
        } else {
          for (std::size_t k = 0; k < n; ++k)
            if (is_added(plan, k)) total.add_product(k);
        }
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
