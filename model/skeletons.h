// The skeletons that are searched: named patterns, as units that are known have them.
#pragma once

#include <vector>

#include "model/skeleton.h"

namespace mmaprint {

/// All ways to cut K products into blocks of equal width: contiguous, strided, interleaved in groups, each in
/// either block order (one of each if they coincide).
[[nodiscard]] std::vector<std::vector<std::vector<int>>> block_patterns(int k);

/// What is searched where no chain of blocks explains a unit (docs/semantics.md, wider skeletons): chains
/// over converted factors, results that are FP32 inside, groups that are summed apart, pairwise trees.
/// Empty for integers.
[[nodiscard]] std::vector<Skeleton> wider_skeletons(int k, const OperandFormats& formats);

}  // namespace mmaprint
