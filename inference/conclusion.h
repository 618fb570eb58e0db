// What a finished search has established: how its survivors stand, and from that how it ended.
#pragma once

#include <optional>
#include <vector>

#include "inference/ending.h"
#include "inference/equivalence_ledger.h"
#include "inference/evidence.h"

namespace mmaprint {

/// An input that nobody answers, and what the reported model gives on it.
struct Untold {
  const Space* space;
  Observation as_modelled;
  int threads;
};
/// How each set stands: as it was noted, but undecided where the untold input tells a member of it from the
/// model.
[[nodiscard]] std::vector<SurvivorClass> standings(const EquivalenceLedger& ledger, const VersionSpace& sets,
                                                   const std::optional<Untold>& untold,
                                                   const Deadline& deadline);

/// How a search ended that nothing stopped: its survivors stand so, and the unit agrees with the model on
/// what was to confirm it, or was not asked all of that. `time_up`: what is open is so for want of time.
[[nodiscard]] Ending ending_of(const Evidence& evidence, const std::vector<SurvivorClass>& survivors,
                               bool confirmed, bool time_up);

}  // namespace mmaprint
