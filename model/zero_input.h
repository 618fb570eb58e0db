// The input that others are made from: nothing but zeros.
#pragma once

#include "model/unit_model.h"

namespace mmaprint {

/// Products of +0 and +0, and +0 for c.
[[nodiscard]] inline DotInput zero_input(int k) {
  const auto n = static_cast<std::size_t>(k);
  return {std::vector<Pattern>(n, 0), std::vector<Pattern>(n, 0), 0};
}

}  // namespace mmaprint
