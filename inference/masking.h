// Inputs that mask: a large number at one leaf of a unit's tree, its negation at another, and units at
// others, which are lost where they meet either before both are gone (Xie et al., FPRev, 2025).
#pragma once

#include <cstdint>
#include <optional>
#include <span>

#include "model/dot_input.h"

namespace mmaprint {

/// Leaves are the products, 0 .. K-1, and K is c where there is one.
using LeafIndex = int;

/// ±2^exponent at a leaf.
struct PowerAt {
  LeafIndex leaf;
  bool negative;
  int exponent;
};

class MaskingInputs {
 public:
  /// Requires floating formats.
  MaskingInputs(int k, const Signature& formats);

  [[nodiscard]] int leaves() const { return k_ + (formats_.c ? 1 : 0); }
  /// Exponents of the powers of two that can stand at any leaf, and that D has: subnormal ones among them.
  [[nodiscard]] int lowest() const { return lowest_; }
  [[nodiscard]] int highest() const { return highest_; }
  /// D's significand, in bits.
  [[nodiscard]] int precision() const;

  /// Zeros but for these. Requires exponents within lowest() .. highest().
  [[nodiscard]] DotInput input(std::span<const PowerAt> powers) const;
  /// A result in units of 2^exponent; nullopt where it is no whole number of them, or none below 2^62.
  [[nodiscard]] std::optional<std::int64_t> units(Pattern d, int exponent) const;

 private:
  int k_;
  Signature formats_;
  int lowest_, highest_;
};

}  // namespace mmaprint
