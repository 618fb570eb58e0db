// Single patterns decoded and encoded: for display and for tests of the formats.
#pragma once

#include "model/format.h"

namespace mmaprint {

/// ±significand·2^(exponent - fraction_bits), or NaN or infinite. For finite values exponent >= emin.
struct Value {
  bool negative = false;
  bool nan = false;
  bool infinite = false;
  int exponent = 0;
  std::uint64_t significand = 0;
  friend bool operator==(const Value&, const Value&) = default;
};

/// Requires a floating format.
[[nodiscard]] Value decode(Format format, Pattern pattern);
/// The inverse for representable values; NaN gives the canonical one. Requires a floating format.
[[nodiscard]] Pattern encode(Format format, const Value& value);

}  // namespace mmaprint
