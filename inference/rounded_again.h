// What rounding comes to of a sum that was rounded before.
#pragma once

#include "model/unit_model.h"

namespace mmaprint {

/// The format of a node's results.
[[nodiscard]] const FormatInfo& result_of(const UnitModel& model, const Node& node);

/// The result of another node, where that is all that this one adds but for +0; else null.
[[nodiscard]] const NodeLeaf* only_operand(const Node& node);

// A node that adds another one's result and nothing else, and loses nothing as that is aligned.

/// Does it round nothing? The result has overflowed and been flushed already, in the same format.
[[nodiscard]] bool rounds_nothing(const UnitModel& model, std::size_t node, std::size_t operand);
/// Does it round as if the operand's sum had not been rounded before (solver/rounded_to_odd.h)? Sums that
/// cancel have the sign that goes with the rounding.
[[nodiscard]] bool rounds_at_once(const UnitModel& model, std::size_t node, std::size_t operand);

}  // namespace mmaprint
