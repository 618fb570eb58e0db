// Bulk comparison on one GPU: inputs are made, executed and compared there.
#pragma once

#include <memory>

#include "device/bulk.h"
#include "device/cuda/tiles.h"

namespace mmaprint::cuda {

/// nullptr where the model's datapath has no instance that runs on the device. `launch` executes the model's
/// instruction on tiles of that shape, whose k is the model's.
[[nodiscard]] std::unique_ptr<BulkRunner> make_bulk_runner(int device, const UnitModel& model,
                                                           TileShape shape, Launch launch);

}  // namespace mmaprint::cuda
