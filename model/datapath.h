// The datapath of a whole unit: decode, multiply, one adder node after the other, encode. The one definition
// of what a unit computes; instances are the algebras (concrete words, evaluation by need, formulas).
#pragma once

#include "model/adder_node.h"
#include "model/integer_sum.h"

namespace mmaprint {

/// d, or the fact that it is NaN (which pattern stands for NaN is not the datapath's business).
template <class A>
struct DotResult {
  typename A::Bool nan;
  typename A::Word pattern;
};

/// What a node's operands amount to before they are added.
template <class A>
struct Gathered {
  typename A::Bool nan, positive_infinity, negative_infinity, all_zero;
  typename A::Int largest_exponent;

  constexpr void join(const A& a, const Addend<A>& x, typename A::Bool is_nan, typename A::Bool is_infinite) {
    all_zero = a.all(all_zero, x.zero);
    largest_exponent = a.maximum(largest_exponent, x.exponent);
    if (a.known(a.any(is_nan, is_infinite)) == std::optional(false)) return;
    nan = a.any(nan, is_nan);
    positive_infinity = a.any(positive_infinity, a.all(is_infinite, a.no(x.negative)));
    negative_infinity = a.any(negative_infinity, a.all(is_infinite, x.negative));
  }
};

/// The operands of one input, decoded from their patterns where the datapath asks for them.
template <class A>
class PatternOperands {
 public:
  PatternOperands(const A& algebra, const PlanWidths& plan, std::span<const typename A::Word> a,
                  std::span<const typename A::Word> b, typename A::Word c)
      : algebra_(&algebra), plan_(&plan), a_(a), b_(b), c_(std::move(c)) {}

  [[nodiscard]] Operand<A> a(std::size_t k) const {
    return read_operand<Parameter::input_subnormals>(*algebra_, plan_->a, a_[k]);
  }
  [[nodiscard]] Operand<A> b(std::size_t k) const {
    return read_operand<Parameter::input_subnormals>(*algebra_, plan_->b, b_[k]);
  }
  [[nodiscard]] Operand<A> c() const {
    return read_operand<Parameter::c_subnormals>(*algebra_, plan_->c, c_);
  }

 private:
  const A* algebra_;
  const PlanWidths* plan_;
  std::span<const typename A::Word> a_, b_;
  typename A::Word c_;
};

/// Does the exponent that a product is aligned by matter at this node? Not where every sum rounds as the
/// exact one.
template <class A, class Node>
constexpr bool product_exponent_matters(const A& a, const PlanWidths& plan, const Node& node) {
  return !a.template always<Parameter::alignment_fraction_bits>(node.adder, [&](std::optional<int> f) {
    return rounds_as_exact(a, plan, node.adder, f, static_cast<int>(node.operands), node.products, node.bits);
  });
}

/// Appends products to a node's addends and gives what is seen with them. Not inlined: the busiest loop of
/// all is to have the registers for itself.
template <class A, class Node, class Operands, class Products, class Addends>
MMAPRINT_OUT_OF_LINE constexpr Gathered<A> append_products(const A& a, const PlanWidths& plan,
                                                           const Node& node, const Operands& in,
                                                           const Products& products, Addends& addends,
                                                           Gathered<A> seen) {
  const bool matters = product_exponent_matters(a, plan, node);
  addends.append(products.size(), [&](std::size_t i) {
    const auto p = multiply(a, plan, node.adder, in.a(products[i]), in.b(products[i]), matters);
    seen.join(a, p.value, p.nan, p.infinite);
    return p.value;
  });
  return seen;
}

/// A node's addends, and what is seen with them.
template <class A, class Node, class Operands, class Results, class Addends>
[[gnu::always_inline]] constexpr Gathered<A> gather(const A& a, const PlanWidths& plan, const Node& node,
                                                    const Operands& in, const Results& results,
                                                    Addends& addends) {
  Gathered<A> seen{a.truth(false), a.truth(false), a.truth(false), a.truth(true),
                   a.integer(plan.lowest_exponent())};
  const auto join = [&](const FormatInfo& format, const Operand<A>& x) {
    const auto addend = addend_of(a, plan, format, x);
    seen.join(a, addend, x.nan, x.infinite);
    addends.push_back(addend);
  };
  node.visit(
      [&](const auto& products) { seen = append_products(a, plan, node, in, products, addends, seen); },
      [&](std::size_t earlier) { join(plan.d, results[earlier]); }, [&] { join(plan.c, in.c()); },
      [&] {
        join(plan.d, {a.truth(false), a.truth(false), a.truth(false), a.integer(plan.d.emin()),
                      a.word(plan.d.precision(), 0)});
      });
  return seen;
}

/// The sum of one node, given the results of the nodes before it. `in` gives the operands, as PatternOperands
/// does. Gives settled(result) where there is nothing to round, inexact(sum) elsewhere.
template <class A, class Node, class Operands, class Results, class Settled, class Inexact>
constexpr auto node_sum(const A& a, const PlanWidths& plan, const Node& node, const Operands& in,
                        const Results& results, Settled&& settled, Inexact&& inexact) {
  typename Node::template Operands<Addend<A>> addends(node.operands);
  const auto seen = gather(a, plan, node, in, results, addends);
  const auto nan = a.any(seen.nan, a.all(seen.positive_infinity, seen.negative_infinity));
  const auto special = a.any(nan, seen.positive_infinity, seen.negative_infinity);
  const auto passed_on = [&] {
    return settled(Operand<A>{seen.negative_infinity, nan, a.no(nan), a.integer(plan.d.emax()),
                              a.word(plan.d.precision(), 1ULL << plan.d.fraction_bits)});
  };
  return a.choose(special, passed_on, [&] {
    return add_finite(a, plan, node.adder, addends.all(), node.products, node.bits, seen.all_zero,
                      seen.largest_exponent, settled, inexact);
  });
}

/// The result of one node, given those of the nodes before it.
template <class A, class Node, class Operands, class Results>
constexpr Operand<A> node_result(const A& a, const PlanWidths& plan, const Node& node, const Operands& in,
                                 const Results& results) {
  return node_sum(
      a, plan, node, in, results, [](const Operand<A>& x) { return x; },
      [&](const Unrounded<A>& sum) { return round_result(a, plan.d, node.adder, sum); });
}

/// Evaluates a plan on operands.
template <class A, class AnyPlan, class Operands>
constexpr DotResult<A> dot(const A& a, const AnyPlan& plan, const Operands& in) {
  if constexpr (requires { plan.integers; })
    if (plan.d.is_integer()) return {a.truth(false), integer_dot(a, plan, in)};
  typename AnyPlan::template Results<Operand<A>> results(plan.nodes.size());
  for (const auto& node : plan.nodes) results.push_back(node_result(a, plan, node, in, results));
  const Operand<A>& root = results[results.size() - 1];
  return {root.nan, encode(a, plan.d, root)};
}

/// Evaluates a plan on bit patterns a[0..K), b[0..K) and c, given as words of the algebra.
template <class A>
DotResult<A> dot(const A& a, const Plan& plan, std::span<const typename A::Word> pa,
                 std::span<const typename A::Word> pb, const typename A::Word& pc) {
  return dot(a, plan, PatternOperands<A>(a, plan, pa, pb, pc));
}

}  // namespace mmaprint
