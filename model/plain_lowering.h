// The specification's steps as its text says, in fixed point: every finite value of a node is an integer
// multiple of 2^unit, in words wide enough for the whole range of exponents. Slow, and meant to be read.
// Tests compare every layer (model/lowering/) with it. Generic over an algebra.
#pragma once

#include "model/specification.h"

namespace mmaprint {

/// ±magnitude·2^unit, exact and not zero. The magnitude is below 2^width.
template <class A>
struct ExactSum {
  typename A::Bool negative;
  typename A::Word magnitude;
  int unit, width;
};

/// x·2^t, or its whole part for a negative t. Requires that it is below 2^width.
template <class A>
constexpr typename A::Word scaled(const A& a, const typename A::Word& x, const typename A::Int& t,
                                  int width) {
  MMAPRINT_EXPECTS(word_bits(a) >= 2 * width);
  const auto back = a.maximum(a.subtract(a.integer(width), t), a.integer(0));
  return a.slice(a.shift_right(a.shift_left(x, width), back), 0, width);
}

/// The multiple of 2^t next to x, t >= 0: the one below, or above where up(last kept bit, first lost bit, any
/// further one) says so. Requires that it is below 2^width.
template <class A, class Up>
constexpr typename A::Word multiple(const A& a, const typename A::Word& x, const typename A::Int& t,
                                    int width, Up&& up) {
  MMAPRINT_EXPECTS(fits(a, x, width) && holds(a, a.at_least(t, 0)));
  const auto [moved, rest] = a.shift_right_sticky(a.shift_left(x, 1), t);
  const auto kept = a.slice(moved, 1, width);
  return scaled(a, a.increment(kept, up(a.bit(kept, 0), a.bit(moved, 0), rest), width), t, width);
}

struct PlainLowering {
  /// Finite values are multiples of 2^unit.
  static constexpr int unit(const PlanWidths& plan) {
    return plan.lowest_exponent() - plan.addend_fraction_bits();
  }
  /// Bits of an integer that holds every partial sum: with E at the top of the range, each addend adds
  /// 2^(E+2) at most, and normalising at most doubles what there is.
  static constexpr int width(const PlanWidths& plan, const NodeShape& node) {
    return plan.highest_exponent() - unit(plan) + node.addends + 6 +
           bit_length(static_cast<std::uint64_t>(node.carried.bounds));
  }

