// The plain form of a unit of integers: what of its structure and parameters can matter.
//
// Sums that wrap are sums modulo 2^32, and those can be grouped and ordered in any way (modular sums). Sums
// that saturate can be where none of them but the last can leave D's range: sums of products alone, say.
#pragma once

#include "model/unit_model.h"

namespace mmaprint {

/// A unit that computes as the model does: each node whose sum goes on as it is, or would wrap anyway, gives
/// its place to its operands. Two models with the same form compute alike; two that compute alike may have
/// different ones. Requires a valid model of integers.
[[nodiscard]] UnitModel integer_form(const UnitModel& model);

}  // namespace mmaprint
