// Measures structure by three leaves at a time, where more at once would be muddled.
//
// M stands at x, -M at y, u at z, and all else is zero: z is kept if it is what is left, and lost otherwise,
// whatever remains of M where roundings are directed. That orders the others by where they join x: z joins
// after y if z is kept beside x and y, and y is lost beside x and z. Where both are lost they join x at one
// node; where both are kept, too, but that node loses nothing. A new leaf finds its place among the nodes on
// x's way to the root in about log2 of their number of steps.
#pragma once

#include "inference/masked_unit.h"

namespace mmaprint {

/// Throws NotMeasured.
[[nodiscard]] Joining structure_singly(MaskedUnit& unit, bool has_c);

}  // namespace mmaprint
