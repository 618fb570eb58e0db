// Where a sum that is carried on joins c, and the sum is rounded down: does it matter how many bits of it are
// kept?
//
// Let y be the carried sum, with the exponent E_y, and x the other operand, which is aligned by rules of its
// own. With many bits F, y loses some only where x is far larger: E is x's exponent then, and x is a normal
// number. So the sum of both lies beyond 2^(E-1), and results' last place is that of 2^(E-1) at least. Where
// 2^(E-F) is no more than that, rounding y down to a multiple of 2^(E-F) before the sum is rounded down comes
// to the same as rounding once; and so does a sticky bit, where 2^(E-F) is no more than half of it. Where E
// is as low as the smallest results' exponents, be it a clamp's or that of a subnormal x, results' last place
// is that of the smallest ones at least, however much cancels: all that shows is a sum that becomes zero.
//
// CLAIM: hypotheses that differ in the node's F, or in how carried sums are rounded when they are aligned,
// have the same results at such a node.
#pragma once

#include "solver/node_bounds.h"

namespace mmaprint {

/// Do the sums of this node round down as the exact ones, with F bits and with this rounding of what is lost?
/// Requires sums that don't wrap. `bounds` are those of the node, for the box.
[[nodiscard]] bool joins_as_exact(const Plan& plan, const PlannedNode& node, const Box& box,
                                  const NodeBounds& bounds, std::optional<int> f, AlignmentRounding rounding);

/// Up to which clamp of this node, whose sum is carried on, the join of the sum and one other operand is the
/// same: as E is no less there, or nothing is lost where the other one is zero. Requires a node of the plan;
/// `bounds` are those of the node, for the box.
[[nodiscard]] int highest_clamp_before_join(const Plan& plan, const PlannedNode& carried, const Box& box,
                                            const NodeBounds& bounds);

}  // namespace mmaprint
