// Evaluation by need: which hypotheses of a product set give this result on this input?
//
// The datapath runs on concrete words with its parameters undetermined. Where it asks for one, every value
// that is still possible is tried on the question at hand; if all answers agree, the parameter stays
// undetermined, as this input does not read it. Otherwise the set is split by answer, one part goes on and
// the others wait their turn. At the end a part that predicts another result is refuted as a whole, all
// combinations of the parameters that it never read included. So a product of 10^12 hypotheses is sifted
// exactly by some thousand runs, and no solver is trusted.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "base/deadline.h"
#include "model/hypotheses.h"

namespace mmaprint {

/// The subsets of `sets` that give `observation`, exactly; subsets that differ in one parameter are united
/// again. `threads` >= 1 work side by side.
[[nodiscard]] VersionSpace refine(const Space& space, const VersionSpace& sets,
                                  const Observation& observation, int threads);

/// What is said of an observation that was given up since the sets split into too many.
inline constexpr std::string_view kTooManySets =
    "the hypotheses split into more sets than are worth keeping: state more of the unit";

/// At one step of it and on one thread, and in the end in all. Some hundred bytes each, to two thousand in
/// the end: this is what a small machine has room for.
inline constexpr std::size_t kMostSets = 500'000;

/// What a sifting may need and what it costs.
struct Sifting {
  std::size_t most_sets = kMostSets;
  std::int64_t operands = 0;   ///< that nodes were run on: the same for any number of threads
  bool too_many_sets = false;  ///< it was given up since the sets split into more than are worth keeping
};

/// The same; nullopt if the deadline passed before it was known, or if there were too many sets on the way.
/// What it cost is added to `spent`, where that is given.
[[nodiscard]] std::optional<VersionSpace> refine(const Space& space, const VersionSpace& sets,
                                                 const Observation& observation, int threads,
                                                 const Deadline& deadline, Sifting* spent = nullptr);

/// What it would cost to sift sets by the result of an input, whatever that is.
struct CostOfSifting {
  std::int64_t operands = 0;  ///< that nodes would be run on
  std::size_t sets = 0;       ///< that would be left for all results together
};
/// nullopt if there would be more operands than `most`, or too many sets, or if the deadline passed.
[[nodiscard]] std::optional<CostOfSifting> cost_of_sifting(const Space& space, const VersionSpace& sets,
                                                           const DotInput& input, std::int64_t most,
                                                           int threads, const Deadline& deadline);

/// Sets of one structure that differ in a single parameter, united until there are none or the time
/// is up. Requires disjoint sets.
[[nodiscard]] VersionSpace united(const VersionSpace& sets, const Deadline& deadline = {});

}  // namespace mmaprint
