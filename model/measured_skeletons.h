// The skeletons that a measured structure may be: what masks do not show is which nodes are alike, what
// format sums have on the way, and what is converted.
#pragma once

#include <vector>

#include "model/joining.h"
#include "model/signature.h"

namespace mmaprint {

/// How plain a unit they take it for.
enum class Plainness : std::uint8_t {
  rounded,  ///< every sum is rounded
  carried,  ///< sums of products are carried on to where they join, which masks take for one node
};

/// Nodes are alike, or those that add products, the root, the one with c, or each level of the tree are of a
/// class of their own; results are of D's format or, where that is narrower, FP32's; sums of products may
/// start from +0; factors may be converted. The plainest first. Empty for integers.
[[nodiscard]] std::vector<Skeleton> measured_skeletons(const Joining& structure, const Signature& formats,
                                                       Plainness plainness);

}  // namespace mmaprint
