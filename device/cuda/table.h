// Every matrix instruction that an NVIDIA GPU may have, for builds with and without CUDA.
#pragma once

#include <span>
#include <string_view>

#include "device/cuda/rows.h"
#include "device/cuda/target.h"
#include "model/instruction.h"

namespace mmaprint::cuda {

/// How fragments are laid out and the kernel is made; the tables are `rows/NAME.inc`.
enum class Group { dense, quad_pairs, wmma, sparse, wgmma, block_scaled };

struct TableRow {
  Instruction instruction;
  Group group;
  Shape shape;  ///< m, n and A's columns
  Target needs;
  bool sparse;
};

/// All rows, group by group. Block-scaled ones are there to be listed: nothing runs them.
[[nodiscard]] std::span<const TableRow> table();

/// Why code for `have` can't run this row; empty if it can. `gpu` is what the code would be at best: sm_90a
/// for a GPU of compute capability 9.0.
[[nodiscard]] std::string why_not(const TableRow& row, Target have, Target gpu);

}  // namespace mmaprint::cuda
