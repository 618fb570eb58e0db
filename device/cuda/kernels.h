// The kernels: one for each row of the tables.
#pragma once

#include <span>
#include <string_view>

#include "device/cuda/tiles.h"

namespace mmaprint::cuda {

struct Kernel {
  std::string_view name;  ///< the instruction's
  TileShape tile;
  Launch launch;
  const void* function;  ///< as the runtime knows it
};

[[nodiscard]] std::span<const Kernel> dense_kernels();
[[nodiscard]] std::span<const Kernel> quad_pair_kernels();
[[nodiscard]] std::span<const Kernel> sparse_kernels();
[[nodiscard]] std::span<const Kernel> wgmma_kernels();
[[nodiscard]] std::span<const Kernel> wmma_kernels();

/// The kernel of an instruction; nullptr if there is none. Requires nothing of the GPU at hand: whether it
/// can run the instruction is for CudaUnit::instructions() to say. A launch on one that can't is an error
/// there.
[[nodiscard]] const Kernel* find_kernel(std::string_view instruction);

}  // namespace mmaprint::cuda
