// Units with scales on machine words. Apart from the others, whose operands come from tables.
#pragma once

#include "model/plan.h"

namespace mmaprint {

/// d of a unit with scales. Requires the model's plan, and patterns within their formats' widths.
[[nodiscard]] Pattern evaluate_scaled(const UnitModel& model, const Plan& plan, const DotInput& input);

}  // namespace mmaprint
