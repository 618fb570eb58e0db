// Documents as people like to read them.
#pragma once

#include <string>

#include "model/json_source.h"

namespace mmaprint {

/// Indented, but what fits on a line stays on one. Ends with a line's end.
[[nodiscard]] std::string json_text(const Json& document);
/// On one line, without its end.
[[nodiscard]] std::string json_line(const Json& document);

}  // namespace mmaprint
