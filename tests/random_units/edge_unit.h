// Units of the space at its edges, where one parameter hides another.
#pragma once

#include "model/unit_model.h"
#include "support/random.h"

namespace mmaprint::test {

/// As random_unit, but with a clamp next to where D's or the products' subnormals begin or end, saturation,
/// flushed results, few carry bits, short results, directed roundings and odd signs of zero, each in about
/// every second unit.
[[nodiscard]] UnitModel edge_unit(Random& random);

}  // namespace mmaprint::test
