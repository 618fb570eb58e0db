// Units that differ from a given one in little, often in nothing that shows.
#pragma once

#include "model/unit_model.h"
#include "support/random.h"

namespace mmaprint::toys {

/// Nodes in more classes, +0 among the operands of some, no more among those of others, and at times
/// another parameter of one class.
[[nodiscard]] UnitModel regrouped(test::Random& random, UnitModel unit);

/// A last node more, which adds the root's result, and +0 at times; which is rounded to odd at times.
[[nodiscard]] UnitModel with_last_node(test::Random& random, UnitModel unit);

/// Some classes of nodes align exactly, or don't wrap.
[[nodiscard]] UnitModel with_wide_nodes(test::Random& random, UnitModel unit);

}  // namespace mmaprint::toys
