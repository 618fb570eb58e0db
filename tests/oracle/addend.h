// What the oracle adds: exact integers scaled by powers of two, from and to patterns.
#pragma once

#include <gmpxx.h>

#include "model/unit_model.h"

namespace mmaprint::oracle {

enum class Kind : std::uint8_t { finite, infinite, nan };

/// One addend of a node: an operand, a product or another node's result. A finite one is units·2^unit, where
/// `units` carries the sign; `exponent` is the e that takes part in alignment, which says nothing about the
/// size of `units`.
struct Addend {
  Kind kind = Kind::finite;
  bool negative = false;  ///< of zeros and infinities too
  mpz_class units;
  long unit = 0;
  long exponent = 0;
  Leaf from = ZeroLeaf{};  ///< where in the tree it comes from
  /// A carried sum, unless it is one of zeros alone: its exponent takes part whatever its value.
  bool carried = false;

  [[nodiscard]] bool is_zero() const { return kind == Kind::finite && units == 0; }
};
[[nodiscard]] Addend special(Kind kind, bool negative);
[[nodiscard]] Addend zero(bool negative);

/// An operand before any flushing. Requires a floating format.
[[nodiscard]] Addend operand(Format format, Pattern pattern);
/// A scale, whose sign, if its format has room for one, is not read. Requires a format of scales.
[[nodiscard]] Addend scale(Format format, Pattern pattern);
/// Of a finite value. Throws std::invalid_argument unless the format holds it exactly.
[[nodiscard]] Pattern encoded(Format format, const Addend& x);
/// The largest finite value of either sign whose significand has `fraction_bits` fraction bits.
[[nodiscard]] Addend largest_finite(const FormatInfo& f, long fraction_bits, bool negative);

[[nodiscard]] mpz_class power_of_two(long exponent);
/// x·2^shift. Requires shift >= 0.
[[nodiscard]] mpz_class scaled_up(const mpz_class& x, long shift);
/// floor(log2 |x|). Requires x != 0.
[[nodiscard]] long leading_exponent(const mpz_class& x);
/// x / 2^shift, rounded to an integer; exact for shift <= 0.
[[nodiscard]] mpz_class rounded(const mpz_class& x, long shift, Rounding rounding);
/// The number modulo 2^bits that lies in -2^(bits-1) .. 2^(bits-1)-1.
[[nodiscard]] mpz_class wrapped(const mpz_class& x, long bits);

}  // namespace mmaprint::oracle
