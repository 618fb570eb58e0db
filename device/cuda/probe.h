// Which of this build's code a GPU runs.
#pragma once

#include <cuda_runtime.h>

#include "device/cuda/target.h"

namespace mmaprint::cuda {

/// What the code that the current device chose was compiled for. Code built only as PTX counts as what that
/// says.
[[nodiscard]] cudaError_t chosen_target(Target& target, cudaStream_t stream);

}  // namespace mmaprint::cuda
