// Models that compute.
#pragma once

#include <string>

#include "base/deadline.h"
#include "model/unit_model.h"

namespace mmaprint {

/// Throws BadInput if there is no such model, or it is a partial one; DeadlinePassed if it did before all was
/// read.
[[nodiscard]] UnitModel full_model(const std::string& spec, const Deadline& deadline);

}  // namespace mmaprint
