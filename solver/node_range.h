// What the results of a unit's nodes can be, from the operands' ranges alone.
//
// Rounding only makes values coarser, so a result is a multiple of what all of a node's operands are
// multiples of; and sums grow by a few bits a node. The question about a single node leaves the earlier
// results open; without these bounds it would ask about overflows and subnormals that no input leads to. What
// comes of products alone is often far smaller than c can be.
#pragma once

#include <vector>

#include "solver/distinguish.h"

namespace mmaprint {

struct NodeRange {
  int lowest_bit;        ///< a finite result is a multiple of 2^this
  int smallest;          ///< one that is not zero is no less than 2^this
  int largest_exponent;  ///< a finite result is less than 2^(this + 1)
};

/// By node: what holds for every node that c goes into, be it by way of others, or for every one that it does
/// not. Questions about nodes of one shape are then the same. The root's result is nobody's operand: where
/// there are other nodes, nothing is said of it.
[[nodiscard]] std::vector<NodeRange> node_ranges(const Side& side);
/// Does c go into each node's result?
[[nodiscard]] std::vector<bool> have_c(const Tree& tree);

/// The values that each parameter of a side may have; nullopt for a model of more than kMostClasses.
[[nodiscard]] std::optional<Box> box_of(const Side& side);

}  // namespace mmaprint
