// What an adder does to bits, drawn in characters under a common binary point.
#pragma once

#include <string>

#include "model/unit_model.h"
#include "report/style.h"

namespace mmaprint {

/// One row for each kind of addend, for the aligned addends, the sum and the result: bits and words.
[[nodiscard]] std::string datapath_drawing(const UnitModel& model, int adder, const Style& style);

}  // namespace mmaprint
