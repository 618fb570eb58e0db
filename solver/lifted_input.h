// From a difference at one node to an input on which the whole units differ.
#pragma once

#include <optional>

#include "solver/distinguish.h"

namespace mmaprint {

/// An input on which the units differ, where a question about a node found operands on which its results do:
/// its own products and c as they were found, and operands of earlier nodes that add up to the results that
/// were. Later nodes get what makes the difference show. nullopt where that leads to none: not all numbers
/// are results. The units are of the two sides, which add the same.
[[nodiscard]] std::optional<DotInput> lifted_input(const Side& left, const UnitModel& x, const UnitModel& y,
                                                   std::size_t node, const Witness& found);

}  // namespace mmaprint
