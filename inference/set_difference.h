// Sets of hypotheses compared exactly, box by box.
#pragma once

#include <functional>
#include <optional>
#include <utility>

#include "model/hypotheses.h"

namespace mmaprint {

/// The same chain, parameters and NaN pattern.
[[nodiscard]] bool same(const HypothesisSet& x, const HypothesisSet& y);

/// What is in one of `sets` and in none of `others`, as disjoint parts of each of `sets`; the first `most` of
/// them. Where no NaN was seen a set holds any pattern, and only such a set covers it.
[[nodiscard]] VersionSpace difference(const VersionSpace& sets, const VersionSpace& others, std::size_t most);

/// The indices of two sets that share a hypothesis; nullopt if there are none, or once `stop` says so.
[[nodiscard]] std::optional<std::pair<std::size_t, std::size_t>> overlapping(
    const VersionSpace& sets, const std::function<bool()>& stop);

}  // namespace mmaprint
