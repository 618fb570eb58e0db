// From an exact nonzero sum to a result in D's format: normalise, round once, overflow, flush. Generic over
// an algebra.
#pragma once

#include "model/operand.h"

namespace mmaprint {

/// Does rounding go away from zero, given the last kept bit, the first lost bit and whether any further one
/// is set?
template <class A>
constexpr typename A::Bool rounds_up(const A& a, Rounding mode, typename A::Bool negative,
                                     typename A::Bool last, typename A::Bool half, typename A::Bool rest) {
  switch (mode) {
    case Rounding::toward_zero:
      return a.truth(false);
    case Rounding::nearest_even:
      return a.all(half, a.any(rest, last));
    case Rounding::nearest_away:
      return half;
    case Rounding::up:
      return a.all(a.no(negative), a.any(half, rest));
    case Rounding::down:
      return a.all(negative, a.any(half, rest));
    // To odd: an inexact result gets its last bit set, which an even truncation reaches by going up one.
    case Rounding::odd:
      return a.all(a.no(last), a.any(half, rest));
  }
  return a.truth(false);
}

/// Does IEEE 754 round an overflow to the largest finite number, and not to an infinity?
template <class A>
constexpr typename A::Bool overflow_stays_finite(const A& a, Rounding mode, typename A::Bool negative) {
  switch (mode) {
    case Rounding::toward_zero:
    case Rounding::odd:  // the largest number is odd
      return a.truth(true);
    case Rounding::up:
      return negative;
    case Rounding::down:
      return a.no(negative);
    case Rounding::nearest_even:
    case Rounding::nearest_away:
      break;
  }
  return a.truth(false);
}

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
[[gnu::always_inline]] constexpr Unrounded<A> unrounded(const A& a, const FormatInfo& d,
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

/// Rounds once to `d`'s format with the adder's rounding and output precision. Below emin the quantum is that
/// of emin. The result's significand has d.precision() bits.
template <class A>
[[gnu::always_inline]] constexpr Operand<A> round_result(const A& a, const FormatInfo& d, int adder,
                                                         const Unrounded<A>& sum) {
  const int p = d.precision();
  const int total = unrounded_bits(d);
  const auto negative = sum.negative;
  // Below emin the value moves right until the top bit weighs 2^emin.
  const auto exponent = a.maximum(sum.exponent, a.integer(d.emin()));
  const auto [placed, lost] = a.shift_right_sticky(sum.leading, a.subtract(exponent, sum.exponent));

  const auto fewest_exact_bits = [&](const auto& concrete) {
    return concrete.value(lost) ? p : total - 1 - concrete.lowest_one(placed);
  };
  const auto rounded = a.template branch<Parameter::output_fraction_bits>(
      adder,
      [&](const auto& concrete) {
        return [need = fewest_exact_bits(concrete)](int f) { return std::min(f, need); };
      },
      [&](int f) {
        const auto kept = drop_low(a, placed, total, total - 1 - f);
        const auto half = a.bit(placed, total - 2 - f);
        const auto rest = a.any(lost, a.no(a.is_zero(a.slice(placed, 0, total - 2 - f))));
        const auto up = a.template select<Parameter::block_rounding>(
            adder, [&](Rounding mode) { return rounds_up(a, mode, negative, a.bit(kept, 0), half, rest); });
        return a.shift_left(a.increment(kept, up, f + 2), p - 1 - f);
      });

  const auto carried = a.bit(rounded, p);
  const auto significand = a.mux(carried, a.word(p, 1ULL << (p - 1)), a.slice(rounded, 0, p));
  const auto raised = a.add(exponent, a.from_bit(carried));
  auto overflowed = a.at_least(raised, d.emax() + 1);
  if (d.largest_significand() != (2ULL << d.fraction_bits) - 1)
    overflowed = a.any(overflowed, a.all(a.at_least(raised, d.emax()),
                                         a.greater(significand, a.word(p, d.largest_significand()))));
  Operand<A> result{negative, a.truth(false), overflowed, a.mux(overflowed, a.integer(d.emax()), raised),
                    significand};
  if (a.known(overflowed) != std::optional(false)) {
    // Evaluation by need reads the direction of rounding only where overflow follows it.
    const auto directed = a.template select<Parameter::overflow>(
        adder, [&](Overflow kind) { return a.truth(kind == Overflow::by_direction); });
    auto saturated = a.template select<Parameter::overflow>(
        adder, [&](Overflow kind) { return kind == Overflow::saturate ? overflowed : a.truth(false); });
    if (a.known(directed) != std::optional(false)) {
      const auto finite = a.template select<Parameter::block_rounding>(
          adder, [&](Rounding mode) { return overflow_stays_finite(a, mode, negative); });
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
  if (a.known(vanished) != std::optional(false))
    result.negative = a.template select<Parameter::zero_rounded>(adder, [&](ZeroSign sign) {
      return sign == ZeroSign::follow ? negative : a.all(negative, a.no(vanished));
    });
  const auto subnormal =
      a.all(a.no(a.bit(result.significand, d.fraction_bits)), a.no(vanished), a.no(overflowed));
  if (a.known(subnormal) == std::optional(false)) return result;
  const auto flushed = a.template select<Parameter::output_subnormals>(
      adder, [&](Subnormals kind) { return kind == Subnormals::flushed ? subnormal : a.truth(false); });
  const auto signed_before = result.negative;
  result.negative = a.template select<Parameter::zero_flushed>(adder, [&](ZeroSign sign) {
    return sign == ZeroSign::follow ? signed_before : a.all(signed_before, a.no(flushed));
  });
  result.significand = a.mux(flushed, a.word(p, 0), result.significand);
  return result;
}

}  // namespace mmaprint
