#include "device/cuda/table.h"

#include <stdexcept>
#include <string>
#include <vector>

namespace mmaprint::cuda {
namespace {

/// Rows whose names say all.
TableRow named(Group group, std::string_view name, Shape shape, Target needs) {
  auto instruction = instruction_from_name(name);
  if (!instruction) throw std::logic_error(std::string(name) + " is no instruction's name");
  const bool sparse = instruction->k != shape.k;
  return {*std::move(instruction), group, shape, needs, sparse};
}

TableRow block_scaled(std::string_view head, Shape shape, std::string_view name, std::string_view a,
                      std::string_view b, Target needs) {
  const bool sparse = head != "mma";
  const Signature formats{*ptx_format(a), *ptx_format(b), Format::fp32, Format::fp32};
  // The names of sparse ones say nothing of their scales.
  const Instruction unscaled{std::string(name), sparse ? shape.k / 2 : shape.k, formats};
  return {instruction_from_name(name).value_or(unscaled), Group::block_scaled, shape, needs, sparse};
}

std::vector<TableRow> make_table() {
  std::vector<TableRow> rows;
#define MMA(shape, kind, d, a, b, c, saturation, operation, na, nb, nc, needs)                          \
  rows.push_back(named(Group::dense, MMAPRINT_MMA_NAME(shape, kind, d, a, b, c, saturation, operation), \
                       shape_of(#shape), needs));
#define MMA64(shape, rounding, na, nb, nc, needs) \
  rows.push_back(named(Group::dense, MMAPRINT_MMA64_NAME(shape, rounding), shape_of(#shape), needs));
#include "device/cuda/rows/dense.inc"
#define QUADS(al, bl, d, c, nd, nc, needs) \
  rows.push_back(named(Group::quad_pairs, MMAPRINT_QUADS_NAME(al, bl, d, c), {8, 8, 4}, needs));
#include "device/cuda/rows/quad_pairs.inc"
#define WMMA(m, n, k, d, a, needs) \
  rows.push_back(named(Group::wmma, MMAPRINT_WMMA_NAME(m, n, k, d, a), {m, n, k}, needs));
#include "device/cuda/rows/wmma.inc"
#define MMAPRINT_SPARSE_TABLE_ROW(head, shape, kind, d, a, b, saturation, na, nb, nc, needs)        \
  rows.push_back(named(Group::sparse, MMAPRINT_SPARSE_NAME(head, shape, kind, d, a, b, saturation), \
                       shape_of(#shape), needs));
#define SPARSE(...)                                \
  MMAPRINT_SPARSE_TABLE_ROW("mma.sp", __VA_ARGS__) \
  ORDERED(__VA_ARGS__)
#define ORDERED(...) MMAPRINT_SPARSE_TABLE_ROW("mma.sp::ordered_metadata", __VA_ARGS__)
#include "device/cuda/rows/sparse.inc"
#define MMAPRINT_WGMMA_TABLE_ROW(head, shape, d, a, b, end, immediates, nc, needs) \
  rows.push_back(                                                                  \
      named(Group::wgmma, MMAPRINT_WGMMA_NAME(head, shape, d, a, b, end), shape_of(#shape), needs));
#define WGMMA(...) MMAPRINT_WGMMA_TABLE_ROW("wgmma", __VA_ARGS__)
#define WGMMA_SPARSE(...) MMAPRINT_WGMMA_TABLE_ROW("wgmma.sp", __VA_ARGS__)
#include "device/cuda/rows/wgmma.inc"
#define SCALED(head, shape, kind, a, b, scales, needs)                                                       \
  rows.push_back(block_scaled(head, shape_of(#shape), MMAPRINT_SCALED_NAME(head, shape, kind, a, b, scales), \
                              #a, #b, needs));
#include "device/cuda/rows/block_scaled.inc"
  return rows;
}

}  // namespace

std::span<const TableRow> table() {
  static const std::vector<TableRow> kTable = make_table();
  return kTable;
}

std::string why_not(const TableRow& row, Target have, Target gpu) {
  if (row.group == Group::block_scaled)
    return "needs block scales as operands, which mmaprint lacks, and " + name_of(row.needs);
  if (runs_on(row.needs, have)) return "";
  const std::string needs = "needs " + name_of(row.needs);
  return runs_on(row.needs, gpu) ? needs + ", and this build has " + name_of(have) : needs;
}

}  // namespace mmaprint::cuda
