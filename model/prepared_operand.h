// Operands that are decoded once and used often.
#pragma once

#include <cstdint>

namespace mmaprint {

/// An operand as one word: the significand in the low bits, what else it is, and the exponent in the upper
/// half.
struct PreparedOperand {
  static constexpr int kSignificandBits = 29;
  static constexpr int kInfinite = 29, kNan = 30, kNegative = 31, kExponentAt = 32;
  /// The exponent of zeros: with any other factor's far below that of every product that is none.
  static constexpr int kZeroExponent = -(1 << 20);
  /// One that is infinite and NaN.
  static constexpr std::uint64_t kSpecial = std::uint64_t{3} << kInfinite;

  /// An operand of an algebra on machine words, as one.
  template <class Operand>
  [[nodiscard]] static constexpr std::uint64_t of(const Operand& x) {
    return with_zero(static_cast<std::uint32_t>(x.significand.value) |
                         std::uint32_t{x.infinite.value} << kInfinite | std::uint32_t{x.nan.value} << kNan |
                         std::uint32_t{x.negative.value} << kNegative,
                     static_cast<std::uint32_t>(x.exponent.value));
  }
  /// With the exponent of zeros, if it is one.
  [[nodiscard]] static constexpr std::uint64_t with_zero(std::uint64_t x) {
    return with_zero(static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(x >> kExponentAt));
  }

 private:
  static constexpr std::uint32_t kSignificand = (std::uint32_t{1} << kSignificandBits) - 1;
  [[nodiscard]] static constexpr std::uint64_t with_zero(std::uint32_t low, std::uint32_t exponent) {
    const auto high = (low & kSignificand) != 0 ? exponent : static_cast<std::uint32_t>(kZeroExponent);
    return std::uint64_t{high} << kExponentAt | low;
  }
};

}  // namespace mmaprint
