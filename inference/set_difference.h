// Sets of hypotheses compared exactly, box by box.
#pragma once

#include "model/hypotheses.h"

namespace mmaprint {

/// The same chain, parameters and NaN pattern.
[[nodiscard]] bool same(const HypothesisSet& x, const HypothesisSet& y);

/// What is in one of `sets` and in none of `others`, as disjoint parts of each of `sets`; the first `most` of
/// them. Where no NaN was seen a set holds any pattern, and only such a set covers it.
[[nodiscard]] std::vector<HypothesisSet> difference(const std::vector<HypothesisSet>& sets,
                                                    const std::vector<HypothesisSet>& others,
                                                    std::size_t most);

}  // namespace mmaprint
