// A simulated unit put through an identification as a user's device would be.
#pragma once

#include "inference/characterise.h"

namespace mmaprint::samples {

/// An exact adder but for F fraction bits kept in alignment.
[[nodiscard]] Adder aligned(int f, Rounding rounding, Format result);

/// Options of tests that look at what is found: little is spent on proofs, and sums are not carried.
[[nodiscard]] CharacteriseOptions for_finding();
/// The default search of the unit, or one for what is stated; on two threads within ten minutes.
[[nodiscard]] Characterisation characterised(const UnitModel& hidden, const CharacteriseOptions& options,
                                             const PartialFeatures& stated = {});
/// Expects a confirmed model that agrees with the unit on random inputs, and gives what was found.
Characterisation expect_found(const UnitModel& hidden, const CharacteriseOptions& options = for_finding(),
                              const PartialFeatures& stated = {});

}  // namespace mmaprint::samples
