// Where dropping operands of kind c that lie far below E changes nothing. Part of solver/idle_at_node.h.
#pragma once

#include "solver/node_bounds.h"

namespace mmaprint {

/// Is an operand of kind c that lies more than t below E never there, or aligned to nothing anyway? Where
/// none but such operands is left, another rule gives the zero its sign. CLAIM: hypotheses that drop such
/// operands compute as those that drop none. `bounds` are those of the node, for the box.
[[nodiscard]] bool drops_in_vain(const Plan& plan, const PlannedNode& node, const Box& box,
                                 const NodeBounds& bounds, int t);

/// May the node drop an operand where this is E, by any of the set's rules?
[[nodiscard]] bool may_drop_below(int e, const PlannedNode& node, const Box& box, const NodeBounds& bounds);

}  // namespace mmaprint
