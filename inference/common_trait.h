// What the inputs have in common on which a unit departs from a model, in words: all of them have a zero
// product, say.
//
// A trait is told where all inputs have it on which the two differ, and the others have it so seldom that
// this is no accident: with a share s of these, n inputs would all have it with a chance of s^n, and there
// are as many chances as traits. A second one is added where with both far fewer of the others are left; of
// pairs there are more.
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>

#include "model/unit_model.h"

namespace mmaprint {

struct CommonTrait {
  std::string words;      ///< what such an input has: "a subnormal c", "a zero product and a negative result"
  std::size_t departing;  ///< inputs on which unit and model differ; all have it
  std::size_t others;     ///< on which they agree
  std::size_t of_others;  ///< of these have it
};

/// nullopt where they agree everywhere, or no such trait is known. `answers` are the unit's.
[[nodiscard]] std::optional<CommonTrait> trait_of_departures(const UnitModel& model,
                                                             std::span<const Observation> answers);

/// "37 inputs on which it is wrong, all with a zero product; 12 of the 463 others have that"
[[nodiscard]] std::string text(const CommonTrait& trait);

}  // namespace mmaprint
