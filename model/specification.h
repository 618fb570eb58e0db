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
#include "model/conversion.h"
#include "model/inlining.h"
#include "model/integer_specification.h"
#include "model/operand.h"
#include "model/plan.h"
#include "model/policies.h"

namespace mmaprint {

template <class L>
struct Specification {
  // ---- Operands.

  /// Turns a subnormal into a zero of its sign where parameter P says so.
  template <Parameter P, class A>
  static constexpr void flush_subnormal(const A& a, const FormatInfo& f, Operand<A>& x) {
    if (f.is_integer()) return;
    const auto subnormal = policy::is_subnormal(a, f, x);
    if (!L::can_hold(a, subnormal)) return;
    const auto gone = a.template select<P>(0, [&](Subnormals treatment) {
      return treatment == Subnormals::flushed ? subnormal : a.truth(false);
    });
    x.significand = a.mux(gone, a.word(f.precision(), 0), x.significand);
  }

  /// The operand that a bit pattern stands for, converted to format f, with subnormals treated as parameter P
  /// says.
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
    return {x.negative, zero, a.mux(zero, policy::exponent_of_zero(a, plan), x.exponent),
            a.shift_left(x.significand, plan.addend_fraction_bits() - f.fraction_bits)};
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
    const auto exponent = a.mux(zero, policy::exponent_of_zero(a, plan), a.add(x.exponent, y.exponent));
    const auto as_kind = [&](ProductKind kind) {
      return policy::product_as(a, plan, kind, zero, exponent, exact);
    };
    const auto [aligned_exponent, aligned] = as_parameter
                                                 ? a.template select<Parameter::product>(adder, as_kind)
                                                 : as_kind(ProductKind::exact_unnormalised);
    const Addend<A> value{a.differ(x.negative, y.negative), zero, aligned_exponent,
                          a.shift_left(aligned, plan.addend_fraction_bits() - plan.product_fraction_bits())};
    if (!L::can_hold(a, a.any(x.nan, x.infinite, y.nan, y.infinite)))
      return {value, a.truth(false), a.truth(false)};
    return {value, a.any(x.nan, y.nan, a.all(x.infinite, zero_y), a.all(y.infinite, zero_x)),
            a.any(x.infinite, y.infinite)};
  }

  /// Appends products to a node's addends and gives what is seen with them. Not inlined: the busiest loop of
  /// all is to have the registers for itself.
  template <class A, class Node, class Operands, class Products, class Addends>
  MMAPRINT_OUT_OF_LINE static constexpr Gathered<A> append_products(const A& a, const PlanWidths& plan,
                                                                    const Node& node, const Operands& in,
                                                                    const Products& products,
                                                                    Addends& addends, Gathered<A> seen) {
    const bool as_parameter = L::product_exponent_matters(a, plan, NodeShape(plan, node));
    addends.append(products.size(), [&](std::size_t i) {
      const auto p = multiply(a, plan, node.adder, in.a(products[i]), in.b(products[i]), as_parameter);
      join(a, seen, p.value, p.nan, p.infinite);
      return p.value;
    });
    return seen;
  }

  // ---- 2. Specials.

  template <class A>
  static constexpr void join(const A& a, Gathered<A>& seen, const Addend<A>& x, typename A::Bool is_nan,
                             typename A::Bool is_infinite) {
    seen.all_zero = a.all(seen.all_zero, x.zero);
    seen.largest_exponent = a.maximum(seen.largest_exponent, x.exponent);
    if (!L::can_hold(a, a.any(is_nan, is_infinite))) return;
    seen.nan = a.any(seen.nan, is_nan);
    seen.positive_infinity = a.any(seen.positive_infinity, a.all(is_infinite, a.no(x.negative)));
    seen.negative_infinity = a.any(seen.negative_infinity, a.all(is_infinite, x.negative));
  }

