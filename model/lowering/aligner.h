// Addends relative to E: integer multiples of 2^(E-F), and what a partial sum of them loses when it is
// normalised. Part of the layer in accumulator.h, which says what is claimed.
#pragma once

#include <algorithm>
#include <optional>

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
  int width;                                 ///< bits of the accumulator
  std::optional<FractionBits> by_kind = {};  ///< where operands are not aligned alike

  constexpr RelativeAlignment(typename A::Int e, Loss l, const SumShape& s)
      : exponent(std::move(e)), loss(l), shape(s), width(accumulator_width(s)) {}
  template <class Other>
  constexpr explicit RelativeAlignment(const RelativeAlignment<Other>& x)
      : exponent(x.exponent), loss(x.loss), shape(x.shape), width(x.width), by_kind(x.by_kind) {}
  [[nodiscard]] constexpr int kept() const { return shape.kept; }
};

/// Bits of an aligned addend.
template <class A>
constexpr int aligned_width(const RelativeAlignment<A>& to) {
  return to.kept() + std::max(3, bit_length(static_cast<std::uint64_t>(to.shape.largest_carried)));
}

/// A word of `width` bits without its lowest `count`; machine words need no mask for that.
template <class A>
constexpr typename A::Word drop_low(const A& a, const typename A::Word& x, int width, int count) {
  if constexpr (requires { a.drop_low(x, count); })
    return a.drop_low(x, count);
  else
    return a.slice(x, count, width - count);
}

/// Turns addends into integer multiples of 2^(E - kept), `aligned_width` bits wide.
template <class A>
class Aligner {
 public:
  constexpr Aligner(const A& a, const PlanWidths& plan, int adder, const RelativeAlignment<A>& to)
      : Aligner(a, plan, adder, to, to.kept(), to.loss == Loss::none) {}
  /// To multiples of 2^(E - kept), of which no bit is lost where that is known.
  constexpr Aligner(const A& a, const PlanWidths& plan, int adder, const RelativeAlignment<A>& to, int kept,
                    bool loses_nothing)
      : a_(a), adder_(adder), exponent_(to.exponent), lowered_(to.exponent) {
    const int fraction = loses_nothing ? kept : std::max(kept + 1, plan.addend_fraction_bits());
    left_ = fraction - plan.addend_fraction_bits();
    drop_ = fraction - kept;
    width_ = left_ + plan.addend_width();
    MMAPRINT_ENSURES(left_ >= 0 && drop_ >= 0 && (drop_ > 0) != loses_nothing);
    up_ = left_ > drop_ ? left_ - drop_ : 0;
    if (drop_ > left_) lowered_ = a.add(exponent_, a.integer(drop_ - left_));
  }

  /// Where no bit can be lost.
  [[nodiscard]] constexpr typename A::Word exact(const Addend<A>& x) const {
    const auto shift = a_.subtract(exponent_, x.exponent);
    const auto wide = a_.shift_left(x.significand, left_);
    MMAPRINT_EXPECTS(drop_ == 0 && is_below_exponent(x) && ends_in_zeros(a_, wide, shift));
    return a_.shift_right(wide, shift);
  }
  [[nodiscard]] constexpr typename A::Word rounded(const Addend<A>& x, AlignmentRounding mode) const {
    MMAPRINT_EXPECTS(drop_ > 0 && is_below_exponent(x));
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
  /// The same for a kind of operands that has a rounding P of its own.
  template <Parameter P>
  [[nodiscard]] constexpr typename A::Word by_own_parameter(const Addend<A>& x) const {
    return a_.template branch<P>(
        adder_, keys::own_bits_lost(a_, exponent_, drop_ - left_, x), [&](OwnAlignmentRounding own) {
          return own == OwnAlignmentRounding::as_others ? by_parameter(x)
                                                        : rounded(x, policy::alignment_rounding(own, {}));
        });
  }

 private:
  /// Is the addend a zero, or its exponent at most E?
  [[nodiscard]] constexpr bool is_below_exponent(const Addend<A>& x) const {
    return holds(a_, a_.any(x.zero, a_.at_least(a_.subtract(exponent_, x.exponent), 0)));
  }
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
  MMAPRINT_EXPECTS(kept >= 0 && kept < width && sum_fits(a, sum, width - 1));
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

}  // namespace mmaprint
