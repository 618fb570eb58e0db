// Units on vector instructions: what is compiled for one set of them, by itself.
#pragma once

#include <cstddef>
#include <span>

#include "model/flat_unit.h"
#include "model/heads.h"

namespace mmaprint {

/// d of count inputs, and which of them are NaN (d is void there).
struct LaneBatch {
  const FlatUnit* unit;
  int block_width;     ///< as model/flat_evaluator.h's; 0 for units that are no such chains
  const Heads *a, *b;  ///< of the factors; null where these have none
  const DotInput* inputs;
  std::size_t count;
  Pattern* d;
  bool* is_nan;
};

/// Requires a unit that fits lanes (model/batch_evaluator.h).
using LaneKernel = void (*)(const LaneBatch&);

/// Those that this processor can run, the fastest first.
[[nodiscard]] std::span<const LaneKernel> lane_kernels();

}  // namespace mmaprint
