// Matrices by the tile: how kernels get their operands and give their results.
#pragma once

#include <cuda_runtime.h>

#include "model/format.h"

namespace mmaprint::cuda {

/// One tile: m x n dot products of k products each (those that take part, where the instruction is sparse).
struct TileShape {
  int m, n, k;
};

/// Operands of many tiles in device memory, each element in a container of storage_bytes(format) bytes
/// (1, 2, 4 or 8; formats below 8 bits have one byte each), in the low bits.
struct TileBatch {
  const void* a;  ///< [tiles][m][k]
  const void* b;  ///< [tiles][n][k]
  const void* c;  ///< [tiles][m][n]
  void* d;        ///< [tiles][m][n]
  int tiles;
};

[[nodiscard]] constexpr int storage_bytes(const FormatInfo& format) {
  return format.container_bits <= 8 ? 1 : format.container_bits / 8;
}

/// Enqueues the instruction on every tile.
using Launch = cudaError_t (*)(const TileBatch& batch, cudaStream_t stream);

}  // namespace mmaprint::cuda
