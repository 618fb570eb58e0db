// Parameters for units with a given skeleton, drawn at random.
#pragma once

#include "model/hypotheses.h"
#include "support/random.h"

namespace mmaprint::test {

/// Any of a space with one skeleton.
[[nodiscard]] ParameterValues any_values(Random& random, const Space& space);
/// As units are built.
[[nodiscard]] ParameterValues realistic_values(Random& random, const Space& space);

}  // namespace mmaprint::test
