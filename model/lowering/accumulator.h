// Layer: an accumulator relative to E.
//
// Replaces: the fixed point that spans the whole range of exponents (align, wrapped, normalised, and what is
// handed to rounding). Addends become integer multiples of 2^(E-F), `kept + 3` bits wide, and are added in an
// accumulator that holds the largest sum of the node's shape and no more.
// CLAIM: the same sums. An addend is below 2^(E+2), so what is aligned fits; no partial sum exceeds
// largest_sum(); and where F is none, F = exact_fraction_bits() keeps every bit, so that only the carry can
// be seen.
#pragma once

#include "model/inlining.h"
#include "model/lowering/aligner.h"
#include "model/lowering/keys.h"
#include "model/plain_lowering.h"

namespace mmaprint {

template <class Below>
struct RelativeAccumulator : Below {
  template <class A>
  MMAPRINT_INLINE static constexpr RelativeAlignment<A> alignment(const A& a, const PlanWidths& plan,
                                                                  const NodeShape& node, std::optional<int> f,
                                                                  const typename A::Int& /*largest*/,
                                                                  const typename A::Int& clamped) {
    return aligned_to(a, plan, node, clamped, f ? Loss::by_parameter : Loss::none,
                      f.value_or(plan.exact_fraction_bits()));
  }
  template <class A>
  MMAPRINT_INLINE static constexpr RelativeAlignment<A> aligned_to(const A& a, const PlanWidths& plan,
                                                                   const NodeShape& node,
                                                                   const typename A::Int& exponent, Loss loss,
                                                                   int kept) {
    return {exponent, loss, sum_shape(a, plan, node, kept, loss)};
  }
  template <class A>
  static constexpr RelativeAlignment<A> alignment_by_kind(const A& a, const PlanWidths& plan,
                                                          const NodeShape& node, const FractionBits& own,
                                                          const typename A::Int& clamped) {
    const auto largest = own.largest();
    auto to = aligned_to(a, plan, node, clamped, largest ? Loss::by_parameter : Loss::none,
                         largest.value_or(plan.exact_fraction_bits()));
    to.by_kind = own;
    return to;
  }

  template <class A, std::size_t N, class Aligned>
  MMAPRINT_INLINE static constexpr void align(const A& a, const PlanWidths& plan, const NodeShape& node,
                                              std::span<const Addend<A>, N> addends,
                                              const RelativeAlignment<A>& to, Aligned& aligned) {
    if (to.by_kind) return align_by_kind(a, plan, node, addends, to, aligned);
    const Aligner<A> aligner(a, plan, node.adder, to);
    switch (to.loss) {
      case Loss::none:
        aligned.append(addends.size(), [&](std::size_t i) { return aligner.exact(addends[i]); });
        break;
      case Loss::sticky:
        aligned.append(addends.size(),
                       [&](std::size_t i) { return aligner.rounded(addends[i], AlignmentRounding::sticky); });
        break;
      case Loss::by_parameter:
        aligned.append(addends.size(), [&](std::size_t i) { return aligner.by_parameter(addends[i]); });
        break;
    }
    MMAPRINT_ENSURES(std::ranges::all_of(aligned.all(),
                                         [&](const auto& word) { return fits(a, word, aligned_width(to)); }));
  }

  /// Each kind with its own F, as multiples of what the sum is one of.
  template <class A, std::size_t N, class Aligned>
  MMAPRINT_OUT_OF_LINE static constexpr void align_by_kind(const A& a, const PlanWidths& plan,
                                                           const NodeShape& node,
                                                           std::span<const Addend<A>, N> addends,
                                                           const RelativeAlignment<A>& to, Aligned& aligned) {
    aligned.append(addends.size(), [&](std::size_t i) {
      const Addend<A>& x = addends[i];
      const OperandKind kind = node.kinds[i];
      const auto own = to.by_kind->of(kind);
      // Where the others keep all, more than all is no loss either.
      const auto f = to.loss == Loss::none && own && *own >= to.kept() ? std::nullopt : own;
      const int kept = f.value_or(to.kept());
      const Aligner<A> aligner(a, plan, node.adder, to, kept, !f);
      const auto value =
          a.shift_left(!f                             ? aligner.exact(x)
                       : kind == OperandKind::product ? aligner.by_parameter(x)
                       : kind == OperandKind::carried
                           ? aligner.template by_own_parameter<Parameter::carried_alignment_rounding>(x)
                           : aligner.template by_own_parameter<Parameter::c_alignment_rounding>(x),
                       to.kept() - kept);
      if (kind != OperandKind::c) return value;
      return a.template branch<Parameter::c_dropped_below>(
          node.adder, keys::is_dropped(a, to.exponent, x), [&](std::optional<int> t) {
            return t ? a.mux(policy::is_dropped(a, x, to.exponent, *t), a.word(aligned_width(to), 0), value)
                     : value;
          });
    });
  }

  template <class Words, class A, std::size_t N, class To, class Fn>
  MMAPRINT_INLINE static constexpr auto with_normalisation(const A& a, int adder,
                                                           std::span<const typename Words::Word, N> aligned,
                                                           std::span<const Addend<Words>, N> addends,
                                                           const To& to, Fn&& fn) {
    if (to.loss != Loss::by_parameter) return fn(Normalisation::late);
    return a.template branch<Parameter::normalisation>(
        adder, keys::partial_sums_lose<Words>(aligned, addends, to.width, to.kept()), fn);
  }

  template <class A, class To>
  MMAPRINT_INLINE static constexpr typename A::Sum wrapped(const A& a, const PlanWidths& /*plan*/, int adder,
                                                           const typename A::Sum& sum, const To& to) {
    const auto wrap = [&](std::optional<int> carry) {
      return carry_can_wrap(carry, to.shape) ? a.wrap(sum, to.kept() + *carry + 2) : sum;
    };
    return a.template branch<Parameter::extra_carry_bits>(adder, keys::leaves_range(sum, to.kept(), wrap),
                                                          wrap);
  }

  template <class A, class To>
  MMAPRINT_INLINE static constexpr typename A::Sum normalised(const A& a, const PlanWidths& /*plan*/,
                                                              int adder, const typename A::Sum& sum,
                                                              const To& to) {
    return drop_below_leading(a, adder, sum, to.width, to.kept());
  }

  template <class A, class Wide>
  static constexpr Addend<A> carried(const A& a, const Wide& wide, const PlanWidths& plan,
                                     const typename Wide::Bool& negative,
                                     const typename Wide::Word& magnitude, const auto& to) {
    MMAPRINT_EXPECTS(to.kept() <= plan.addend_fraction_bits());
    return {negative, a.truth(false), to.exponent,
            a.import(wide.shift_left(magnitude, plan.addend_fraction_bits() - to.kept()))};
  }

  /// Where rounding is left as it is: the sum as a multiple of 2^unit.
  template <class A>
  static constexpr ExactSum<A> unrounded(const A& a, const A& /*wide*/, const PlanWidths& plan,
                                         const NodeShape& node, const typename A::Bool& negative,
                                         const typename A::Word& magnitude, const RelativeAlignment<A>& to) {
    const int unit = PlainLowering::unit(plan);
    const int width = PlainLowering::width(plan, node) + to.width;
    const auto quantum = a.subtract(to.exponent, a.integer(to.kept() + unit));
    return {negative, scaled(a, magnitude, quantum, width), unit, width};
  }
};

}  // namespace mmaprint
