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
#include "model/lowering/bounds.h"
#include "model/lowering/keys.h"
#include "model/plain_lowering.h"

namespace mmaprint {

/// How a node aligns, and how large its sums can get.
template <class A>
struct RelativeAlignment {
  typename A::Int exponent;
  Loss loss;
  SumShape shape;
  int width;  ///< bits of the accumulator

  constexpr RelativeAlignment(typename A::Int e, Loss l, const SumShape& s)
      : exponent(std::move(e)), loss(l), shape(s), width(accumulator_width(s)) {}
  template <class Other>
  constexpr explicit RelativeAlignment(const RelativeAlignment<Other>& x)
      : exponent(x.exponent), loss(x.loss), shape(x.shape), width(x.width) {}
  [[nodiscard]] constexpr int kept() const { return shape.kept; }
};

/// Bits of an aligned addend.
template <class A>
constexpr int aligned_width(const RelativeAlignment<A>& to) {
  return to.kept() + 3;
}

/// A word of `width` bits without its lowest `count`; machine words need no mask for that.
template <class A>
constexpr typename A::Word drop_low(const A& a, const typename A::Word& x, int width, int count) {
  if constexpr (requires { a.drop_low(x, count); })
    return a.drop_low(x, count);
  else
    return a.slice(x, count, width - count);
}

/// Turns addends into integer multiples of 2^(E - kept), `kept + 3` bits wide.
template <class A>
class Aligner {
 public:
  constexpr Aligner(const A& a, const PlanWidths& plan, int adder, const RelativeAlignment<A>& to)
      : a_(a), adder_(adder), exponent_(to.exponent), lowered_(to.exponent) {
    const int fraction =
        to.loss == Loss::none ? to.kept() : std::max(to.kept() + 1, plan.addend_fraction_bits());
    left_ = fraction - plan.addend_fraction_bits();
    drop_ = fraction - to.kept();
    width_ = left_ + plan.addend_width();
    up_ = left_ > drop_ ? left_ - drop_ : 0;
    if (drop_ > left_) lowered_ = a.add(exponent_, a.integer(drop_ - left_));
  }

  /// Where no bit can be lost.
  [[nodiscard]] constexpr typename A::Word exact(const Addend<A>& x) const {
    return a_.shift_right(a_.shift_left(x.significand, left_), a_.subtract(exponent_, x.exponent));
  }
  [[nodiscard]] constexpr typename A::Word rounded(const Addend<A>& x, AlignmentRounding mode) const {
    if (mode == AlignmentRounding::truncate) return truncated(x);
    const auto shift = a_.subtract(exponent_, x.exponent);
    const auto wide = a_.shift_left(x.significand, left_);
    const auto [moved, below] = a_.shift_right_sticky(wide, shift);
    const auto truncated = drop_low(a_, moved, width_, drop_);
    const auto rest = a_.any(below, a_.no(a_.is_zero(a_.slice(moved, 0, drop_ - 1))));
    const auto half = a_.bit(moved, drop_ - 1);
    if (mode == AlignmentRounding::sticky) return a_.set_lowest(truncated, a_.any(half, rest));
    return a_.increment(
        truncated,
        policy::rounds_up(a_, policy::rounding_of(mode), x.negative, a_.bit(truncated, 0), half, rest),
        width_ - drop_ + 1);
  }
  [[nodiscard]] constexpr typename A::Word by_parameter(const Addend<A>& x) const {
    return a_.template branch<Parameter::alignment_rounding>(
        adder_, keys::bits_lost(a_, exponent_, drop_ - left_, x, *this),
        [&](AlignmentRounding mode) { return rounded(x, mode); });
  }

 private:
  /// Machine words lose what is shifted out of them, so one shift to either side does.
  [[nodiscard]] constexpr typename A::Word truncated(const Addend<A>& x) const {
    if constexpr (requires { a_.drop_low(x.significand, 0); })
      return a_.shift_right(a_.shift_left(x.significand, up_), a_.subtract(lowered_, x.exponent));
    else
      return drop_low(a_,
                      a_.shift_right(a_.shift_left(x.significand, left_), a_.subtract(exponent_, x.exponent)),
                      width_, drop_);
  }

  A a_;
  int adder_;
  typename A::Int exponent_, lowered_;  ///< what shifts are counted from; where truncation does
  int left_;                            ///< bits appended, so that there is at least one to drop
  int drop_;                            ///< bits dropped after the shift
  int width_;                           ///< of the word that is shifted
  int up_;                              ///< bits appended by truncation
};

/// Drops the bits of a partial sum (a multiple of 2^(E-kept)) that lie below its own leading exponent minus
/// `kept`.
template <class A>
constexpr typename A::Sum drop_below_leading(const A& a, int adder, const typename A::Sum& sum, int width,
                                             int kept) {
  const auto magnitude = a.magnitude(sum);
  const auto negative = a.is_negative(sum);
  if (a.known(a.is_zero(a.slice(magnitude, kept + 1, width - kept - 1))) == std::optional(true)) return sum;
  return a.template select<Parameter::alignment_rounding>(adder, [&](AlignmentRounding mode) {
    auto result = sum;
    for (int t = 1; kept + t < width; ++t) {  // leading one at bit kept + t: the lowest t bits go
      const auto here = a.all(a.bit(magnitude, kept + t),
                              a.is_zero(a.slice(magnitude, kept + t + 1, width - kept - t - 1)));
      if (a.known(here) == std::optional(false)) continue;
      auto top = a.slice(magnitude, t, width - t);
      const auto half = a.bit(magnitude, t - 1);
      const auto rest = a.no(a.is_zero(a.slice(magnitude, 0, t - 1)));
      if (mode == AlignmentRounding::sticky)
        top = a.set_lowest(top, a.any(half, rest));
      else if (mode != AlignmentRounding::truncate)
        top = a.increment(
            top, policy::rounds_up(a, policy::rounding_of(mode), negative, a.bit(top, 0), half, rest),
            width - t);
      result = a.mux(here, a.add_signed(a.zero_sum(width), a.shift_left(top, t), negative), result);
    }
    return result;
  });
}

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
    return {exponent, loss, sum_shape(a, plan, node.adder, node.addends, node.products, kept, loss)};
  }

  template <class A, std::size_t N, class Aligned>
  MMAPRINT_INLINE static constexpr void align(const A& a, const PlanWidths& plan, int adder,
                                              std::span<const Addend<A>, N> addends,
                                              const RelativeAlignment<A>& to, Aligned& aligned) {
    const Aligner<A> aligner(a, plan, adder, to);
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

  /// Where rounding is left as it is: the sum as a multiple of 2^unit.
  template <class A>
  static constexpr ExactSum<A> unrounded(const A& a, const A& /*wide*/, const PlanWidths& plan,
                                         const NodeShape& /*node*/, const typename A::Bool& negative,
                                         const typename A::Word& magnitude, const RelativeAlignment<A>& to) {
    const int unit = PlainLowering::unit(plan);
    const int width = PlainLowering::width(plan, to.shape.products + to.shape.others) + to.width;
    const auto quantum = a.subtract(to.exponent, a.integer(to.kept() + unit));
    return {negative, scaled(a, magnitude, quantum, width), unit, width};
  }
};

}  // namespace mmaprint
