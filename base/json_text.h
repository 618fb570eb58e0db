// Documents as people like to read them.
#pragma once

#include <string>

#include "base/json_source.h"

namespace mmaprint {

/// Indented, but what fits on a line stays on one, and short items fill lines. Ends with a line's end.
/// Otherwise as json_line() writes.
[[nodiscard]] std::string json_text(const Json& document);

}  // namespace mmaprint
