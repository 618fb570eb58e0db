// Single patterns decoded, classified and encoded: for display, for what looks at inputs, and for tests of
// the formats.
#pragma once

#include "model/parameters.h"
#include "model/pattern.h"

namespace mmaprint {

/// ±significand·2^(exponent - fraction_bits), or NaN or infinite. For finite values exponent >= emin; for
/// integers exponent = fraction_bits, so that the significand is the magnitude.
struct Value {
  bool negative = false;
  bool nan = false;
  bool infinite = false;
  int exponent = 0;
  std::uint64_t significand = 0;
  friend bool operator==(const Value&, const Value&) = default;
};

/// Of any format; bits beyond the pattern's width don't count.
[[nodiscard]] Value decode(Format format, Pattern pattern);
/// The inverse for representable values; NaN gives the canonical one.
[[nodiscard]] Pattern encode(Format format, const Value& value);

[[nodiscard]] ValueClass classify(Format format, Pattern pattern);
[[nodiscard]] inline bool is_zero(Format format, Pattern pattern) {
  return classify(format, pattern) == ValueClass::zero;
}

/// Two factors and what is made of them; single bits may have their exclusive or in place of a product.
struct Factors {
  Format a, b;
  ProductKind kind = ProductKind::exact_unnormalised;
};
/// Is what is made of them a zero? A zero times an infinity is none.
[[nodiscard]] bool product_is_zero(const Factors& factors, Pattern a, Pattern b);
/// Set digits of the significand: fraction bits, or bits of an integer's magnitude.
[[nodiscard]] int set_digits(Format format, Pattern pattern);

}  // namespace mmaprint
