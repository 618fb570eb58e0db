// Integer units, node by node; oracle.h is the way in.
#pragma once

#include "oracle/deviation.h"

namespace mmaprint::oracle {

[[nodiscard]] Pattern evaluate_integer(const UnitModel& model, const DotInput& input,
                                       const Deviation& deviation);

}  // namespace mmaprint::oracle
