// Products that have a node of their own, as operands of the node that takes their results.
//
// In the question about a node the results of earlier nodes are any numbers of their format, and so a node
// may seem to give other results than another one where no product does that. A node of one product has so
// little in it that it can be part of the question: its result is what that node makes of any product. That
// both sides make the same of it is a question of its own.
#pragma once

#include <vector>

#include "solver/distinguish.h"

namespace mmaprint {

/// Which earlier nodes' results are among the node's operands, and those of one product each: where the side
/// leaves no parameter open that they depend on.
[[nodiscard]] std::vector<bool> relays_to(const Side& side, const Plan& plan, std::size_t node);
/// A model of the side, whichever.
[[nodiscard]] UnitModel any_model_of(const Side& side);

}  // namespace mmaprint
