// Units that need no measurement to be written down: IEEE 754's FMA, sums of integers, loops of FMAs.
#pragma once

#include "model/unit_model.h"

namespace mmaprint::test {

/// IEEE 754's fused multiply-add, K = 1: FP16, BF16, FP32, FP64 in turn, of each the five roundings, first
/// with subnormals, then flushing every one. The 40 of seeds 1 to 40 are all.
[[nodiscard]] UnitModel ieee_fma(std::uint64_t seed);
inline constexpr int kIeeeFmas = 40;

/// Exact sums of products of integers of 8 or 4 bits, signed or not, that wrap or saturate: K from 4 to 256.
[[nodiscard]] UnitModel integer_sum(std::uint64_t seed);

/// A loop of FP32 FMAs, rounded to nearest: 16 at seed 1, K = 2, 4, 8 at others.
[[nodiscard]] UnitModel fma_loop(std::uint64_t seed);

}  // namespace mmaprint::test
