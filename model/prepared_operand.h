// Operands that are decoded once and used often.
#pragma once

#include <cstdint>

namespace mmaprint {

/// An operand as one word: the significand in the low bits, what else it is, and the exponent in the upper
/// half.
struct PreparedOperand {
  static constexpr int kSignificandBits = 29;
  static constexpr int kInfinite = 29, kNan = 30, kNegative = 31, kExponentAt = 32;
  /// One that is infinite and NaN.
  static constexpr std::uint64_t kSpecial = std::uint64_t{3} << kInfinite;
};

}  // namespace mmaprint
