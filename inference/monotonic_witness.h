// A pair of inputs that shows a unit not to be monotonic, seen without trusting whoever found it.
#pragma once

#include "model/unit_model.h"

namespace mmaprint {

/// Are the inputs finite, no product and no c of `more` smaller than that of `less`, and does the model give
/// `more` a smaller result? Requires a valid model of floating formats.
[[nodiscard]] bool shows_not_monotonic(const UnitModel& model, const DotInput& less, const DotInput& more);

}  // namespace mmaprint
