// A unit on inputs of which only some products may be other than zero.
//
// Most nodes of a long chain have nothing to do then, and what is left is a smaller unit. Two units with
// products at these places compute as they do with products at those, so that one question is enough for many
// choices of places; and units that differ in how they add many products are the same unit for few. Five
// things are left out, none of which makes a difference:
//
// - A node that adds zeros to one operand of its result's format gives that operand back where it keeps all
//   bits that it can have: E is the operand's exponent, or a clamp so low that nothing falls below the last
//   bit that is kept; one operand wraps nowhere; and it is rounded to no fewer bits than it has. The zeros go
//   on to the node that the result went to.
// - A node that cuts c down to F bits or more gives what the next node of its kind cuts down to F bits
//   anyway, below an exponent that is no smaller, and is c's where that is the larger one.
// - Zeros make a difference to the sign of a sum that is zero, and to nothing else. So they are left out
//   where no result is ever -0, and beside a +0, which makes +0 of zeros of whatever sign, unless it is
//   rounded down. They stay where they are where an operand may be dropped, and leave its zero's sign.
// - What alignment could lose of a single operand that has no more bits than are kept.
// - Carry bits that no sum of so many operands reaches.
#pragma once

#include <vector>

#include "model/unit_model.h"

namespace mmaprint {

/// May a sum be -0?
[[nodiscard]] bool has_negative_zeros(const UnitModel& model);

/// Computes as the model wherever all other products are those of +0 and a zero of either sign. Its tree need
/// not have those. The model itself where zeros have a say, or the order of operands has.
[[nodiscard]] UnitModel with_few_products(const UnitModel& model, const std::vector<bool>& products);

}  // namespace mmaprint
