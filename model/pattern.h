// Bit patterns of floating formats: what they stand for, and how they are put together. For host and device
// code; the datapath decodes its operands by itself (model/operand.h).
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

}  // namespace mmaprint
