// How a node aligns its addends: to which exponent, with how many fraction bits, and what becomes of the bits
// below. Generic over an algebra.
#pragma once

#include "model/exact_rounding.h"
#include "model/operand.h"

namespace mmaprint {

/// How a node aligns: the exponent E, the fraction bits kept below it, and what becomes of the rest.
template <class A>
struct Alignment {
  typename A::Int exponent;
  Loss loss;
  SumShape shape;
  int width;  ///< bits of the accumulator

  constexpr Alignment(typename A::Int e, Loss l, const SumShape& s)
      : exponent(std::move(e)), loss(l), shape(s), width(accumulator_width(s)) {}
  template <class Other>
  constexpr explicit Alignment(const Alignment<Other>& x)
      : exponent(x.exponent), loss(x.loss), shape(x.shape), width(x.width) {}
  [[nodiscard]] constexpr int kept() const { return shape.kept; }
};

/// Turns addends into integer multiples of 2^(E - kept), `kept + 3` bits wide.
template <class A>
class Aligner {
 public:
  constexpr Aligner(const A& a, const PlanWidths& plan, int adder, const Alignment<A>& to)
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
    const auto up = mode == AlignmentRounding::floor ? a_.all(x.negative, a_.any(half, rest))
                                                     : a_.all(half, a_.any(rest, a_.bit(truncated, 0)));
    return a_.increment(truncated, up, width_ - drop_ + 1);
  }
  [[nodiscard]] constexpr typename A::Word by_parameter(const Addend<A>& x) const {
    // Evaluation by need: the mode matters only where a one is lost.
    const auto outcome = [&](const auto& concrete) {
      const int lost_below = concrete.value(a_.subtract(exponent_, x.exponent)) + drop_ - left_;
      const bool lost = !concrete.value(x.zero) && concrete.lowest_one(x.significand) < lost_below;
      return [&, lost](AlignmentRounding mode) { return lost ? rounded(x, mode) : x.significand; };
    };
    return a_.template branch<Parameter::alignment_rounding>(
        adder_, outcome, [&](AlignmentRounding mode) { return rounded(x, mode); });
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

/// Bits of an aligned addend.
template <class A>
constexpr int aligned_width(const Alignment<A>& to) {
  return to.kept() + 3;
}

/// How an adder with `f` fraction bits aligns; `largest` is the operands' largest exponent, `clamped` the
/// clamp's view.
///
/// No operand of the node has a bit below 2^lowest, so with E = lowest + F nothing is lost, and E may be
/// raised to that without a trace: unless the sum wraps, which happens relative to E. All clamps below it
/// become one formula by this, and an exact sum (whose F reaches from the lowest bit to the top) does not
/// depend on E at all. What rounds as an exact sum of two operands has the exact sum's formula.
template <class A>
[[gnu::always_inline]] constexpr Alignment<A> alignment(const A& a, const PlanWidths& plan, int adder,
                                                        std::optional<int> f, typename A::Int largest,
                                                        typename A::Int clamped, int addends, int products,
                                                        const OperandBits& operand_bits) {
  const int kept = f.value_or(plan.exact_fraction_bits());
  const Loss loss = f ? Loss::by_parameter : Loss::none;
  const SumShape shape = sum_shape(a, plan, adder, addends, products, kept, loss);
  const bool never_wraps = a.template always<Parameter::extra_carry_bits>(
      adder, [&](std::optional<int> carry) { return !carry_can_wrap(carry, shape); });
  if (!never_wraps) return {clamped, loss, shape};
  const auto harmless = [&](int bits) { return a.integer(operand_bits.lowest + bits); };
  if (addends == 2 && products == 1 && rounds_as_exact(a, plan, adder, f, addends, products, operand_bits)) {
    const int bits = plan.sticky_fraction_bits();
    return {a.maximum(largest, harmless(bits)), Loss::sticky,
            sum_shape(a, plan, adder, addends, products, bits, Loss::sticky)};
  }
  const auto raised = [&](const typename A::Int& clamp) {
    return a.maximum(largest, a.maximum(clamp, harmless(kept)));
  };
  return {a.template select_exponent<Parameter::minimum_alignment_exponent>(adder, raised), loss, shape};
}

}  // namespace mmaprint
