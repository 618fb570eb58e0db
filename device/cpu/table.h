// Every multiply-accumulate instruction that an x86-64 processor may have, whether this build is for one or
// not.
#pragma once

#include <span>
#include <string>

#include "device/cpu/features.h"
#include "device/cpu/layout.h"
#include "model/instruction.h"

namespace mmaprint::cpu {

struct TableRow {
  Instruction instruction;
  Feature needs;
  Registers registers;
  std::string assembly;  ///< as it is issued: "vfmadd231ps {rz-sae}, %zmm2, %zmm1, %zmm0"
};

/// All rows, in the order of rows.inc.
[[nodiscard]] std::span<const TableRow> table();

}  // namespace mmaprint::cpu
