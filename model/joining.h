// Which operands are added in one node, for all nodes of a tree: what can be measured of a unit's structure
// before anything is known of its arithmetic.
#pragma once

#include <vector>

#include "model/skeleton.h"

namespace mmaprint {

/// A node's products, whether c is an operand of it, the nodes whose sums are, and whether its own sum is
/// known to be carried on.
struct Joining {
  std::vector<int> products = {};
  bool c = false;
  std::vector<Joining> sums = {};
  bool is_carried = false;
  friend bool operator==(const Joining&, const Joining&) = default;
};

/// All nodes of one class, with results of D's format where they are not carried on. In each node, c or the
/// sum that has c stands first, then the other sums by their first products, then products in the order of
/// their indices.
[[nodiscard]] Tree tree_of(const Joining& root);
/// Which operands a tree adds in one node; +0 and padding left out, as nodes with a single operand.
[[nodiscard]] Joining joining_of(const Tree& tree);

}  // namespace mmaprint
