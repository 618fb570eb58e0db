// Formats of one or two fraction bits and two exponent bits, which no table has.
#pragma once

#include <vector>

#include "model/format.h"

namespace mmaprint::test {

struct ToyFormats {
  FormatInfo a, b, c, d;
};

[[nodiscard]] constexpr FormatInfo floating(int exponent_bits, int fraction_bits, int bias,
                                            Specials specials = Specials::ieee) {
  return {Format::fp16, "toy",   1 + exponent_bits + fraction_bits, exponent_bits, fraction_bits, bias, 0,
          true,         specials};
}

/// Factors with infinities and NaNs of every kind and without, operands that are finer or coarser than
/// products.
[[nodiscard]] inline const std::vector<ToyFormats>& toy_formats() {
  using enum Specials;
  static const std::vector<ToyFormats> all{
      {floating(2, 1, 1, none), floating(2, 1, 1, none), floating(2, 2, 1, ieee), floating(2, 2, 1, ieee)},
      {floating(2, 1, 1, ieee), floating(2, 1, 2, nan_only), floating(3, 2, 3, ieee),
       floating(2, 2, 1, ieee)},
      {floating(2, 1, 1, nan_at_zero), floating(2, 0, 1, none), floating(2, 1, 1, ieee),
       floating(3, 2, 4, ieee)},
      {floating(2, 2, 3, none), floating(2, 1, 0, none), floating(3, 1, 5, ieee), floating(3, 1, 3, ieee)},
  };
  return all;
}

}  // namespace mmaprint::test
