// Domains of parameters: finite, and addressed by index, so that sets of hypotheses are products of small
// sets.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>

#include "model/adder.h"

namespace mmaprint {

/// What an integer in a file has to be within.
struct IntegerRange {
  int low, high;
};

/// Enumerators, one for each word, in the order of the words.
template <class Enum, std::size_t Words>
struct WordDomain {
  using Value = Enum;
  static constexpr int kSize = static_cast<int>(Words);
  static constexpr Value value(int i) { return static_cast<Enum>(i); }
  static constexpr int index(Value v) { return static_cast<int>(v); }
};

/// 0 .. Largest.
template <int Largest>
struct CountDomain {
  using Value = int;
  static constexpr IntegerRange kRange{0, Largest};
  static constexpr int kSize = Largest + 1;
  static constexpr Value value(int i) { return i; }
  static constexpr int index(Value v) { return v; }
};

/// Index of an optional count: the count itself, and `none` last, so that more kept bits have a larger index.
template <int Largest>
struct OptionalCount {
  using Value = std::optional<int>;
  static constexpr IntegerRange kRange{0, Largest};
  static constexpr int kSize = Largest + 2;
  static constexpr Value value(int i) { return i > Largest ? std::nullopt : std::optional(i); }
  static constexpr int index(Value v) { return v ? *v : Largest + 1; }
};
/// Index 0 is `none`, then 0 .. Largest.
template <int Largest>
struct NoneOrCount {
  using Value = std::optional<int>;
  static constexpr IntegerRange kRange{0, Largest};
  static constexpr int kSize = Largest + 2;
  static constexpr Value value(int i) { return i == 0 ? std::nullopt : std::optional(i - 1); }
  static constexpr int index(Value v) { return v ? *v + 1 : 0; }
};
using OwnBitsDomain = NoneOrCount<kLargestOwnFractionBits>;
using AlignmentBitsDomain = OptionalCount<kLargestAlignmentFractionBits>;
using CarryDomain = OptionalCount<kLargestCarry>;

/// Index 0 is left-out, then as-exponent z and factor-exponent z, z in ascending order to 0.
struct ZeroAddendsDomain {
  using Value = ZeroAddends;
  static constexpr std::string_view kLeftOut = "left-out", kAsExponent = "as-exponent",
                                    kFactorExponent = "factor-exponent";
  static constexpr IntegerRange kRange{kLowestZeroExponent, 0};
  static constexpr int kCount = 1 - kLowestZeroExponent;
  static constexpr int kSize = 1 + 2 * kCount;
  static constexpr Value value(int i) {
    if (i == 0) return {};
    if (i <= kCount) return ZeroAddends::as_exponent(kLowestZeroExponent + i - 1);
    return ZeroAddends::factor_exponent(kLowestZeroExponent + i - 1 - kCount);
  }
  static constexpr int index(Value v) {
    switch (v.kind()) {
      case ZeroAddends::Kind::left_out:
        break;
      case ZeroAddends::Kind::as_exponent:
        return v.exponent() - kLowestZeroExponent + 1;
      case ZeroAddends::Kind::factor_exponent:
        return v.exponent() - kLowestZeroExponent + 1 + kCount;
    }
    return 0;
  }
  /// A word, and the exponent after it.
  static std::string text(int index);
};

/// Index 0 is `none`, then kLowestClamp .. 0 in ascending order.
struct ClampDomain {
  using Value = std::optional<int>;
  static constexpr IntegerRange kRange{kLowestClamp, 0};
  static constexpr int kSize = -kLowestClamp + 2;
  static constexpr Value value(int i) { return i == 0 ? std::nullopt : std::optional(kLowestClamp + i - 1); }
  static constexpr int index(Value v) { return v ? *v - kLowestClamp + 1 : 0; }
};

}  // namespace mmaprint
