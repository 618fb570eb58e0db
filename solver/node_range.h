// What the results of a unit's nodes can be, from the operands' ranges alone.
//
// Rounding only makes values coarser, so a result is a multiple of what all of a node's operands are
// multiples of; and sums grow by a few bits a node. The question about a single node leaves the earlier
// results open; without these bounds it would ask about overflows and subnormals that no input leads to.
#pragma once

#include "solver/distinguish.h"

namespace mmaprint {

struct NodeRange {
  int lowest_bit;        ///< a finite result is a multiple of 2^this
  int smallest;          ///< one that is not zero is no less than 2^this
  int largest_exponent;  ///< a finite result is less than 2^(this + 1)
};

/// What holds for every node: questions about nodes of one shape are then the same.
[[nodiscard]] NodeRange node_range(const Side& side);

/// The values that each parameter of a side may have; nullopt for a model of more than kMostClasses.
[[nodiscard]] std::optional<Box> box_of(const Side& side);

}  // namespace mmaprint
