// Models that compute.
#pragma once

#include <string>

#include "model/unit_model.h"

namespace mmaprint {

/// Throws BadInput if there is no such model, or it is a partial one.
[[nodiscard]] UnitModel full_model(const std::string& spec);

}  // namespace mmaprint
