// Compares results with the model's on the device: the instances of the one datapath that there are for it.
#include <algorithm>

#include "device/cuda/bulk_access.cuh"
#include "device/cuda/bulk_launches.h"
#include "device/cuda/bulk_steps.h"
#include "model/flat_evaluator.h"
#include "model/pattern.h"

namespace mmaprint::cuda {
namespace {

/// Blocks that a multiprocessor has room for at least: quickest on Hopper, though some registers spill.
constexpr int kBlocksAtOnce = 8;
constexpr int kMostShared = 46 * 1024;  // bytes of a block

/// Rows of prepared operands stand so far apart that neighbouring rows lie in different banks.
[[nodiscard]] constexpr int row_stride(int k) { return k + 1; }

/// The result for prepared rows, the quicker way where there is one for rows that are not special.
template <class Reference>
[[nodiscard]] constexpr Pattern predict(const Reference& reference, const typename Reference::Prepared* a,
                                        const typename Reference::Prepared* b, Pattern c, bool special) {
  if constexpr (requires { reference.finite(a, b, c); })
    return special ? reference(a, b, c) : reference.finite(a, b, c);
  else
    return reference(a, b, c);
}

/// Compares the results of a round with an evaluator's. A block takes one tile after the other, `columns` of
/// its columns at a time, whose operands it prepares in shared memory.
template <class Reference>
__global__ void __launch_bounds__(kThreads, kBlocksAtOnce)
    compare_tiles(const __grid_constant__ FlatUnit unit, const __grid_constant__ Round round,
                  const __grid_constant__ TileBatch batch, int columns, Tally* tally) {
  using Prepared = typename Reference::Prepared;
  extern __shared__ std::uint64_t shared[];
  const Reference reference(unit);
  const auto [m, n, k] = round.shape;
  const int stride = row_stride(k);
  auto* const rows = reinterpret_cast<Prepared*>(shared);
  auto* const cols = rows + m * stride;
  const int thread = static_cast<int>(threadIdx.x);
  const Walk factors(thread, k), results(thread, columns);
  for (int tile = static_cast<int>(blockIdx.x); tile < round.tiles; tile += static_cast<int>(gridDim.x)) {
    const auto at = static_cast<std::size_t>(tile);
    bool special = false;  // among the operands that this thread has prepared for the tile
    for (int first = 0; first < n; first += columns) {
      const int width = columns < n - first ? columns : n - first;
      __syncthreads();
      for (Walk i = factors; first == 0 && i.row < m; i.advance()) {
        const Prepared x = rows[i.row * stride + i.column] = reference.prepare_a(
            load(batch.a, round.storage.a, (at * m + i.row) * k + reference.index_at(i.column)));
        special = special || Reference::is_special(x);
      }
      for (Walk i = factors; i.row < width; i.advance()) {
        const Prepared x = cols[i.row * stride + i.column] = reference.prepare_b(
            load(batch.b, round.storage.b, (at * n + first + i.row) * k + reference.index_at(i.column)));
        special = special || Reference::is_special(x);
      }
      const bool any_special = __syncthreads_or(special ? 1 : 0) != 0;
      for (Walk i = width == columns ? results : Walk(thread, width); i.row < m; i.advance()) {
        const int row = i.row, column = i.column;
        const std::size_t place = (at * m + row) * n + first + column;
        const Pattern predicted = predict(reference, rows + row * stride, cols + column * stride,
                                          load(batch.c, round.storage.c, place), any_special);
        const Pattern seen = load(batch.d, round.storage.d, place);
        if (seen == predicted || (unit.several_nans && predicted == unit.nan && is_nan(unit.widths.d, seen)))
          continue;
        const auto number = atomicAdd(&tally->mismatches, 1ULL);
        if (number < Tally::kMostRecords)
          tally->records[number] = {round.first_tile + at, seen, predicted, row, first + column};
      }
    }
  }
}

/// Counts results of a round that differ from `expected`.
__global__ void __launch_bounds__(kThreads)
    compare_with_one(const void* d, int bytes, std::size_t count, const void* expected,
                     unsigned long long* differing) {
  const Pattern first = load(expected, bytes, 0);
  unsigned own = 0;
  for (std::size_t i = blockIdx.x * std::size_t{kThreads} + threadIdx.x; i < count;
       i += std::size_t{gridDim.x} * kThreads)
    own += load(d, bytes, i) != first ? 1U : 0U;
  if (own != 0) atomicAdd(differing, static_cast<unsigned long long>(own));
}

// Before CUDA 12.1 a kernel's arguments have no more room.
static_assert(sizeof(FlatUnit) + sizeof(Round) + sizeof(TileBatch) + 2 * sizeof(Tally*) <= 4096);

using CompareKernel = void (*)(const FlatUnit, const Round, const TileBatch, int, Tally*);

template <class T>
CompareKernel kernel_of() {
  return &compare_tiles<T>;
}

struct Instance {
  CompareKernel kernel;
  int bytes;  ///< of a prepared operand
};
template <class Widths>
Instance instance(Reference reference, Widths /*formats*/) {
  switch (reference) {
    case Reference::blocks_4:
      return {kernel_of<BlockEvaluator<4>>(), 8};
    case Reference::blocks_8:
      return {kernel_of<BlockEvaluator<8, Widths>>(), 8};
    case Reference::blocks_16:
      return {kernel_of<BlockEvaluator<16, Widths>>(), 8};
    case Reference::blocks_32:
      return {kernel_of<BlockEvaluator<32>>(), 8};
    case Reference::words_64:
      return {kernel_of<FlatEvaluator<std::uint64_t, std::uint64_t>>(), 8};
    case Reference::words_128:
      return {kernel_of<FlatEvaluator<Word128, Word128>>(), 8};
    case Reference::words_320:
      return {kernel_of<FlatEvaluator<Word128, Multiword<5>>>(), 8};
    case Reference::any_576:
      break;
  }
  return {kernel_of<FlatEvaluator<Word128, Multiword<9>, FlatNodeOfKinds>>(), 8};
}

}  // namespace

std::optional<Reference> reference_for(const UnitModel& model) {
  const auto unit = flat_unit(model);
  if (!unit) return std::nullopt;
  switch (block_width(model)) {
    case 4:
      return Reference::blocks_4;
    case 8:
      return Reference::blocks_8;
    case 16:
      return Reference::blocks_16;
    case 32:
      return Reference::blocks_32;
    default:
      break;
  }
  const WordsNeeded needed = words_needed(model);
  const int most = std::max(needed.operands, needed.sums);
  if (needed.operands > 128 || needed.sums > 576) return std::nullopt;
  if (unit->has_kinds || needed.sums > 320) return Reference::any_576;
  if (most <= 64) return Reference::words_64;
  if (most <= 128) return Reference::words_128;
  return Reference::words_320;
}

cudaError_t launch_compare(const FlatUnit& unit, Reference reference, const Round& round,
                           const TileBatch& batch, Tally* tally, const Grid& grid) {
  const auto [kernel, bytes] =
      with_widths(unit.widths, [&](auto known) { return instance(reference, known); });
  const auto [m, n, k] = round.shape;
  const int row = bytes * row_stride(k);
  int most = kMostShared;
  if (most / row <= m) {  // long rows: fewer blocks at once, with more memory each
    int device = 0;
    cudaError_t error = cudaGetDevice(&device);
    if (error == cudaSuccess)
      error = cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
    if (error == cudaSuccess)
      error = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, most);
    if (error != cudaSuccess) return error;
  }
  const int columns = std::min(n, most / row - m);
  if (columns < 1) return cudaErrorInvalidConfiguration;
  const auto shared = static_cast<std::size_t>((m + columns) * row);
  kernel<<<grid.blocks, kThreads, shared, grid.stream>>>(unit, round, batch, columns, tally);
  return cudaGetLastError();
}

cudaError_t launch_compare_with_one(const Results& results, const void* expected,
                                    unsigned long long* differing, const Grid& grid) {
  compare_with_one<<<grid.blocks, kThreads, 0, grid.stream>>>(results.d, results.bytes, results.count,
                                                              expected, differing);
  return cudaGetLastError();
}

}  // namespace mmaprint::cuda
