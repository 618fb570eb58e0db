// Which nodes' results may be -0, from the conventions alone.
#pragma once

#include <vector>

#include "solver/distinguish.h"
#include "solver/node_bounds.h"

namespace mmaprint {

/// By node: may some hypothesis of the side give -0 there? A zero comes of zeros alone, of addends that
/// cancel, or of a sum that is rounded to zero or flushed, and each has a rule of its own for its sign
/// (docs/semantics.md, zeros). A sum to which +0 belongs is no sum of -0 alone.
[[nodiscard]] std::vector<bool> may_be_negative_zero(const Side& side);

/// May a sum below zero that is not zero round to zero, by the directions of a set's hypotheses? None does
/// that is rounded down, or to odd.
[[nodiscard]] bool may_round_to_negative_zero(const PlannedNode& node, const Box& box);

/// What the sign of a zero comes to that a node gives.
struct SignOfZero {
  bool shows;                      ///< may it show in d?
  bool is_of_zeros;                ///< may it be that of a sum of zeros that IEEE 754's rule makes -0?
  bool shows_an_operands = false;  ///< may it be that of an operand which is a zero, and show?
};

/// By node, for all hypotheses of a set. A sign shows in the next node where that may be the sum of zeros
/// alone that are negative, or, where sums are rounded down, of any zeros. Requires the bounds of all nodes.
[[nodiscard]] std::vector<SignOfZero> signs_of_zeros(const Plan& plan, const Box& box,
                                                     const std::vector<NodeBounds>& bounds);

}  // namespace mmaprint
