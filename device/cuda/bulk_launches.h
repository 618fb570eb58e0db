// The kernels of a bulk comparison, enqueued from code that is not CUDA's.
#pragma once

#include <cuda_runtime.h>

#include "device/cuda/bulk_round.h"
#include "device/cuda/bulk_steps.h"

namespace mmaprint::cuda {

/// Where kernels run.
struct Grid {
  int processors;
  cudaStream_t stream;
};
/// Where operands are made; elements of Round::storage bytes.
struct TileOperands {
  void *a, *b, *c;
};
/// `count` elements of `bytes` bytes each, of one round.
struct Results {
  const void* d;
  int bytes;
  unsigned count;
};

/// Makes the operands of a round; with `one_input` the first place's everywhere.
[[nodiscard]] cudaError_t launch_generate(const PlanWidths& widths, const Round& round,
                                          const TileOperands& to, bool one_input, const Grid& grid);
/// Compares the results of a round with the unit's, and counts and records differences.
[[nodiscard]] cudaError_t launch_compare(const FlatUnit& unit, Reference reference, const Round& round,
                                         const TileBatch& batch, Tally* tally, const Grid& grid);
/// Counts results that differ from `expected`.
[[nodiscard]] cudaError_t launch_compare_with_one(const Results& results, const void* expected,
                                                  unsigned long long* differing, const Grid& grid);

}  // namespace mmaprint::cuda
