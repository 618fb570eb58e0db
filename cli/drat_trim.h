// drat-trim (Wetzler, Heule, Hunt 2014) as a second opinion on stored proofs, where it is installed.
#pragma once

#include "inference/derivation_check.h"

namespace mmaprint {

/// Runs `drat-trim` on each proof, in a folder of its own that is removed again, until the deadline. Throws
/// BadInput if there is no such program on PATH, or it can't be run or answers neither way.
[[nodiscard]] OtherChecker drat_trim();

}  // namespace mmaprint
