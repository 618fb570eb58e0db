// What each node of a unit hands on, one input at a time: to look into a unit, not to compare millions.
#pragma once

#include <vector>

#include "model/plan.h"
#include "model/unit_model.h"

namespace mmaprint {

/// Patterns of the nodes' formats, a NaN whichever; 0 for what carried sums hand on. The plan is the model's.
[[nodiscard]] std::vector<Pattern> results_of_nodes(const UnitModel& model, const Plan& plan,
                                                    const DotInput& input);

}  // namespace mmaprint
