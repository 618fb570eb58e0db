// Launches over tiles: a warp takes a tile, then the one as many further as there are warps, and so on.
#pragma once

#include <algorithm>
#include <type_traits>

#include "device/cuda/tiles.h"

namespace mmaprint::cuda {

inline constexpr int kThreads = 128;
/// Enough to fill any GPU with what these kernels need; more would wait for its turn.
inline constexpr int kMostBlocks = 4096;

/// Enqueues kernel(batch); a block takes `TilesPerBlock` at a time.
template <void (*Kernel)(TileBatch), int TilesPerBlock>
cudaError_t launch_tiles(const TileBatch& batch, cudaStream_t stream) {
  if (batch.tiles <= 0) return cudaSuccess;
  const int blocks = std::min((batch.tiles - 1) / TilesPerBlock + 1, kMostBlocks);
  TileBatch copy = batch;
  void* arguments[] = {&copy};
  return cudaLaunchKernel(reinterpret_cast<const void*>(Kernel), dim3(static_cast<unsigned>(blocks)),
                          dim3(kThreads), arguments, 0, stream);
}

/// A warp's first tile, and how many tiles further its next one is.
struct WarpsTiles {
  int first, step;
};
__device__ inline WarpsTiles warps_tiles() {
  constexpr int kWarps = kThreads / 32;
  return {static_cast<int>(blockIdx.x) * kWarps + static_cast<int>(threadIdx.x) / 32,
          static_cast<int>(gridDim.x) * kWarps};
}

/// A tile's first element, of `elements` of `bytes` each.
template <class Pointer>
__device__ Pointer* tile_at(Pointer* base, int tile, int elements, int bytes) {
  using Byte = std::conditional_t<std::is_const_v<Pointer>, const char, char>;
  return static_cast<Byte*>(base) +
         static_cast<std::size_t>(tile) * static_cast<std::size_t>(elements * bytes);
}

/// Code for another GPU than this instruction's: no result is better than a wrong one.
__device__ inline void not_here() { __trap(); }

}  // namespace mmaprint::cuda
