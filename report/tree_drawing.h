// A unit's tree of adders, drawn in characters.
#pragma once

#include <string>

#include "model/unit_model.h"

namespace mmaprint {

/// "0..7 | 8..15"
[[nodiscard]] std::string blocks_text(const std::vector<std::vector<int>>& blocks);
/// The sign by which drawings tell adders apart.
[[nodiscard]] std::string adder_sign(int adder);
/// Operands at the left, each adder at the foot of what it sums, d at the right. Lines begin with two blanks.
[[nodiscard]] std::string tree_drawing(const Tree& tree);

}  // namespace mmaprint
