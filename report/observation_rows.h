// One dot product for a grid: its products that are not zero, c, and results.
#pragma once

#include <string>
#include <vector>

#include "inference/input_size.h"
#include "report/bit_grid.h"

namespace mmaprint {

/// A result and whose it is.
struct NamedResult {
  std::string name;
  Pattern d;
  Tone tone = Tone::plain;
};
/// Digits in which a result differs from the first one are set off. Products that are +0 are left out.
/// `kinds` says what is made of single bits; where it is empty, their products and their exclusive ors are
/// shown.
[[nodiscard]] std::vector<GridRow> observation_rows(const Signature& formats, const DotInput& input,
                                                    const std::vector<NamedResult>& results,
                                                    const ProductKinds& kinds = {});

}  // namespace mmaprint
