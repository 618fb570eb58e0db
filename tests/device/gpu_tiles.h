// One instruction on the GPU, all positions of many tiles against exact host arithmetic.
#pragma once

#include <string>

#include "device/cuda/table.h"

namespace mmaprint::cuda {

/// "OK ..." or what is wrong. "DEAD ..." after an error that this process can't recover from.
[[nodiscard]] std::string check_tiles(const TableRow& row);

/// How fast the instruction runs on tiles that are in device memory.
[[nodiscard]] std::string measure_tiles(const TableRow& row);

}  // namespace mmaprint::cuda
