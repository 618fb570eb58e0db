#include <array>

#include "model/lanes/kernel.h"

namespace mmaprint {

#ifdef MMAPRINT_LANES

// NOLINTBEGIN(readability-identifier-naming): as the objects are called
extern "C" const LaneFunctions mmaprint_lanes_v3_32, mmaprint_lanes_v3_64;
extern "C" const LaneFunctions mmaprint_lanes_v4_32, mmaprint_lanes_v4_64;
// NOLINTEND(readability-identifier-naming)

std::span<const LaneKernel> lane_kernels() {
  static constexpr std::array<LaneKernel, 4> kAll{&mmaprint_lanes_v4_32, &mmaprint_lanes_v4_64,
                                                  &mmaprint_lanes_v3_32, &mmaprint_lanes_v3_64};
  // Those of the levels v3 and v4 that tell them apart from what is older, and what Highway uses besides.
  const bool older = __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") &&
                     __builtin_cpu_supports("bmi2") && __builtin_cpu_supports("aes") &&
                     __builtin_cpu_supports("pclmul");
  const bool newest = older && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
                      __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") &&
                      __builtin_cpu_supports("avx512vl");
  return std::span(kAll).subspan(newest ? 0 : 2, 2 * (std::size_t{older} + std::size_t{newest}));
}

#else

std::span<const LaneKernel> lane_kernels() { return {}; }

#endif

}  // namespace mmaprint
