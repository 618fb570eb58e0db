// The skeletons that are searched: named patterns, as units that are known have them.
#pragma once

#include <vector>

#include "model/skeleton.h"

namespace mmaprint {

/// All ways to cut K products into blocks of equal width: contiguous, strided, interleaved in groups, each in
/// either block order (one of each if they coincide).
[[nodiscard]] std::vector<std::vector<std::vector<int>>> block_patterns(int k);

/// Can the unit's scales multiply products one by one? Only powers of two do.
[[nodiscard]] bool may_scale_products(const Signature& formats);
/// Sums of `width` neighbours, scaled (class 0); nodes add `together` of them to the running sum (class 1). A
/// root that adds c last is of class 2. Requires a width that K is a multiple of.
[[nodiscard]] Tree chain_of_scaled_groups(int k, int width, int together, std::optional<CEnters> c);
/// What is searched of units with scales besides: groups of products that have their scales in common, each
/// summed exactly and scaled; and chains of so many groups a node.
[[nodiscard]] std::vector<Skeleton> scaled_groups(int k, const Signature& formats);

/// What factors may be converted to, both alike as far as their formats let them.
[[nodiscard]] std::vector<OperandPaths> operand_paths(const Signature& formats);

/// What is searched where no chain of blocks explains a unit (docs/semantics.md, wider skeletons): chains
/// over converted factors, results that are FP32 inside, groups that are summed apart, chains side
/// by side, pairwise trees.
/// Empty for integers.
[[nodiscard]] std::vector<Skeleton> wider_skeletons(int k, const Signature& formats);

/// What is searched besides where none of these do either: products that are rounded to a format by
/// themselves, groups that are pairwise trees, and chains of blocks the last of which is shorter, padded or
/// not. Empty for integers.
[[nodiscard]] std::vector<Skeleton> widest_skeletons(int k, const Signature& formats);

/// Blocks of `width` neighbours, the last one maybe shorter, whose products are summed apart and carried to
/// the node that adds c, or the sum of the blocks before.
struct Carrying {
  int width;
  bool by_parity;                ///< products of even and of odd index are summed apart, then together
  std::optional<Format> inside;  ///< what the sum is rounded to before D
};
/// Class 0 adds products, then (by parity) 1 both halves, the next one c; the last converts.
[[nodiscard]] Tree carrying_tree(int k, const Carrying& how, bool with_c);
/// What is searched where a structure of that kind is stated: blocks of neighbours whose products are summed
/// apart, at once or those of even and of odd index, and carried to a node that adds c or the running sum;
/// the sum is rounded to D, or to 31 fraction bits first. Empty for integers.
[[nodiscard]] std::vector<Skeleton> carrying_skeletons(int k, const Signature& formats);

/// Adds those that are not among them yet.
void add_new(std::vector<Skeleton>& to, std::vector<Skeleton> skeletons);

}  // namespace mmaprint
