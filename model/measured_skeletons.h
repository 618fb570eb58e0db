// The skeletons that a measured structure may be: what masks do not show is which nodes are alike, what
// format sums have on the way, and what is converted.
#pragma once

#include <vector>

#include "model/hypotheses.h"
#include "model/joining.h"

namespace mmaprint {

/// What a structure may be, as far as it is searched at once.
struct MeasuredSkeletons {
  std::vector<Skeleton> skeletons;
  LaterClasses later = LaterClasses::exact;
  Values values = Values::usual;
  friend bool operator==(const MeasuredSkeletons&, const MeasuredSkeletons&) = default;
};

/// First, where sums are known to be carried on, those that carry these: the named ones (model/skeletons.h),
/// then all. Then the plainest first of what masks show as this structure: named skeletons and all whose sums
/// are rounded; named ones that carry sums on, which masks take for one node; the first with operands that
/// are flushed to +0; then those whose classes are free, and at last those that carry sums on. Nodes are
/// alike, or those that add products, the root, the one with c, or each level of the tree are of a class of
/// their own; results are of D's format or, where that is narrower, FP32's; sums of products may start from
/// +0; factors may be converted. Empty for integers; none is empty.
[[nodiscard]] std::vector<MeasuredSkeletons> measured_skeletons(const Joining& structure, int k,
                                                                const Signature& formats);

/// What of that has these skeletons; nothing where they are not those of a structure.
[[nodiscard]] std::vector<MeasuredSkeletons> measured_like(const std::vector<Skeleton>& skeletons, int k,
                                                           const Signature& formats);

}  // namespace mmaprint
