// Number formats: one table row each.
//
// A finite value is ±m·2^e with m a significand of `precision` bits, 0 <= m < 2, and e >= emin; a subnormal
// has e = emin and m < 1. Integers are two's complement (or unsigned) and have no exponent.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>

namespace mmaprint {

/// A bit pattern, in the low bits; its width is the format's `container_bits`.
using Pattern = std::uint64_t;

enum class Format : std::uint8_t {
  fp64,
  fp32,
  tf32,
  bf16,
  fp16,
  e4m3,
  e5m2,
  e4m3fnuz,
  e5m2fnuz,
  e3m2,
  e2m3,
  e2m1,
  ue8m0,
  ue4m3,
  int32,
  int16,
  uint16,
  int8,
  uint8,
  int4,
  uint4,
  b1,
  e8m31,  ///< of results inside: FP32's exponents with more bits
};        // clang-format keeps the table's order

/// Which patterns are not finite numbers.
enum class Specials : std::uint8_t {
  ieee,         ///< the top exponent holds infinities and NaNs
  nan_only,     ///< all ones is NaN, no infinity (E4M3 of OCP)
  nan_at_zero,  ///< "negative zero" is NaN, no infinity (fnuz)
  none,         ///< every pattern is finite (FP6, FP4)
  scale,        ///< unsigned powers of two, all ones is NaN (UE8M0)
  integer,
};

struct FormatInfo {
  Format id;
  std::string_view name;
  int container_bits;    ///< width of the pattern as it is written and passed
  int exponent_bits;     ///< 0 for integers
  int fraction_bits;     ///< for integers: value bits
  int bias;              ///< e = stored exponent - bias
  int ignored_low_bits;  ///< low container bits that a unit does not read (TF32: 13)
  bool has_sign;
  Specials specials;

  [[nodiscard]] constexpr int precision() const { return fraction_bits + 1; }
  /// Powers of two have no subnormals: the lowest exponent field counts as any other.
  [[nodiscard]] constexpr int emin() const { return (specials == Specials::scale ? 0 : 1) - bias; }
  [[nodiscard]] constexpr int emax() const {
    const bool top_is_special = specials == Specials::ieee || specials == Specials::scale;
    return (1 << exponent_bits) - 1 - bias - (top_is_special ? 1 : 0);
  }
  [[nodiscard]] constexpr int sign_bit() const { return ignored_low_bits + fraction_bits + exponent_bits; }
  [[nodiscard]] constexpr bool is_floating() const {
    return specials != Specials::integer && specials != Specials::scale;
  }
  [[nodiscard]] constexpr bool is_integer() const { return specials == Specials::integer; }
  [[nodiscard]] constexpr bool has_nan() const {
    return specials != Specials::none && specials != Specials::integer;
  }
  [[nodiscard]] constexpr bool has_infinity() const { return specials == Specials::ieee; }
  /// Significand of the largest finite value at exponent emax, as an integer with `fraction_bits` fraction
  /// bits.
  [[nodiscard]] constexpr std::uint64_t largest_significand() const {
    const std::uint64_t all = (std::uint64_t{2} << fraction_bits) - 1;
    return specials == Specials::nan_only ? all - 1 : all;
  }
  [[nodiscard]] constexpr Pattern pattern_mask() const {
    return container_bits == 64 ? ~Pattern{0} : (Pattern{1} << container_bits) - 1;
  }
  /// Hexadecimal digits in text, two at least (interfaces: formats below 8 bits are written with two).
  [[nodiscard]] constexpr int hex_digits() const { return container_bits <= 8 ? 2 : container_bits / 4; }
};

[[nodiscard]] const FormatInfo& info(Format format);
[[nodiscard]] std::span<const FormatInfo> all_formats();
[[nodiscard]] std::optional<Format> format_named(std::string_view name);
[[nodiscard]] inline std::string_view name(Format format) { return info(format).name; }

/// Is this pattern a NaN of the format? Bits that a unit ignores do not count.
[[nodiscard]] bool is_nan(Format format, Pattern pattern);
/// Is this pattern an infinity of the format?
[[nodiscard]] bool is_infinite(Format format, Pattern pattern);
/// The NaN that the format's standard prefers: quiet, positive where there is a choice. Requires has_nan().
[[nodiscard]] Pattern canonical_nan(Format format);

}  // namespace mmaprint
