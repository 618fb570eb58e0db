// What a unit computes: the definition. docs/semantics.md says the same in words; steps have its numbers.
//
// Generic over an algebra A (docs/algebra.md): what words and truth values are, and where parameters come
// from. And over a lowering L: how a step is carried out. PlainLowering (model/plain_lowering.h) does what
// the text says, in one fixed-point word over the whole range of exponents. All others are this one with
// steps replaced, each by a layer that says what it claims (model/lowering/); model/datapath.h puts them
// together.
#pragma once

#include <span>
#include <utility>

#include "model/checks.h"
#include "model/inlining.h"
#include "model/integer_specification.h"
#include "model/operand.h"
#include "model/plan.h"
#include "model/policies.h"
#include "model/specification_operands.h"
#include "model/specification_rounding.h"
#include "model/specification_scales.h"
#include "model/specification_sum.h"
#include "model/specification_zeros.h"

namespace mmaprint {

/// Results of nodes among which carried sums are, by the nodes' indices.
template <class Results>
concept HasCarriedSums = requires(const Results& results) { results.carried(std::size_t{0}); };

template <class L>
struct Specification : OperandSteps<L>, ScaleSteps, SumSteps<L>, RoundingSteps<L> {
  // ---- 2. Specials.

  /// A node's addends, and what is seen with them.
  template <class A, class Node, class Operands, class Results, class Addends>
  MMAPRINT_INLINE static constexpr Gathered<A> gather(const A& a, const PlanWidths& plan, const Node& node,
                                                      const Operands& in, const Results& results,
                                                      Addends& addends) {
    Gathered<A> seen{a.truth(false),
                     a.truth(false),
                     a.truth(false),
                     a.truth(true),
                     policy::lowest_exponent(a, plan),
                     {a.truth(false), a.integer(kNoClamp), a.integer(kNoClamp)}};
    const auto add = [&](const FormatInfo& format, const Operand<A>& x) {
      const auto addend = OperandSteps<L>::addend_of(a, plan, format, x);
      OperandSteps<L>::join(a, seen, addend, x.nan, x.infinite);
      seen.zeros.any = a.any(seen.zeros.any, addend.zero);
      addends.push_back(addend);
    };
    node.visit(
        plan,
        [&](const auto& products) {
          seen = OperandSteps<L>::append_products(a, plan, node, in, products, addends, seen);
        },
        [&](std::size_t earlier, const FormatInfo& format) { add(format, results[earlier]); },
        [&](std::size_t index, const auto& carried) {
          const auto x = carried_operand(a, plan, index, carried, in, results);
          OperandSteps<L>::join(a, seen, x.value, x.nan, x.infinite);
          seen.zeros.any = a.any(seen.zeros.any, x.of_zeros);
          addends.push_back(x.value);
        },
        [&] { add(plan.c, in.c()); },
        [&](ZeroOperand kind) {
          add(plan.d, zero(a, plan.d, a.truth(false)));
          if (kind == ZeroOperand::product)
            seen.zeros.twice_zero = a.maximum(seen.zeros.twice_zero, a.integer(0));
        });
    return seen;
  }

