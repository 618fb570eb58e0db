// Two places where subnormal c may be flushed: as it is read, or with the results.
#pragma once

#include "model/parameters.h"

namespace mmaprint {

/// Does one flush c alone, and the other results alone? Where results are subnormal for a subnormal c alone
/// this comes to the same, and neither can be changed without the other.
[[nodiscard]] bool flushes_elsewhere(const ParameterValues& x, const ParameterValues& y);
/// The same values, but that c and results are flushed as with the others.
[[nodiscard]] ParameterValues flushed_as(ParameterValues values, const ParameterValues& others);

}  // namespace mmaprint
