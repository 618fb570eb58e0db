// Inputs made to show which NaN a result is: NaN operands and invalid operations at one place, at two, and at
// many; quiet and signalling ones, each with a payload and a sign of its own.
#pragma once

#include <vector>

#include "model/unit_model.h"

namespace mmaprint {

/// Some hundred inputs whose results the model has as NaN; the same ones for the same model. None of
/// integers.
[[nodiscard]] std::vector<DotInput> nan_inputs(const UnitModel& model);

}  // namespace mmaprint
