// The plain form of a unit with scales: what of its structure and alignment can matter.
//
// Sums of products that have their scales in common are multiples of them. Where nothing of such sums is lost
// they add up to the same one by one, in several groups or in one, and where all of a node's sums are numbers
// of its result's format it could as well not be there. Both depend on how far apart the scales may lie; so
// they are told by what is known of all that can happen (solver/node_bounds.h), not by the tree alone.
#pragma once

#include "model/unit_model.h"

namespace mmaprint {

/// A unit that computes as the model does, with a class for each node: nodes that lose nothing are aligned by
/// default, groups that have their scales in common are one there, and exact nodes give their place to their
/// operands. Two models with the same form compute alike; two that compute alike may have different ones.
/// Requires a valid model of floating-point operands with scales.
[[nodiscard]] UnitModel scaled_form(const UnitModel& model);

}  // namespace mmaprint
