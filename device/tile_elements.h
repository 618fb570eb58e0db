// Single bit patterns for the inputs of tiles, for host and device code.
#pragma once

#include "model/concrete.h"
#include "model/operand.h"
#include "model/pattern.h"

namespace mmaprint {

/// The finaliser of splitmix64: every bit of the result depends on every bit of x.
[[nodiscard]] constexpr std::uint64_t mixed(std::uint64_t x) {
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9U;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EBU;
  return x ^ (x >> 31);
}

/// The same in 32 bits (the finaliser of MurmurHash3), where many are needed.
[[nodiscard]] constexpr std::uint32_t mixed32(std::uint32_t x) {
  x = (x ^ (x >> 16)) * 0x85EBCA6BU;
  x = (x ^ (x >> 13)) * 0xC2B2AE35U;
  return x ^ (x >> 16);
}

/// Takes bits of a hash from its low end.
class Draw {
 public:
  constexpr explicit Draw(std::uint64_t hash) : rest_(hash) {}
  /// Uniform, up to the rounding of 2^16, in 0 .. bound-1. Requires 1 <= bound <= 2^16; takes 16 bits.
  constexpr int below(int bound) {
    const auto taken = static_cast<unsigned>(rest_ & 0xFFFFU);
    rest_ >>= 16;
    return static_cast<int>(taken * static_cast<unsigned>(bound) >> 16);
  }

 private:
  std::uint64_t rest_;
};

/// ±magnitude·2^scale, cut to the format.
[[nodiscard]] constexpr Pattern cut_to_format(const FormatInfo& f, bool negative, std::uint64_t magnitude,
                                              int scale) {
  if (magnitude == 0) return zero_pattern(f, negative);
  const int length = bit_length(magnitude);
  const int up = f.fraction_bits + 1 - length;
  return floating_pattern(f, negative, scale + length - 1, up >= 0 ? magnitude << up : magnitude >> -up);
}

/// An infinity or a NaN, whichever the format has; else its largest number.
[[nodiscard]] constexpr Pattern special_pattern(const FormatInfo& f, std::uint64_t hash) {
  const Pattern sign = (hash & 1U) != 0 ? sign_pattern(f) : 0;
  if (f.specials == Specials::nan_at_zero && (hash & 2U) != 0) return sign_pattern(f);
  if (f.specials != Specials::ieee)
    return sign | ((Pattern{1} << (f.fraction_bits + f.exponent_bits)) - 1) << f.ignored_low_bits;
  const Pattern payload = hash >> 8 & ((Pattern{1} << f.fraction_bits) - 1);
  return sign | infinity_pattern(f) | ((hash & 6U) == 0 ? payload << f.ignored_low_bits : 0);
}

/// A NaN of a format that has some, other than at negative zero; quiet or signalling, of either sign.
[[nodiscard]] constexpr Pattern nan_pattern(const FormatInfo& f, std::uint64_t hash) {
  const Pattern sign = (hash & 1U) != 0 ? sign_pattern(f) : 0;
  const Pattern all = (Pattern{1} << f.fraction_bits) - 1;
  const Pattern payload = (hash & 2U) != 0 ? all : (hash >> 2 & all) | 1U;
  if (f.specials == Specials::ieee) return sign | infinity_pattern(f) | payload << f.ignored_low_bits;
  return sign | ((Pattern{1} << (f.fraction_bits + f.exponent_bits)) - 1) << f.ignored_low_bits;
}
/// An infinity; of formats that have none the largest number.
[[nodiscard]] constexpr Pattern infinity_or_largest(const FormatInfo& f, bool negative) {
  const Pattern sign = negative ? sign_pattern(f) : 0;
  if (f.has_infinity()) return sign | infinity_pattern(f);
  return sign | floating_pattern(f, false, f.emax(), ~std::uint64_t{0});
}

/// x·y cut to the format of f; a zero where one of them is not finite.
[[nodiscard]] constexpr Pattern product_pattern(const FormatInfo& f, const FormatInfo& fx, Pattern x,
                                                const FormatInfo& fy, Pattern y) {
  constexpr int kMost = 31;  // bits of a factor, so that the product fits
  NoParameters none;
  const Concrete<std::uint64_t, NoParameters> algebra(none);
  const auto a = decode(algebra, fx, {x});
  const auto b = decode(algebra, fy, {y});
  if (a.nan.value || a.infinite.value || b.nan.value || b.infinite.value) return 0;
  const int cut_a = fx.precision() > kMost ? fx.precision() - kMost : 0;
  const int cut_b = fy.precision() > kMost ? fy.precision() - kMost : 0;
  const std::uint64_t product = (a.significand.value >> cut_a) * (b.significand.value >> cut_b);
  const int scale = a.exponent.value + b.exponent.value - fx.fraction_bits - fy.fraction_bits + cut_a + cut_b;
  return cut_to_format(f, a.negative.value != b.negative.value, product, scale);
}

}  // namespace mmaprint
