// B of wgmma in shared memory, K-major without swizzle: core matrices of 8 columns by 16 bytes along k.
#pragma once

#include <cstdint>

#include "device/cuda/both.h"

namespace mmaprint::cuda {

inline constexpr int kCoreMatrixBytes = 128;
/// From a core matrix to the next one along k, and to that of the next 8 columns. With 8 columns the second
/// is not used.
inline constexpr int kLeadingBytes = kCoreMatrixBytes;
inline constexpr int kStrideBytes = kCoreMatrixBytes;

/// Where a byte of a column lies; `byte` counts along k.
MMAPRINT_BOTH constexpr int shared_offset(int column, int byte) {
  return column / 8 * kStrideBytes + byte / 16 * kLeadingBytes + column % 8 * 16 + byte % 16;
}

/// The 64 bits that describe a matrix at a shared-memory address to wgmma.
MMAPRINT_BOTH constexpr std::uint64_t matrix_descriptor(std::uint32_t address) {
  const auto encoded = [](std::uint32_t bytes) { return std::uint64_t{(bytes & 0x3ffff) >> 4}; };
  return encoded(address) | encoded(kLeadingBytes) << 16 | encoded(kStrideBytes) << 32;
}

}  // namespace mmaprint::cuda
