// Trees in which nodes have given their place to their operands.
#pragma once

#include "model/unit_model.h"

namespace mmaprint {

/// Drops the nodes from which no way leads to the last; the others keep their order.
void drop_unused_nodes(Tree& tree);
/// Nodes that add their operands at once have them in the order of their first products; all nodes stand
/// where they are used first. Computes as before, but where NaNs go on by their places. Requires nodes that
/// are all used.
void order_by_products(UnitModel& model);

}  // namespace mmaprint