  /// The sum of one node, given the results of the nodes before it. `in` gives the operands, as
  /// PatternOperands does. Gives settled(result) where there is nothing to round, inexact(sum) elsewhere.
  template <class A, class Node, class Operands, class Results, class Settled, class Inexact>
  static constexpr auto node_sum(const A& a, const PlanWidths& plan, const Node& node, const Operands& in,
                                 const Results& results, Settled&& settled, Inexact&& inexact) {
    typename Node::template Operands<Addend<A>> addends(node.operands);
    const auto seen = gather(a, plan, node, in, results, addends);
    const auto nan = a.any(seen.nan, a.all(seen.positive_infinity, seen.negative_infinity));
    const auto special = a.any(nan, seen.positive_infinity, seen.negative_infinity);
    const NodeShape shape(plan, node);
    const auto passed_on = [&] {
      const FormatInfo& f = shape.result;
      return settled(Operand<A>{seen.negative_infinity, nan, a.no(nan), a.integer(f.emax()),
                                a.word(f.precision(), 1ULL << f.fraction_bits)});
    };
    return a.choose(special, passed_on, [&] {
      // By value, as nvcc keeps on the stack what is captured by reference: GPUs would be four times slower.
      return finite_sum(
          a, plan, shape, addends.all(), seen, [&] { return settled(zero_result(a, shape, addends.all())); },
          [&a, shape, settled](const auto& /*to*/) { return settled(cancelled_result(a, shape)); },
          [&a, &plan, shape, inexact](const auto& wide, const auto& negative, const auto& magnitude,
                                      const auto& to) {
            return inexact(L::unrounded(a, wide, plan, shape, negative, magnitude, to));
          });
    });
  }

  /// A carried sum that a node adds: it is evaluated with the node, unless the results have it.
  template <class A, class Node, class Operands, class Results>
  static constexpr CarriedSum<A> carried_operand(const A& a, const PlanWidths& plan, std::size_t index,
                                                 const Node& node, const Operands& in,
                                                 const Results& results) {
    if constexpr (HasCarriedSums<Results>)
      return results.carried(index);
    else
      return carried_on(a, plan, node, in, results);
  }
  /// Scaled or not.
  template <class A, class Node, class Operands, class Results>
  static constexpr CarriedSum<A> carried_on(const A& a, const PlanWidths& plan, const Node& node,
                                            const Operands& in, const Results& results) {
    if constexpr (HasScales<Operands>)
      if (node.is_scaled) return scaled_sum(a, plan, node, in);
    return carried_sum(a, plan, node, in, results);
  }

  /// The sum of a node as it is carried on, with the E that it was aligned to.
  template <class A, class Node, class Operands, class Results>
  static constexpr CarriedSum<A> carried_sum(const A& a, const PlanWidths& plan, const Node& node,
                                             const Operands& in, const Results& results) {
    typename Node::template Operands<Addend<A>> addends(node.operands);
    const auto seen = gather(a, plan, node, in, results, addends);
    const auto nan = a.any(seen.nan, a.all(seen.positive_infinity, seen.negative_infinity));
    const auto infinite = a.all(a.any(seen.positive_infinity, seen.negative_infinity), a.no(nan));
    const NodeShape shape(plan, node);
    const auto lowest = policy::lowest_exponent(a, plan);
    const auto zero_of = [&](const Operand<A>& x, const typename A::Int& exponent, bool of_zeros) {
      return CarriedSum<A>{{x.negative, a.truth(true), exponent, a.word(plan.addend_width(), 0)},
                           a.truth(of_zeros),
                           nan,
                           infinite};
    };
    return a.choose(
        a.any(nan, infinite), [&] { return zero_of(zero(a, plan.d, seen.negative_infinity), lowest, false); },
        [&] {
          return finite_sum(
              a, plan, shape, addends.all(), seen,
              [&] { return zero_of(zero_result(a, shape, addends.all()), lowest, true); },
              [&](const auto& to) { return zero_of(cancelled_result(a, shape), to.exponent, false); },
              [&](const auto& wide, const auto& negative, const auto& magnitude, const auto& to) {
                return CarriedSum<A>{L::carried(a, wide, plan, negative, magnitude, to), a.truth(false), nan,
                                     infinite};
              });
        });
  }

  // ---- 4. Alignment.

