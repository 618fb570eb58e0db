// What an exported CUDA header says of tiles, beside what an instruction made of them.
#pragma once

#include <cstdint>
#include <type_traits>

#include "bench/gpu_exports/units.h"

namespace mmaprint::bench {

/// `Unit` has the containers A, B, C (void where there is no c) and D, kK, and d(a, b, c).
template <class Unit>
__global__ void count_differing(cuda::TileBatch batch, cuda::TileShape shape, unsigned long long* differing) {
  const unsigned long long of_tile = static_cast<unsigned long long>(shape.m) * shape.n;
  const unsigned long long all = of_tile * batch.tiles, step = 1ULL * gridDim.x * blockDim.x;
  unsigned long long count = 0;
  for (unsigned long long i = 1ULL * blockIdx.x * blockDim.x + threadIdx.x; i < all; i += step) {
    const unsigned long long tile = i / of_tile, row = i % of_tile / shape.n, column = i % shape.n;
    const auto* a = static_cast<const typename Unit::A*>(batch.a) + (tile * shape.m + row) * Unit::kK;
    const auto* b = static_cast<const typename Unit::B*>(batch.b) + (tile * shape.n + column) * Unit::kK;
    const auto seen = static_cast<const typename Unit::D*>(batch.d)[i];
    if constexpr (std::is_void_v<typename Unit::C>)
      count += Unit::d(a, b) != seen ? 1 : 0;
    else
      count += Unit::d(a, b, static_cast<const typename Unit::C*>(batch.c)[i]) != seen ? 1 : 0;
  }
  if (count != 0) atomicAdd(differing, count);
}

template <class Unit>
cudaError_t compare(const cuda::TileBatch& batch, const cuda::TileShape& shape, unsigned long long* differing,
                    cudaStream_t stream) {
  constexpr unsigned kBlocks = 4096, kThreads = 128;
  if (shape.k != Unit::kK) return cudaErrorInvalidValue;
  count_differing<Unit><<<kBlocks, kThreads, 0, stream>>>(batch, shape, differing);
  return cudaGetLastError();
}

}  // namespace mmaprint::bench
