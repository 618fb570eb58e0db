// Numbers under each other, digit by digit, columns by weight.
#pragma once

#include <vector>

#include "report/binary.h"
#include "report/style.h"

namespace mmaprint {

struct GridRow {
  std::string label;
  std::string patterns;  ///< hexadecimal
  Binary number;
  bool all_digits = false;  ///< down to the ulp; else down to the last one
  Tone tone = Tone::plain;
  std::vector<int> marked;  ///< weights of digits to be set off
};

/// A ruler of weights, then a row each: label, patterns, value, sign, digits. Long stretches where no row has
/// a one are cut to "⋯"; where the digits would still not fit into `width`, they are left out.
[[nodiscard]] std::string bit_grid(const std::vector<GridRow>& rows, const Style& style,
                                   std::size_t width = 150);

}  // namespace mmaprint
