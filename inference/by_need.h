// Evaluation by need: which hypotheses of a product set give this result on this input?
//
// The datapath runs on concrete words with its parameters undetermined. Where it asks for one, every value
// that is still possible is tried on the question at hand; if all answers agree, the parameter stays
// undetermined, as this input does not read it. Otherwise the set is split by answer, one part goes on and
// the others wait their turn. At the end a part that predicts another result is refuted as a whole, all
// combinations of the parameters that it never read included. So a product of 10^12 hypotheses is sifted
// exactly by some thousand runs, and no solver is trusted.
#pragma once

#include <optional>
#include <vector>

#include "base/deadline.h"
#include "model/hypotheses.h"

namespace mmaprint {

/// The subsets of `sets` that give `observation`, exactly; subsets that differ in one parameter are united
/// again. `threads` >= 1 work side by side.
[[nodiscard]] VersionSpace refine(const Space& space, const VersionSpace& sets,
                                  const Observation& observation, int threads);

/// The same; nullopt if the deadline passed before it was known. To `work`, where given, the operands are
/// added that nodes were run on, which any number of threads has the same of.
[[nodiscard]] std::optional<VersionSpace> refine(const Space& space, const VersionSpace& sets,
                                                 const Observation& observation, int threads,
                                                 const Deadline& deadline, std::int64_t* work = nullptr);

/// Sets of one structure that differ in a single parameter, united until there are none or the time
/// is up. Requires disjoint sets.
[[nodiscard]] VersionSpace united(VersionSpace sets, const Deadline& deadline = {});

}  // namespace mmaprint
