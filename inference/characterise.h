// All about one instruction: identify it, and go on where the first answer was not the last.
//
// Three things may follow an identification. Where nothing remains because NaN results have several patterns,
// the search is done once more without telling NaNs apart. Where nothing remains at all, it goes on among
// wider skeletons. And a model may be compared with the device in
// bulk: an input on which they differ becomes an observation, from which the search goes on.
#pragma once

#include "inference/assumption.h"
#include "inference/identify.h"
#include "inference/validate.h"

namespace mmaprint {

struct CharacteriseOptions {
  IdentifyOptions identify = {};
  std::uint64_t vectors = 0;  ///< compared in bulk with the model that is found; 0: none
  bool tries_carried = true;  ///< skeletons that carry sums on are tried where no others explain the unit
};

struct CharacteriseHooks {
  IdentifyHooks identify;
  enum class Change : std::uint8_t {
    nans_merged,  ///< NaN results have several patterns, which are not told apart from here on
    widened,      ///< nothing of what was searched explains the unit
  };
  /// The search has changed; what is found from now on belongs to this one.
  std::function<void(const Search&, Change)> changed;
  ShowProgress validating;
};

struct Characterisation {
  Search search;
  Identification result;
  std::optional<Validation> validation;  ///< the last one
};

/// `known` are observations from before.
[[nodiscard]] Characterisation characterise(Search search, Subject subject, const Instruction& instruction,
                                            std::vector<Observation> known,
                                            const CharacteriseOptions& options,
                                            const CharacteriseHooks& hooks);

}  // namespace mmaprint
