// Layer: the leading bits of a sum.
//
// Replaces: what is handed from the sum to its rounding (unrounded, rounded, is_below, rounds_to_normal): not
// all its bits, but the leading p + 2, the lowest of which stands for itself and everything below. CLAIM: the
// same rounded result. A result has p bits at most, and every direction decides by the last kept bit, the
// first lost one and whether any further one is set.
//
// Needs the accumulator relative to E below it.
#pragma once

#include "model/inlining.h"
#include "model/lowering/accumulator.h"

namespace mmaprint {

/// An exact nonzero sum, as far as rounding can tell: ±leading·2^(exponent - unrounded_bits(d) + 1), where
/// the top bit of `leading` is one and its lowest bit stands for itself and everything below.
template <class A>
struct Unrounded {
  typename A::Bool negative;
  typename A::Int exponent;
  typename A::Word leading;
  friend bool operator==(const Unrounded&, const Unrounded&) = default;
};

/// The result's bits, a half, and a sticky bit.
[[nodiscard]] constexpr int unrounded_bits(const FormatInfo& d) { return d.precision() + 2; }

/// ±magnitude·2^quantum, nonzero and `width` bits wide.
template <class A>
MMAPRINT_INLINE constexpr Unrounded<A> leading_bits(const A& a, const FormatInfo& d,
                                                    typename A::Bool negative,
                                                    const typename A::Word& magnitude, int width,
                                                    typename A::Int quantum) {
  const int bits = unrounded_bits(d);
  const int total = std::max(width, bits);
  const auto [placed, count] = a.normalise(a.shift_left(magnitude, total - width), total);
  const auto exponent = a.subtract(a.add(quantum, a.integer(width - 1)), count);
  if (total == bits) return {negative, exponent, placed};
  const auto below = a.no(a.is_zero(a.slice(placed, 0, total - bits)));
  return {negative, exponent, a.set_lowest(drop_low(a, placed, total, total - bits), below)};
}

template <class Below>
struct LeadingBits : Below {
  template <class A, class Wide>
  MMAPRINT_INLINE static constexpr Unrounded<A> unrounded(const A& a, const Wide& wide,
                                                          const PlanWidths& /*plan*/, const NodeShape& node,
                                                          const typename Wide::Bool& negative,
                                                          const typename Wide::Word& magnitude,
                                                          const auto& to) {
    const auto x = leading_bits(wide, node.result, negative, magnitude, to.width,
                                wide.subtract(to.exponent, wide.integer(to.kept())));
    return {x.negative, x.exponent, a.import(x.leading)};
  }

  template <class A>
  static constexpr typename A::Bool is_below(const A& a, const FormatInfo& d, const Unrounded<A>& sum) {
    return a.no(a.at_least(sum.exponent, d.emin()));
  }

  /// Only a sum just below 2^emin reaches it, and only from all ones.
  template <class A>
  static constexpr typename A::Bool rounds_to_normal(const A& a, const FormatInfo& d, int adder,
                                                     const Unrounded<A>& sum) {
    const int total = unrounded_bits(d);
    const auto next_below = a.equals(sum.exponent, d.emin() - 1);
    const auto kept = [&](int f) { return drop_low(a, sum.leading, total, total - 1 - f); };
    const auto half = [&](int f) { return a.bit(sum.leading, total - 2 - f); };
    const auto rest = [&](int f) { return a.no(a.is_zero(a.slice(sum.leading, 0, total - 2 - f))); };
    const auto carries = [&](int f, const auto& up) { return a.bit(a.increment(kept(f), up, f + 2), f + 1); };
    const auto goes_up = a.template branch<Parameter::output_fraction_bits>(
        adder, keys::carries_beyond<A>(next_below, carries, half, rest), [&](int f) {
          const auto up = a.template select<Parameter::block_rounding>(adder, [&](Rounding mode) {
            return policy::rounds_up(a, mode, sum.negative, a.bit(kept(f), 0), half(f), rest(f));
          });
          return carries(f, up);
        });
    return a.all(next_below, goes_up);
  }

  /// Below emin the quantum is that of emin.
  template <class A>
  MMAPRINT_INLINE static constexpr Rounded<A> rounded(const A& a, const FormatInfo& d, int adder,
                                                      const Unrounded<A>& sum) {
    const int p = d.precision();
    const int total = unrounded_bits(d);
    MMAPRINT_EXPECTS(fits(a, sum.leading, total) && holds(a, a.bit(sum.leading, total - 1)));
    const auto negative = sum.negative;
    // Below emin the value moves right until the top bit weighs 2^emin.
    const auto exponent = a.maximum(sum.exponent, a.integer(d.emin()));
    const auto [placed, lost] = a.shift_right_sticky(sum.leading, a.subtract(exponent, sum.exponent));
    const auto rounded = a.template branch<Parameter::output_fraction_bits>(
        adder, keys::enough_result_bits<A>(placed, lost, p, total),
        [&, &placed = placed, &lost = lost](int f) {
          const auto kept = drop_low(a, placed, total, total - 1 - f);
          const auto half = a.bit(placed, total - 2 - f);
          const auto rest = a.any(lost, a.no(a.is_zero(a.slice(placed, 0, total - 2 - f))));
          const auto up = a.template select<Parameter::block_rounding>(adder, [&](Rounding mode) {
            return policy::rounds_up(a, mode, negative, a.bit(kept, 0), half, rest);
          });
          return a.shift_left(a.increment(kept, up, f + 2), p - 1 - f);
        });
    const auto carried = a.bit(rounded, p);
    const auto significand = a.mux(carried, a.word(p, 1ULL << (p - 1)), a.slice(rounded, 0, p));
    return {negative, a.add(exponent, a.from_bit(carried)), significand};
  }
};

}  // namespace mmaprint