  /// The finite sum of a node's addends, with what was seen of them. Gives on_zeros() where all are zeros,
  /// on_cancelled(alignment) where they cancel, on_sum(words, is negative, magnitude, alignment) elsewhere.
  template <class A, std::size_t N, class OnZeros, class OnCancelled, class OnSum>
  static constexpr auto finite_sum(const A& a, const PlanWidths& plan, const NodeShape& node,
                                   std::span<const Addend<A>, N> addends, const Gathered<A>& seen,
                                   OnZeros&& on_zeros, OnCancelled&& on_cancelled, OnSum&& on_sum) {
    const auto add = [&] {
      const auto largest = largest_exponent(a, plan, node, seen);
      const auto clamped = a.template select_exponent<Parameter::minimum_alignment_exponent>(
          node.adder, [&](const typename A::Int& clamp) { return a.maximum(largest, clamp); });
      return L::with_fraction_bits(a, plan, node, addends, clamped, [&](std::optional<int> f) {
        if (policy::aligned_alike(a, node)) {
          const auto to = L::alignment(a, plan, node, f, largest, clamped);
          return L::template add<Specification>(a, plan, node, addends, to, on_cancelled, on_sum);
        }
        return L::with_own_fraction_bits(a, plan, node, addends, clamped, f, [&](const FractionBits& own) {
          const auto to = L::alignment_by_kind(a, plan, node, own, clamped);
          const auto nothing_left = [&](const auto& aligned) {
            return a.choose(all_zero_or_dropped(a, node, addends, aligned.exponent), on_zeros,
                            [&] { return on_cancelled(aligned); });
          };
          return L::template add<Specification>(a, plan, node, addends, to, nothing_left, on_sum);
        });
      });
    };
    return a.choose(seen.all_zero, on_zeros, add);
  }

  /// E, but for the clamp. The zeros are asked about together, and only here: most often they have no say.
  template <class A>
  MMAPRINT_INLINE static constexpr typename A::Int largest_exponent(const A& a, const PlanWidths& plan,
                                                                    const NodeShape& node,
                                                                    const Gathered<A>& seen) {
    if (OperandSteps<L>::zeros_are_left_out(a, node.adder)) return seen.largest_exponent;
    return a.template select<Parameter::zero_addends>(node.adder, [&](ZeroAddends rule) {
      return a.maximum(seen.largest_exponent, OperandSteps<L>::exponent_of_zeros(a, plan, seen.zeros, rule));
    });
  }

  // ---- The tree.

  /// The result of one node, given those of the nodes before it.
  template <class A, class Node, class Operands, class Results>
  static constexpr Operand<A> node_result(const A& a, const PlanWidths& plan, const Node& node,
                                          const Operands& in, const Results& results) {
    return node_sum(
        a, plan, node, in, results, [](const Operand<A>& x) { return x; },
        [&](const auto& sum) {
          return RoundingSteps<L>::round_result(a, node.result_of(plan), node.adder, sum);
        });
  }

  template <class Node>
  static constexpr bool is_carried(const Node& node) {
    if constexpr (requires { node.is_carried; })
      return node.is_carried;
    else
      return false;
  }

  /// The results of a plan's nodes, in their order.
  template <class A, class AnyPlan, class Operands, class Results>
  static constexpr void node_results(const A& a, const AnyPlan& plan, const Operands& in, Results& results) {
    for (const auto& node : plan.nodes) {
      if (!is_carried(node))
        results.push_back(node_result(a, plan, node, in, results));
      else if constexpr (HasCarriedSums<Results>)
        results.push_back(carried_on(a, plan, node, in, results));
      else  // the node that it joins works it out
        results.push_back(zero(a, plan.d, a.truth(false)));
    }
  }

  /// Evaluates a plan on operands.
  template <class A, class AnyPlan, class Operands>
  static constexpr DotResult<A> dot(const A& a, const AnyPlan& plan, const Operands& in) {
    if constexpr (requires { plan.integers; })
      if (plan.d.is_integer()) return {a.truth(false), L::integer_dot(a, plan, in)};
    typename AnyPlan::template Results<Operand<A>> results(plan.nodes.size());
    node_results(a, plan, in, results);
    const Operand<A>& root = results[results.size() - 1];
    return {root.nan, encode(a, plan.d, root)};
  }
};

}  // namespace mmaprint
