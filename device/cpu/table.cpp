#include "device/cpu/table.h"

#include <stdexcept>
#include <vector>

namespace mmaprint::cpu {
namespace {

/// What the assembler sees of extended assembly: "%{rz-sae%}, %%zmm0" is "{rz-sae}, %zmm0".
std::string plain_assembly(std::string_view extended) {
  std::string text;
  for (std::size_t i = 0; i < extended.size(); ++i) {
    if (extended[i] == '%' && i + 1 < extended.size()) ++i;
    text += extended[i];
  }
  return text;
}

TableRow instruction_row(std::string_view name, Feature needs, Registers registers,
                         std::string_view assembly) {
  auto instruction = instruction_from_name(name);
  if (!instruction) throw std::logic_error(std::string(name) + " is no instruction's name");
  return {*std::move(instruction), needs, registers, plain_assembly(assembly)};
}

std::vector<TableRow> instruction_rows() {
  std::vector<TableRow> rows;
#define XMM "%%xmm2, %%xmm1, %%xmm0"
#define YMM "%%ymm2, %%ymm1, %%ymm0"
#define ZMM "%%zmm2, %%zmm1, %%zmm0"
#define TMM "%%tmm2, %%tmm1, %%tmm0"
#define ROW(name, needs, registers, assembly) \
  rows.push_back(instruction_row(name, Feature::needs, Registers::registers, assembly));
#include "device/cpu/rows.inc"
#undef ROW
#undef XMM
#undef YMM
#undef ZMM
#undef TMM
  return rows;
}

}  // namespace

std::span<const TableRow> table() {
  static const std::vector<TableRow> kTable = instruction_rows();
  return kTable;
}

}  // namespace mmaprint::cpu
