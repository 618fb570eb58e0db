// One comparison of two sides in the order of what it costs.
#pragma once

#include <cstdint>
#include <optional>

#include "inference/made_inputs.h"
#include "solver/distinguish.h"

namespace mmaprint {

/// The formula of the whole unit is not tried with fewer steps.
inline constexpr std::int64_t kLeastForUnit = MadeInputs::kManySteps;

/// Node by node first: one block's formula is far smaller than a chain's, and equal nodes make equal units.
/// Where that leaves it open since not all results of earlier nodes occur, differences are looked for that
/// one block's products make, and then the whole unit's formula is worth a try. With `most` steps; nullopt
/// for all that is left.
[[nodiscard]] Distinction nodes_first(const EquivalenceChecker& checker, const Side& left, const Side& right,
                                      Allowance& allowance, std::optional<std::int64_t> most, Inputs inputs);

}  // namespace mmaprint