  /// A node's addends, and what is seen with them.
  template <class A, class Node, class Operands, class Results, class Addends>
  MMAPRINT_INLINE static constexpr Gathered<A> gather(const A& a, const PlanWidths& plan, const Node& node,
                                                      const Operands& in, const Results& results,
                                                      Addends& addends) {
    Gathered<A> seen{a.truth(false), a.truth(false), a.truth(false), a.truth(true),
                     policy::exponent_of_zero(a, plan)};
    const auto add = [&](const FormatInfo& format, const Operand<A>& x) {
      const auto addend = addend_of(a, plan, format, x);
      join(a, seen, addend, x.nan, x.infinite);
      addends.push_back(addend);
    };
    node.visit(
        plan,
        [&](const auto& products) { seen = append_products(a, plan, node, in, products, addends, seen); },
        [&](std::size_t earlier, const FormatInfo& format) { add(format, results[earlier]); },
        [&] { add(plan.c, in.c()); }, [&] { add(plan.d, zero(a, plan.d, a.truth(false))); });
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
      return finite_sum(a, plan, shape, addends.all(), seen.all_zero, seen.largest_exponent, settled,
                        inexact);
    });
  }

  // ---- 3. Zeros, and 6. Cancellation.

  template <class A>
  static constexpr Operand<A> zero(const A& a, const FormatInfo& d, typename A::Bool negative) {
    return {negative, a.truth(false), a.truth(false), a.integer(d.emin()), a.word(d.precision(), 0)};
  }

  /// The result of all addends being zeros.
  template <class A, std::size_t N>
  static constexpr Operand<A> zero_result(const A& a, const NodeShape& node,
                                          std::span<const Addend<A>, N> addends) {
    auto all_negative = a.truth(true);
    auto any_negative = a.truth(false);
    for (const auto& x : addends) {
      all_negative = a.all(all_negative, x.negative);
      any_negative = a.any(any_negative, x.negative);
    }
    const auto ieee = a.template select<Parameter::block_rounding>(
        node.adder, [&](Rounding mode) { return mode == Rounding::down ? any_negative : all_negative; });
    return zero(a, node.result, a.template select<Parameter::zero_all_zero>(node.adder, [&](ZeroSign sign) {
      return sign == ZeroSign::follow ? ieee : a.truth(false);
    }));
  }

  /// The result of addends that cancel.
  template <class A>
  static constexpr Operand<A> cancelled_result(const A& a, const NodeShape& node) {
    const auto down = a.template select<Parameter::block_rounding>(
        node.adder, [&](Rounding mode) { return a.truth(mode == Rounding::down); });
    return zero(a, node.result, a.template select<Parameter::zero_cancelled>(node.adder, [&](ZeroSign sign) {
      return sign == ZeroSign::follow ? down : a.truth(false);
    }));
  }

  // ---- 4. Alignment, and 5. Sum.

  /// The finite sum of a node's addends; `largest` is their largest exponent. Gives settled(result) where
  /// that is a zero, inexact(sum) where it still has to be rounded.
  template <class A, std::size_t N, class Settled, class Inexact>
  static constexpr auto finite_sum(const A& a, const PlanWidths& plan, const NodeShape& node,
                                   std::span<const Addend<A>, N> addends, typename A::Bool all_zero,
                                   typename A::Int largest, Settled&& settled, Inexact&& inexact) {
    const auto add = [&] {
      const auto clamped = a.template select_exponent<Parameter::minimum_alignment_exponent>(
          node.adder, [&](const typename A::Int& clamp) { return a.maximum(largest, clamp); });
      return L::with_fraction_bits(a, plan, node, addends, clamped, [&](std::optional<int> f) {
        const auto to = L::alignment(a, plan, node, f, largest, clamped);
        return L::template add<Specification>(a, plan, node, addends, to, settled, inexact);
      });
    };
    return a.choose(
        all_zero, [&] { return settled(zero_result(a, node, addends)); }, add);
  }

  /// Aligns in `words` and adds in `wide` (plainly: both are `a`).
  template <class A, class Words, class Wide, std::size_t N, class To, class Settled, class Inexact>
  MMAPRINT_INLINE static constexpr auto align_and_add(const A& a, const Words& words, const Wide& wide,
                                                      const PlanWidths& plan, const NodeShape& node,
                                                      std::span<const Addend<Words>, N> addends, const To& to,
                                                      Settled&& settled, Inexact&& inexact) {
    RowOf<typename Words::Word, N> aligned(addends.size());
    L::align(words, plan, node.adder, addends, to, aligned);
    const auto sum = aligned_sum<Wide, Words>(wide, plan, node.adder, aligned.all(), addends, to);
    MMAPRINT_ENSURES(sum_fits(wide, sum, to.width - 1));
    const auto magnitude = wide.magnitude(sum);
    return a.choose(
        wide.is_zero(magnitude), [&] { return settled(cancelled_result(a, node)); },
        [&] { return inexact(L::unrounded(a, wide, plan, node, wide.is_negative(sum), magnitude, to)); });
  }

  /// The sum of aligned addends: all at once and wrapped once, or one after the other. Partial sums are
  /// wrapped first, and only then lose bits; the first operand, as it is, does not.
  template <class A, class Words, std::size_t N, class To>
  MMAPRINT_INLINE static constexpr typename A::Sum aligned_sum(
      const A& a, const PlanWidths& plan, int adder, std::span<const typename Words::Word, N> aligned,
      std::span<const Addend<Words>, N> addends, const To& to) {
    const auto late = [&] {
      auto sum = a.zero_sum(to.width);
      for (std::size_t i = 0; i < aligned.size(); ++i)
        sum = a.add_signed(sum, aligned[i], addends[i].negative);
      return L::wrapped(a, plan, adder, sum, to);
    };
    const auto immediate = [&] {
      auto sum = a.zero_sum(to.width);
      for (std::size_t i = 0; i < aligned.size(); ++i) {
        sum = a.add_signed(sum, aligned[i], addends[i].negative);
        MMAPRINT_ENSURES(sum_fits(a, sum, to.width - 1));
        if (i > 0) sum = L::normalised(a, plan, adder, L::wrapped(a, plan, adder, sum, to), to);
      }
      return sum;
    };
    return L::template with_normalisation<Words>(a, adder, aligned, addends, to, [&](Normalisation kind) {
      return kind == Normalisation::late ? late() : immediate();
    });
  }

  // ---- 7. Rounding, 8. Overflow, and 9. Underflow.

  /// The result of a nonzero sum.
  template <class A, class Sum>
  MMAPRINT_INLINE static constexpr Operand<A> round_result(const A& a, const FormatInfo& d, int adder,
                                                           const Sum& sum) {
    const int p = d.precision();
    const Rounded<A> rounded = L::rounded(a, d, adder, sum);
    MMAPRINT_ENSURES(fits(a, rounded.significand, p) && holds(a, a.at_least(rounded.exponent, d.emin())));
    MMAPRINT_ENSURES(
        holds(a, a.any(a.bit(rounded.significand, p - 1), a.equals(rounded.exponent, d.emin()))));
    const auto& negative = rounded.negative;
    const auto& significand = rounded.significand;
    const auto overflowed = policy::overflows(a, d, rounded);
    Operand<A> result{negative, a.truth(false), overflowed,
                      a.mux(overflowed, a.integer(d.emax()), rounded.exponent), significand};
    if (L::can_hold(a, overflowed)) {
      // Evaluation by need reads the direction of rounding only where overflow follows it.
      const auto directed = a.template select<Parameter::overflow>(
          adder, [&](Overflow kind) { return a.truth(kind == Overflow::by_direction); });
      auto saturated = a.template select<Parameter::overflow>(
          adder, [&](Overflow kind) { return kind == Overflow::saturate ? overflowed : a.truth(false); });
      if (L::can_hold(a, directed)) {
        const auto finite = a.template select<Parameter::block_rounding>(
            adder, [&](Rounding mode) { return policy::overflow_stays_finite(a, mode, negative); });
        saturated = a.any(saturated, a.all(overflowed, directed, finite));
      }
      const auto largest = a.template select<Parameter::output_fraction_bits>(adder, [&](int f) {
        const std::uint64_t all_ones = ((2ULL << f) - 1) << (p - 1 - f);
        return a.mux(saturated, a.word(p, std::min(all_ones, d.largest_significand())), a.word(p, 0));
      });
      result.infinite = a.all(overflowed, a.no(saturated));
      result.significand = a.mux(overflowed, largest, significand);
    }

    const auto vanished = a.all(a.is_zero(significand), a.no(overflowed));
    if (L::can_hold(a, vanished))
      result.negative = a.template select<Parameter::zero_rounded>(adder, [&](ZeroSign sign) {
        return sign == ZeroSign::follow ? negative : a.all(negative, a.no(vanished));
      });
    const auto flushable = policy::is_flushable(a, d, result, vanished, overflowed);
    if (!L::can_hold(a, flushable)) return result;
    const auto flushed = a.template select<Parameter::output_subnormals>(
        adder, [&](Subnormals kind) { return kind == Subnormals::flushed ? flushable : a.truth(false); });
    const auto signed_before = result.negative;
    result.negative = a.template select<Parameter::zero_flushed>(adder, [&](ZeroSign sign) {
      return sign == ZeroSign::follow ? signed_before : a.all(signed_before, a.no(flushed));
    });
    result.significand = a.mux(flushed, a.word(p, 0), result.significand);
    return result;
  }

  // ---- The tree.

  /// The result of one node, given those of the nodes before it.
  template <class A, class Node, class Operands, class Results>
  static constexpr Operand<A> node_result(const A& a, const PlanWidths& plan, const Node& node,
                                          const Operands& in, const Results& results) {
    return node_sum(
        a, plan, node, in, results, [](const Operand<A>& x) { return x; },
        [&](const auto& sum) { return round_result(a, node.result_of(plan), node.adder, sum); });
  }

  /// Evaluates a plan on operands.
  template <class A, class AnyPlan, class Operands>
  static constexpr DotResult<A> dot(const A& a, const AnyPlan& plan, const Operands& in) {
    if constexpr (requires { plan.integers; })
      if (plan.d.is_integer()) return {a.truth(false), L::integer_dot(a, plan, in)};
    typename AnyPlan::template Results<Operand<A>> results(plan.nodes.size());
    for (const auto& node : plan.nodes) results.push_back(node_result(a, plan, node, in, results));
    const Operand<A>& root = results[results.size() - 1];
    return {root.nan, encode(a, plan.d, root)};
  }
};

}  // namespace mmaprint
