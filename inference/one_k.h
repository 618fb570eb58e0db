// Two models made comparable: of the one with fewer products, as many steps as the other one's K holds
// (model/chained.h).
#pragma once

#include <array>
#include <string>

#include "base/bad_input.h"
#include "model/unit_model.h"

namespace mmaprint {

struct OfOneK {
  UnitModel first, second;
  std::array<int, 2> steps = {1, 1};  ///< of which each consists; at least one of them is 1
};
/// `names` are the models' origins, for messages. Throws BadInput if the models' formats differ, neither K is
/// a multiple of the other, or steps of the shorter one are no unit of the model.
[[nodiscard]] OfOneK of_one_k(const UnitModel& first, const UnitModel& second,
                              const std::array<std::string, 2>& names);

}  // namespace mmaprint
