// Where a sum overflows, which rules come to the same: IEEE 754's goes by the direction of rounding.
#pragma once

#include "solver/node_bounds.h"

namespace mmaprint {

/// Values of `overflow` with which each hypothesis of a set gives the same of sums of this node that
/// overflow, if all else is the same; none where nothing is known. Where the sum is rounded to odd first, the
/// node after it decides (solver/rounded_to_odd.h); and where the next one rounds the largest number to
/// nearest, in fewer bits, it overflows there.
[[nodiscard]] ValueSet overflows_alike(const Plan& plan, const PlannedNode& node, const Box& box);

/// May a sum be made the largest number, which has as many bits as results?
[[nodiscard]] bool may_become_largest(const PlannedNode& node, const Box& box, const NodeBounds& bounds);
/// May what a sum is made depend on the direction in which it is rounded, as it overflows?
[[nodiscard]] bool may_follow_direction(const PlannedNode& node, const Box& box, const NodeBounds& bounds);

}  // namespace mmaprint
