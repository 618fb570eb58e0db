// Models of a GPU's instructions as programs that mmaprint exported: the program writer.cpp writes them.
#pragma once

#include <span>

#include "device/cuda/tiles.h"

namespace mmaprint::bench {

struct ExportedUnit {
  const char* instruction;
  /// Enqueues a comparison of what the export says of a batch with its d, and adds how many differ.
  cudaError_t (*compare)(const cuda::TileBatch& batch, const cuda::TileShape& shape,
                         unsigned long long* differing, cudaStream_t stream);
};

[[nodiscard]] std::span<const ExportedUnit> exported_units();

}  // namespace mmaprint::bench
