// Which products join where, drawn at random.
#pragma once

#include "model/joining.h"
#include "skeleton_units/skeleton_unit.h"

namespace mmaprint::test {

/// Of K products, without c. Not of family `carried`, whose blocks those of a chain are.
[[nodiscard]] Joining random_joining(Random& random, SkeletonFamily family, int k);
/// The same with c: at the node that is added first, at the root, at a new root, or anywhere.
[[nodiscard]] Joining with_c(Random& random, Joining structure);

}  // namespace mmaprint::test
