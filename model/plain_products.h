// Layer: products of operands whose zeros are known by their exponents.
//
// Replaces: append_products (model/specification_operands.h), where zeros are left out and products are
// plain. CLAIM: the same addends, but for their `zero`, which nothing asks for, and for the exponents of
// zeros, which lie so low that no nonzero product's is lower; so all are zeros if the largest is. What is
// special is looked for apart, and only where the operands say that something is: the loop over products is
// short.
#pragma once

#include "model/inlining.h"
#include "model/operand.h"
#include "model/policies.h"
#include "model/summand.h"

namespace mmaprint {

/// Operands whose zero factors have exponents so low that no product with one has as large an exponent as a
/// nonzero product (model/prepared_operand.h). next_special(products, from): the place from there on of the
/// next product that may have a factor that is NaN or infinite; beyond them all if there is none.
template <class Operands>
concept ZerosAreLowest = requires { requires Operands::zeros_are_lowest; };

/// What makes a product special.
struct SpecialSteps {
  template <class A>
  static constexpr typename A::Bool product_is_nan(const A& a, const Operand<A>& x, const Operand<A>& y,
                                                   const typename A::Bool& zero_x,
                                                   const typename A::Bool& zero_y) {
    return a.any(x.nan, y.nan, a.all(x.infinite, zero_y), a.all(y.infinite, zero_x));
  }
  template <class A>
  static constexpr void join_special(const A& a, Gathered<A>& seen, const typename A::Bool& negative,
                                     const typename A::Bool& is_nan, const typename A::Bool& is_infinite) {
    seen.nan = a.any(seen.nan, is_nan);
    seen.positive_infinity = a.any(seen.positive_infinity, a.all(is_infinite, a.no(negative)));
    seen.negative_infinity = a.any(seen.negative_infinity, a.all(is_infinite, negative));
  }
};

struct PlainProducts : SpecialSteps {
  /// Do products take part as they come, and none alone counts as an infinity?
  template <class A>
  static constexpr bool products_are_plain(const A& a, int adder) {
    return a.template always<Parameter::product>(adder, [](ProductKind kind) {
      return kind == ProductKind::exact_unnormalised;
    }) && a.template always<Parameter::product_overflow>(adder, [](ProductOverflow kind) {
      return kind == ProductOverflow::exact;
    });
  }

  /// See above.
  template <class A, class Node, class Operands, class Products, class Addends>
  MMAPRINT_INLINE static constexpr Gathered<A> append_plain_products(const A& a, const PlanWidths& plan,
                                                                     const Node& /*node*/, const Operands& in,
                                                                     const Products& products,
                                                                     Addends& addends, Gathered<A> seen) {
    const int up = 1 + plan.addend_fraction_bits() - plan.product_fraction_bits();
    const int smallest = plan.a.emin() + plan.b.emin();
    auto largest = policy::lowest_exponent(a, plan);
    addends.append(products.size(), [&](std::size_t i) {
      const auto x = in.a(products[i]), y = in.b(products[i]);
      Addend<A> product{a.differ(x.negative, y.negative), a.truth(false), a.add(x.exponent, y.exponent),
                        a.shift_left(a.multiply(x.significand, y.significand), up)};
      if constexpr (requires(Node node) { node.kinds; })
        product.zero = a.no(a.at_least(product.exponent, smallest));
      largest = a.maximum(largest, product.exponent);
      return product;
    });
    seen.all_zero = a.all(seen.all_zero, a.no(a.at_least(largest, smallest)));
    seen.largest_exponent = a.maximum(seen.largest_exponent, largest);
    join_specials(a, in, products, seen);
    return seen;
  }
  template <class A, class Operands, class Products>
  static constexpr void join_specials(const A& a, const Operands& in, const Products& products,
                                      Gathered<A>& seen) {
    MMAPRINT_KEEP_LOOP
    for (std::size_t i = in.next_special(products, 0); i < products.size();
         i = in.next_special(products, i + 1)) {
      const auto x = in.a(products[i]), y = in.b(products[i]);
      join_special(a, seen, a.differ(x.negative, y.negative),
                   product_is_nan(a, x, y, a.is_zero(x.significand), a.is_zero(y.significand)),
                   a.any(x.infinite, y.infinite));
    }
  }
};

}  // namespace mmaprint
