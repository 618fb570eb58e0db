// Step 4 of the specification in fixed point: which bits addends lose, and losing them.
#pragma once

#include "model/fixed_point.h"

namespace mmaprint {

struct PlainAlignment : FixedPoint {
  /// fn(F).
  template <class A, std::size_t N, class Fn>
  static constexpr auto with_fraction_bits(const A& a, const PlanWidths& /*plan*/, const NodeShape& node,
                                           std::span<const Addend<A>, N> /*addends*/,
                                           const typename A::Int& /*clamped*/, Fn&& fn) {
    return a.template select<Parameter::alignment_fraction_bits>(node.adder, fn);
  }
  /// E is the addends' largest exponent and at least the clamp.
  template <class A>
  static constexpr Alignment<A> alignment(const A& a, const PlanWidths& plan, const NodeShape& node,
                                          std::optional<int> f, const typename A::Int& /*largest*/,
                                          const typename A::Int& clamped) {
    return aligned_to(a, plan, node, clamped, f ? Loss::by_parameter : Loss::none, f.value_or(0));
  }
  /// fn(F of each kind of operands), where they may differ; `f` is the node's.
  template <class A, std::size_t N, class Fn>
  static constexpr auto with_own_fraction_bits(const A& a, const PlanWidths& /*plan*/, const NodeShape& node,
                                               std::span<const Addend<A>, N> /*addends*/,
                                               const typename A::Int& /*clamped*/, std::optional<int> f,
                                               Fn&& fn) {
    return a.template select<Parameter::carried_fraction_bits>(node.adder, [&](std::optional<int> carried) {
      return a.template select<Parameter::c_fraction_bits>(
          node.adder, [&](std::optional<int> c) { return fn(policy::fraction_bits(node, f, carried, c)); });
    });
  }
  template <class A>
  static constexpr Alignment<A> alignment_by_kind(const A& a, const PlanWidths& plan, const NodeShape& node,
                                                  const FractionBits& own, const typename A::Int& clamped) {
    const auto largest = own.largest();
    auto to =
        aligned_to(a, plan, node, clamped, largest ? Loss::by_parameter : Loss::none, largest.value_or(0));
    to.by_kind = own;
    return to;
  }
  template <class A>
  static constexpr Alignment<A> aligned_to(const A& /*a*/, const PlanWidths& plan, const NodeShape& node,
                                           const typename A::Int& exponent, Loss loss, int kept) {
    return {exponent, loss, kept, width(plan, node)};
  }
  /// Addends become multiples of 2^(E-F), of their kind's F and by its rounding.
  template <class A, std::size_t N, class Aligned>
  static constexpr void align(const A& a, const PlanWidths& plan, const NodeShape& node,
                              std::span<const Addend<A>, N> addends, const Alignment<A>& to,
                              Aligned& aligned) {
    aligned.append(addends.size(), [&](std::size_t i) {
      const auto& x = addends[i];
      const auto exact =
          scaled(a, x.significand, a.subtract(x.exponent, a.integer(plan.lowest_exponent())), to.width);
      const auto rounded = [&](int f, AlignmentRounding mode) {
        const auto last = a.maximum(a.subtract(to.exponent, a.integer(f + unit(plan))), a.integer(0));
        return multiple(a, exact, last, to.width, [&](const auto& kept, const auto& half, const auto& rest) {
          return policy::rounds_up(a, policy::rounding_of(mode), x.negative, kept, half, rest);
        });
      };
      if (to.by_kind) return aligned_by_kind(a, plan, node, node.kinds[i], x, to, exact, rounded);
      if (to.loss == Loss::none) return exact;
      if (to.loss == Loss::sticky) return rounded(to.kept, AlignmentRounding::sticky);
      return a.template select<Parameter::alignment_rounding>(
          node.adder, [&](AlignmentRounding mode) { return rounded(to.kept, mode); });
    });
  }
  template <class A, class Rounded>
  static constexpr typename A::Word aligned_by_kind(const A& a, const PlanWidths& /*plan*/,
                                                    const NodeShape& node, OperandKind kind,
                                                    const Addend<A>& x, const Alignment<A>& to,
                                                    const typename A::Word& exact, Rounded&& rounded) {
    const auto f = to.by_kind->of(kind);
    const auto by = [&](OwnAlignmentRounding own) {
      return a.template select<Parameter::alignment_rounding>(node.adder, [&](AlignmentRounding mode) {
        return f ? rounded(*f, policy::alignment_rounding(own, mode)) : exact;
      });
    };
    if (kind == OperandKind::product) return by(OwnAlignmentRounding::as_others);
    if (kind == OperandKind::carried)
      return a.template select<Parameter::carried_alignment_rounding>(node.adder, by);
    const auto value = a.template select<Parameter::c_alignment_rounding>(node.adder, by);
    return a.template select<Parameter::c_dropped_below>(node.adder, [&](std::optional<int> t) {
      return t ? a.mux(policy::is_dropped(a, x, to.exponent, *t), a.word(to.width, 0), value) : value;
    });
  }
};

}  // namespace mmaprint
