// Hypotheses tried one by one, where a space has so few that evaluation by need would not pay: integers have
// a handful for each structure, and their sums reach across nodes, which evaluation by need takes singly.
#pragma once

#include <optional>
#include <vector>

#include "base/deadline.h"
#include "model/hypotheses.h"

namespace mmaprint {

/// The hypotheses of `sets` that give the observed result; nullopt if the deadline passed before it was
/// known. Requires few of them in each set, none with an unknown NaN pattern.
[[nodiscard]] std::optional<VersionSpace> refine_by_listing(const Space& space, const VersionSpace& sets,
                                                            const Observation& observation,
                                                            const Deadline& deadline);

}  // namespace mmaprint
