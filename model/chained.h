// An instruction of few products, issued several times: d of each step is c of the next. What that computes
// is one unit of as many products as all steps have, so that it can be compared with an instruction of that
// many.
#pragma once

#include <optional>
#include <string>

#include "model/unit_model.h"

namespace mmaprint {

/// Why so many steps of the unit are no unit of the model; nullopt if they are one.
[[nodiscard]] std::optional<std::string> not_chainable(const UnitModel& step, int times);

/// So many steps as one unit, whose products are those of the first step, of the second, and so on. Requires
/// `times` of at least 1 and that `not_chainable` has no objection. One step is the unit itself.
[[nodiscard]] UnitModel chained(const UnitModel& step, int times);

}  // namespace mmaprint
