// +0 that a sum starts from.
#pragma once

#include "model/unit_model.h"

namespace mmaprint {

/// Does normalisation lose nothing of this operand alone, as a sum that began with +0, so that the operands
/// after it join the same sum without the zero? Requires a node whose operands are aligned alike.
/// `bits_of_factors`: fraction bits of a product's two factors together.
[[nodiscard]] bool is_kept_alone(const Leaf& operand, const Adder& adder, int bits_of_factors);

}  // namespace mmaprint
