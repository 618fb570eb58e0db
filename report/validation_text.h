// What bulk comparisons found, for people.
#pragma once

#include <string>
#include <vector>

#include "inference/validate.h"
#include "report/style.h"

namespace mmaprint {

[[nodiscard]] std::string validation_text(const std::vector<DeviceValidation>& all, const Style& style);

}  // namespace mmaprint
