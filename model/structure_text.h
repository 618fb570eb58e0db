// Trees in one line.
#pragma once

#include <string>
#include <vector>

#include "model/skeleton.h"

namespace mmaprint {

/// "0..7", "0,2..8" (a step of two), "0,5,9": indices in their order.
[[nodiscard]] std::string indices_text(const std::vector<int>& indices);

/// "((c + p0..7) + p8..15)": every node in brackets, those of one class alike: (), [], {}, <>, and again.
[[nodiscard]] std::string structure_text(const Tree& tree);

}  // namespace mmaprint
