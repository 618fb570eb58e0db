// Units whose structure is drawn from a grammar: families of trees, where c joins, which nodes are alike,
// what format sums have on the way.
#pragma once

#include <array>
#include <string_view>

#include "model/unit_model.h"
#include "support/random.h"

namespace mmaprint::test {

enum class SkeletonFamily : std::uint8_t {
  chain,         ///< blocks of any widths and members, one after the other
  pairwise,      ///< two at a time
  groups,        ///< summed apart, then joined one after the other or at once
  side_by_side,  ///< chains of interleaved products, joined pairwise
  split_k,       ///< halves or quarters of neighbours, a chain each, joined at once
  skewed,        ///< any tree
  carried,       ///< blocks whose products are carried on to c or the running sum
};
inline constexpr std::array<std::string_view, 7> kSkeletonFamilyWords{
    "chain", "pairwise", "groups", "side by side", "split K", "skewed", "carried"};

/// K from 4 to 64; FP16, BF16, TF32, FP32 or 8-bit factors, converted or not; FP32 or 16-bit results; one
/// class of nodes to three; every second unit close to those that are built. With the same seed always the
/// same, and legal.
[[nodiscard]] UnitModel skeleton_unit(SkeletonFamily family, std::uint64_t seed);

}  // namespace mmaprint::test
