// Which nodes' results may be -0, from the conventions alone.
#pragma once

#include <vector>

#include "solver/distinguish.h"

namespace mmaprint {

/// By node: may some hypothesis of the side give -0 there? A zero comes of zeros alone, of addends that
/// cancel, or of a sum that is rounded to zero or flushed, and each has a rule of its own for its sign
/// (docs/semantics.md, zeros). A sum to which +0 belongs is no sum of -0 alone.
[[nodiscard]] std::vector<bool> may_be_negative_zero(const Side& side);

}  // namespace mmaprint
