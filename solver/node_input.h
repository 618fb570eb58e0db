// From one node's operands to an input of the whole unit.
#pragma once

#include <span>

#include "solver/distinguish.h"

namespace mmaprint {

/// An input on which the node sees about the operands in `found` and the earlier results: its own products,
/// all others zero, and the earlier result as c, or, where c does not enter before, as products of earlier
/// nodes that add up to it. Only an attempt: rounding may get in the way.
[[nodiscard]] DotInput unit_input(const Side& side, std::size_t node, const DotInput& found,
                                  std::span<const Pattern> earlier);

}  // namespace mmaprint
