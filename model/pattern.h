// Bit patterns: what they stand for, in every format, and how those of floating formats are put together. For
// host and device code; the datapath decodes its operands by itself (model/operand.h).
#pragma once

#include "model/format.h"

namespace mmaprint {

[[nodiscard]] constexpr Pattern sign_pattern(const FormatInfo& f) {
  return f.has_sign ? Pattern{1} << f.sign_bit() : 0;
}
/// A zero; negative where the format has such a zero.
[[nodiscard]] constexpr Pattern zero_pattern(const FormatInfo& f, bool negative) {
  return negative && f.specials != Specials::nan_at_zero ? sign_pattern(f) : 0;
}
/// The pattern with the other sign, if the format has one.
[[nodiscard]] constexpr Pattern negated(const FormatInfo& f, Pattern p) {
  return f.specials == Specials::nan_at_zero && p == 0 ? p : p ^ sign_pattern(f);
}

/// ±1.fraction·2^exponent, a subnormal below the normal range, the largest exponent above it.
[[nodiscard]] constexpr Pattern floating_pattern(const FormatInfo& f, bool negative, int exponent,
                                                 std::uint64_t fraction) {
  const std::uint64_t all = (std::uint64_t{1} << f.fraction_bits) - 1;
  fraction &= all;
  if (exponent > f.emax()) exponent = f.emax();
  std::uint64_t stored = 0;
  if (exponent >= f.emin()) {
    const int biased = exponent + f.bias;
    stored = static_cast<std::uint64_t>(biased);
  } else {
    const int below = f.emin() - exponent;
    fraction = (fraction | (all + 1)) >> (below <= f.fraction_bits ? below : f.fraction_bits + 1);
  }
  if (f.specials == Specials::nan_only && exponent == f.emax() && fraction == all) --fraction;
  const std::uint64_t magnitude = (stored << f.fraction_bits) | fraction;
  if (magnitude == 0) return zero_pattern(f, negative);
  return (magnitude << f.ignored_low_bits) | (negative ? sign_pattern(f) : 0);
}

[[nodiscard]] constexpr Pattern infinity_pattern(const FormatInfo& f) {
  return ((Pattern{1} << f.exponent_bits) - 1) << (f.fraction_bits + f.ignored_low_bits);
}

/// The pattern without its sign and the bits that a unit ignores.
[[nodiscard]] constexpr Pattern magnitude_pattern(const FormatInfo& f, Pattern p) {
  return (p >> f.ignored_low_bits) & ((Pattern{1} << (f.exponent_bits + f.fraction_bits)) - 1);
}
[[nodiscard]] constexpr bool is_nan(const FormatInfo& f, Pattern p) {
  const Pattern m = magnitude_pattern(f, p);
  switch (f.specials) {
    case Specials::ieee:
      return m > ((Pattern{1} << f.exponent_bits) - 1) << f.fraction_bits;
    case Specials::nan_only:
    case Specials::scale:
      return m == (Pattern{1} << (f.exponent_bits + f.fraction_bits)) - 1;
    case Specials::nan_at_zero:
      return m == 0 && (p >> f.sign_bit() & 1U) != 0;
    case Specials::none:
    case Specials::integer:
      break;
  }
  return false;
}

/// What a pattern stands for.
enum class ValueClass : std::uint8_t { zero, subnormal, normal, infinite, nan };

/// Integers and scales are zero, if their format has a zero, or normal.
[[nodiscard]] constexpr ValueClass classify(const FormatInfo& f, Pattern p) {
  if (f.is_integer()) return (p & f.pattern_mask()) == 0 ? ValueClass::zero : ValueClass::normal;
  if (is_nan(f, p)) return ValueClass::nan;
  const Pattern m = magnitude_pattern(f, p);
  if (f.has_infinity() && m == infinity_pattern(f) >> f.ignored_low_bits) return ValueClass::infinite;
  if (f.specials == Specials::scale || m >> f.fraction_bits != 0) return ValueClass::normal;
  return m == 0 ? ValueClass::zero : ValueClass::subnormal;
}
[[nodiscard]] constexpr bool is_zero(const FormatInfo& f, Pattern p) {
  return classify(f, p) == ValueClass::zero;
}
/// Less than zero, or a zero with that sign. No NaN is.
[[nodiscard]] constexpr bool is_negative(const FormatInfo& f, Pattern p) {
  return (p & sign_pattern(f)) != 0 && !is_nan(f, p);
}
/// The digits of a significand that may be set or not: a number's fraction bits, an integer's magnitude.
[[nodiscard]] constexpr Pattern significand_digits(const FormatInfo& f, Pattern p) {
  if (!f.is_integer()) return p >> f.ignored_low_bits & ((Pattern{1} << f.fraction_bits) - 1);
  return (is_negative(f, p) ? ~p + 1 : p) & f.pattern_mask();
}

}  // namespace mmaprint
