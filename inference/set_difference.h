// Sets of hypotheses compared exactly, box by box.
#pragma once

#include <optional>
#include <utility>

#include "base/deadline.h"
#include "model/hypotheses.h"

namespace mmaprint {

/// The same chain, parameters and NaN pattern.
[[nodiscard]] bool same(const HypothesisSet& x, const HypothesisSet& y);

/// What is in one of `sets` and in none of `others`, as disjoint parts of each of `sets`; the first `most` of
/// them. Where no NaN was seen a set holds any pattern, and only such a set covers it. Takes time as the
/// product of their numbers. Throws DeadlinePassed.
[[nodiscard]] VersionSpace difference(const VersionSpace& sets, const VersionSpace& others, std::size_t most,
                                      const Deadline& deadline = {});

/// The indices of two sets that share a hypothesis; nullopt if there are none. Takes time as the square of
/// their number. Throws DeadlinePassed.
[[nodiscard]] std::optional<std::pair<std::size_t, std::size_t>> overlapping(const VersionSpace& sets,
                                                                             const Deadline& deadline);

}  // namespace mmaprint
