// Trees in which nodes have given their place to their operands.
#pragma once

#include "model/unit_model.h"

namespace mmaprint {

/// Drops the nodes from which no way leads to the last; the others keep their order.
void drop_unused_nodes(Tree& tree);

}  // namespace mmaprint
