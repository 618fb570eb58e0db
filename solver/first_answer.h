// The winner of a race (solver/race.h).
#pragma once

#include <functional>
#include <span>

#include "solver/distinguish.h"

namespace mmaprint {

/// One way: an answer within limits.
using Way = std::function<Distinction(const Limits&)>;

/// The answer of the way that needs the fewest steps to one, of several the first; unknown where none has
/// one. Each is given a thread of its own and `limits`, and of their steps the winner's are counted, or the
/// longest's. What a way throws is thrown here once all have ended.
[[nodiscard]] Distinction first_answer(std::span<const Way> ways, const Limits& limits);

}  // namespace mmaprint