  template <class A>
  static constexpr bool can_hold(const A& /*a*/, const typename A::Bool& /*condition*/) {
    return true;
  }
  template <class A>
  static constexpr bool product_exponent_matters(const A& /*a*/, const PlanWidths& /*plan*/,
                                                 const NodeShape& /*node*/) {
    return true;
  }
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
  template <class Spec, class A, std::size_t N, class To, class OnCancelled, class OnSum>
  static constexpr auto add(const A& a, const PlanWidths& plan, const NodeShape& node,
                            std::span<const Addend<A>, N> addends, const To& to, OnCancelled&& on_cancelled,
                            OnSum&& on_sum) {
    return Spec::align_and_add(a, a, a, plan, node, addends, to, on_cancelled, on_sum);
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
  template <class Words, class A, std::size_t N, class To, class Fn>
  static constexpr auto with_normalisation(const A& a, int adder,
                                           std::span<const typename Words::Word, N> /*aligned*/,
                                           std::span<const Addend<Words>, N> /*addends*/, const To& /*to*/,
                                           Fn&& fn) {
    return a.template select<Parameter::normalisation>(adder, fn);
  }
  /// Into -2^(E+1+n) <= sum < 2^(E+1+n): the nearest multiple of 2^(E+2+n), the upper one from the middle, is
  /// taken away.
  template <class A>
  static constexpr typename A::Sum wrapped(const A& a, const PlanWidths& plan, int adder,
                                           const typename A::Sum& sum, const Alignment<A>& to) {
    const auto positive = a.no(a.is_negative(sum));
    return a.template select<Parameter::extra_carry_bits>(adder, [&](std::optional<int> carry) {
      if (!carry) return sum;
      const auto modulus = a.add(to.exponent, a.integer(2 + *carry - unit(plan)));
      const auto away = multiple(a, a.magnitude(sum), modulus, to.width,
                                 [&](const auto& /*kept*/, const auto& half, const auto& rest) {
                                   return a.all(half, a.any(positive, rest));
                                 });
      return a.add_signed(sum, away, positive);
    });
  }
  /// A partial sum loses the bits below 2^(e-F), where e is the exponent of its own leading bit.
  template <class A>
  static constexpr typename A::Sum normalised(const A& a, const PlanWidths& /*plan*/, int adder,
                                              const typename A::Sum& sum, const Alignment<A>& to) {
    if (to.loss != Loss::by_parameter) return sum;
    const auto negative = a.is_negative(sum);
    const auto magnitude = a.magnitude(sum);
    const auto leading = a.subtract(a.integer(to.width - 1), a.normalise(magnitude, to.width).second);
    const auto last = a.maximum(a.subtract(leading, a.integer(to.kept)), a.integer(0));
    return a.template select<Parameter::alignment_rounding>(adder, [&](AlignmentRounding mode) {
      const auto rounded =
          multiple(a, magnitude, last, to.width, [&](const auto& kept, const auto& half, const auto& rest) {
            return policy::rounds_up(a, policy::rounding_of(mode), negative, kept, half, rest);
          });
      return a.add_signed(a.zero_sum(to.width), rounded, negative);
    });
  }
  template <class A>
  static constexpr ExactSum<A> unrounded(const A& /*a*/, const A& /*wide*/, const PlanWidths& plan,
                                         const NodeShape& /*node*/, const typename A::Bool& negative,
                                         const typename A::Word& magnitude, const Alignment<A>& to) {
    return {negative, magnitude, unit(plan), to.width};
  }
  /// A nonzero sum as an addend of the node that it is carried to.
  template <class A>
  static constexpr Addend<A> carried(const A& a, const A& /*wide*/, const PlanWidths& plan,
                                     const typename A::Bool& negative, const typename A::Word& magnitude,
                                     const Alignment<A>& to) {
    const auto unit_of_addend = a.subtract(to.exponent, a.integer(plan.addend_fraction_bits() + unit(plan)));
    return {negative, a.truth(false), to.exponent,
            scaled(a, magnitude, a.subtract(a.integer(0), unit_of_addend),
                   std::max(to.width, plan.addend_width()))};
  }
  /// To a multiple of 2^(max(e, emin)-f), where e is the exponent of the sum's leading bit.
  template <class A>
  static constexpr Rounded<A> rounded(const A& a, const FormatInfo& d, int adder, const ExactSum<A>& sum) {
    const auto above_unit = [&](const typename A::Int& e) { return a.subtract(e, a.integer(sum.unit)); };
    const auto leading =
        a.subtract(a.integer(sum.unit + sum.width - 1), a.normalise(sum.magnitude, sum.width).second);
    const auto e = a.maximum(leading, a.integer(d.emin()));
    const auto magnitude = a.template select<Parameter::output_fraction_bits>(adder, [&](int f) {
      return a.template select<Parameter::block_rounding>(adder, [&](Rounding mode) {
        return multiple(a, sum.magnitude, above_unit(a.subtract(e, a.integer(f))), sum.width,
                        [&](const auto& kept, const auto& half, const auto& rest) {
                          return policy::rounds_up(a, mode, sum.negative, kept, half, rest);
                        });
      });
    });
    const auto next = a.add(e, a.integer(1));
    const auto carried = a.no(a.is_zero(a.shift_right(magnitude, above_unit(next))));
    const auto exponent = a.mux(carried, next, e);
    const auto last = above_unit(a.subtract(exponent, a.integer(d.fraction_bits)));
    return {sum.negative, exponent, a.slice(a.shift_right(magnitude, last), 0, d.precision())};
  }
  /// Is the sum below 2^emin?
  template <class A>
  static constexpr typename A::Bool is_below(const A& a, const FormatInfo& d, const ExactSum<A>& sum) {
    return a.is_zero(a.shift_right(sum.magnitude, a.integer(d.emin() - sum.unit)));
  }
  /// Would a sum below 2^emin be rounded to that if results had multiples of 2^(e-f) there, too? If so it is
  /// to a multiple of 2^(emin-1-f): a smaller one is not.
  template <class A>
  static constexpr typename A::Bool rounds_to_normal(const A& a, const FormatInfo& d, int adder,
                                                     const ExactSum<A>& sum) {
    const auto twice = a.shift_left(sum.magnitude, 1);  // in units of 2^(unit-1), as they are half as fine
    const auto rounded = a.template select<Parameter::output_fraction_bits>(adder, [&](int f) {
      return a.template select<Parameter::block_rounding>(adder, [&](Rounding mode) {
        return multiple(a, twice, a.integer(d.emin() - f - sum.unit), sum.width + 1,
                        [&](const auto& kept, const auto& half, const auto& rest) {
                          return policy::rounds_up(a, mode, sum.negative, kept, half, rest);
                        });
      });
    });
    return a.no(a.is_zero(a.shift_right(rounded, a.integer(d.emin() + 1 - sum.unit))));
  }
  template <class A, class AnyPlan, class Operands>
  static constexpr typename A::Word integer_dot(const A& a, const AnyPlan& plan, const Operands& in) {
    return integer_result(a, plan, in);
  }
};

}  // namespace mmaprint
