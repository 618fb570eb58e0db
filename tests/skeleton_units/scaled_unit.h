// Units with scales, drawn from a grammar.
#pragma once

#include "model/unit_model.h"

namespace mmaprint::test {

/// K from 8 to 64; factors of 8 bits and less, a scale for 8 to K of them on one side or both; products
/// scaled one by one, in any skeleton of skeleton_unit's, or sums of groups, joined in chains of nodes. Every
/// second unit is close to those that are built. With the same seed always the same, and legal.
[[nodiscard]] UnitModel scaled_unit(std::uint64_t seed);

}  // namespace mmaprint::test
