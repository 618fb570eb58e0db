// Compares results with the model's on the device: the instances of the one datapath that there are for it.
#include <algorithm>

#include "device/cuda/bulk_access.cuh"
#include "device/cuda/bulk_launches.h"
#include "device/cuda/bulk_steps.h"
#include "device/cuda/fused_chain.h"
#include "model/flat_evaluator.h"
#include "model/integer_evaluator.h"
#include "model/pattern.h"

namespace mmaprint::cuda {
namespace {

/// Blocks that a multiprocessor has room for at least: quickest on Hopper, though some registers spill.
template <class Reference>
constexpr int kBlocksAtOnce = 8;
template <std::size_t Width, class Widths>
constexpr int kBlocksAtOnce<BlockEvaluator<Width, Widths>> = Width < 32 ? 7 : 4;
/// Blocks have few tiles each, so that they end together.
constexpr int kTurns = 8;
constexpr int kMostShared = 46 * 1024;  // bytes of a block

/// Rows of prepared operands have room for two words that say where one of them is special, and stand so far
/// apart that neighbouring rows lie in different banks.
[[nodiscard]] constexpr int row_stride(int k) { return k + 2; }

/// Prepared lines in shared memory, rows of a or columns of b, each with the places of its specials. These
/// have two words, used by turns, so that one can be cleared while the other is read.
template <class Reference>
class Lines {
 public:
  using Prepared = typename Reference::Prepared;
  constexpr Lines(Prepared* at, int k) : at_(at), k_(k) {}

  [[nodiscard]] constexpr const Prepared* operator[](int line) const { return at_ + line * row_stride(k_); }
  [[nodiscard]] constexpr std::uint64_t specials(int line, int turn) const {
    if constexpr (kAsks)
      return (*this)[line][k_ + turn];
    else
      return 0;
  }
  /// To be called before the first put() of that turn.
  __device__ void clear(unsigned thread, int lines, int turn) {
    if constexpr (kAsks) {
      MMAPRINT_KEEP_LOOP
      for (int line = static_cast<int>(thread); line < lines; line += kThreads)
        at_[line * row_stride(k_) + k_ + turn] = 0;
    }
  }
  __device__ void put(int line, int k, Prepared x, int turn) {
    at_[line * row_stride(k_) + k] = x;
    if constexpr (kAsks)
      if (Reference::is_special(x))
        atomicOr(
            reinterpret_cast<unsigned*>(at_ + line * row_stride(k_) + k_ + turn) + Reference::place(k) / 32,
            1U << Reference::place(k) % 32);
  }

 private:
  /// Does the evaluator ask where specials are?
  static constexpr bool kAsks = requires(int k) { Reference::place(k); };
  Prepared* at_;
  int k_;
};

/// Counts and records a difference, if it is one.
__device__ void tally_if_different(const FlatUnit& unit, const Round& round, int tile, int row, int column,
                                   Pattern seen, Pattern predicted, Tally* tally) {
  if (seen == predicted || (unit.several_nans && predicted == unit.nan && is_nan(unit.widths.d, seen)))
    return;
  const auto number = atomicAdd(&tally->mismatches, 1ULL);
  if (number >= Tally::kMostRecords) return;
  const TileGroup group = group_of(round.shape);
  tally->records[number] = {round.first_group + static_cast<unsigned>(tile / group.tiles()), seen, predicted,
                            group.row_of(tile) * round.shape.m + row,
                            group.column_of(tile) * round.shape.n + column};
}

/// The result for prepared lines; `specials`: of both.
template <class Reference>
[[nodiscard]] constexpr Pattern predict(const Reference& reference, const typename Reference::Prepared* a,
                                        const typename Reference::Prepared* b, Pattern c,
                                        std::uint64_t specials) {
  if constexpr (requires { reference.evaluated(a, b, c, specials); })
    return reference.evaluated(a, b, c, specials);
  else
    return reference(a, b, c);
}

/// The tiles that a block takes: tiles with the same rows of A, one after the other, and then the next such
/// run of them.
class Runs {
 public:
  explicit constexpr Runs(const TileGroup& group) : group_(group) {}
  [[nodiscard]] constexpr int first(unsigned block) const {
    return static_cast<int>(block) * group_.columns();
  }
  [[nodiscard]] constexpr bool begins_at(int tile) const { return group_.column_of(tile) == 0; }
  [[nodiscard]] constexpr int next(int tile, unsigned blocks) const {
    return begins_at(tile + 1) ? tile + 1 + (static_cast<int>(blocks) - 1) * group_.columns() : tile + 1;
  }

 private:
  TileGroup group_;
};

/// Compares the results of a round with an evaluator's. A block takes one tile after the other, `columns` of
/// its columns at a time, whose operands it prepares in shared memory.
template <class Reference, class Widths>
__global__ void __launch_bounds__(kThreads, kBlocksAtOnce<Reference>)
    compare_tiles(const __grid_constant__ FlatUnit unit, const __grid_constant__ Round round,
                  const __grid_constant__ TileBatch batch, int columns, Tally* tally) {
  extern __shared__ std::uint64_t shared[];
  const Reference reference(unit);
  const auto [m, n, k] = round.shape;
  const Storage storage = storage_of<Widths>(unit.widths, round.storage);
  auto* const memory = reinterpret_cast<typename Reference::Prepared*>(shared);
  Lines<Reference> rows(memory, k), cols(memory + m * row_stride(k), k);
  const unsigned thread = threadIdx.x;
  const Walk of_row(thread, m, k), of_column(thread, columns, k), results(thread, m, columns);
  const Runs runs(group_of(round.shape));
  const int tiles = round.tiles();
  for (int tile = runs.first(blockIdx.x); tile < tiles; tile = runs.next(tile, gridDim.x)) {
    const bool begins = runs.begins_at(tile);
    const void* const a = of_tile(batch.a, tile, m * k, storage.a);
    const void* const b = of_tile(batch.b, tile, n * k, storage.b);
    const void* const c = of_tile(batch.c, tile, m * n, storage.c);
    const void* const d = of_tile(static_cast<const void*>(batch.d), tile, m * n, storage.d);
    for (int first = 0; first < n; first += columns) {
      const int width = columns < n - first ? columns : n - first;
      __syncthreads();
      if (begins && first == 0) rows.clear(thread, m, 0);
      cols.clear(thread, width, 0);
      __syncthreads();
      for (Walk i = of_row; begins && first == 0 && i.matrix == 0; i.advance())
        rows.put(i.row, i.column,
                 reference.prepare_a(load(a, storage.a, i.row * k + reference.index_at(i.column))), 0);
      for (Walk i = of_column; i.matrix == 0 && i.row < width; i.advance())
        cols.put(i.row, i.column,
                 reference.prepare_b(load(b, storage.b, (first + i.row) * k + reference.index_at(i.column))),
                 0);
      __syncthreads();
      for (Walk i = width == columns ? results : Walk(thread, m, width); i.matrix == 0; i.advance()) {
        const int row = i.row, column = i.column, place = row * n + first + column;
        const Pattern predicted = predict(reference, rows[row], cols[column], load(c, storage.c, place),
                                          rows.specials(row, 0) | cols.specials(column, 0));
        const Pattern seen = load(d, storage.d, place);
        tally_if_different(unit, round, tile, row, first + column, seen, predicted, tally);
      }
    }
  }
}

/// The same of tiles of a known shape, with one result for each thread. What a thread reads of the next tile
/// is under way while it computes.
template <class Reference, class Widths, class Shape>
__global__ void __launch_bounds__(kThreads, kBlocksAtOnce<Reference>)
    compare_known_tiles(const __grid_constant__ FlatUnit unit, const __grid_constant__ Round round,
                        const __grid_constant__ TileBatch batch, int /*columns*/, Tally* tally) {
  constexpr int m = Shape::m, n = Shape::n, k = Shape::k, threads = static_cast<int>(kThreads);
  static_assert(m * n == threads && m * k % threads == 0 && n * k % threads == 0 && threads % k == 0);
  constexpr int lines = threads / k;  // that all threads read at once
  const Reference reference(unit);
  const Storage storage = storage_of<Widths>(unit.widths, round.storage);
  extern __shared__ std::uint64_t shared[];
  Lines<Reference> rows(shared, k), cols(shared + m * row_stride(k), k);
  const int thread = static_cast<int>(threadIdx.x);
  const int line = thread / k, factor = thread % k, row = thread / n, column = thread % n;
  const int from = line * k + reference.index_at(factor);
  struct Read {
    std::uint32_t a[m / lines], b[n / lines], c, d;
  };
  const auto read = [&](int tile) {
    const void* const a = of_tile(batch.a, tile, m * k, storage.a);
    const void* const b = of_tile(batch.b, tile, n * k, storage.b);
    Read x;
    for (int i = 0; i < m / lines; ++i)
      x.a[i] = static_cast<std::uint32_t>(load(a, storage.a, from + i * threads));
    for (int i = 0; i < n / lines; ++i)
      x.b[i] = static_cast<std::uint32_t>(load(b, storage.b, from + i * threads));
    x.c = static_cast<std::uint32_t>(load(of_tile(batch.c, tile, m * n, storage.c), storage.c, thread));
    x.d = static_cast<std::uint32_t>(
        load(of_tile(static_cast<const void*>(batch.d), tile, m * n, storage.d), storage.d, thread));
    return x;
  };
  constexpr Runs runs(group_of({m, n, k}));
  const int tiles = round.groups * group_of({m, n, k}).tiles();
  int tile = runs.first(blockIdx.x), row_turn = 1, turn = 0;
  if (tile >= tiles) return;
  rows.clear(threadIdx.x, m, 0);
  cols.clear(threadIdx.x, n, 0);
  __syncthreads();
  for (Read after = read(tile); tile < tiles; turn = 1 - turn) {
    const Read x = after;
    if (runs.begins_at(tile)) {
      row_turn = 1 - row_turn;
      for (int i = 0; i < m / lines; ++i)
        rows.put(line + i * lines, factor, reference.prepare_a(x.a[i]), row_turn);
      rows.clear(threadIdx.x, m, 1 - row_turn);
    }
    for (int i = 0; i < n / lines; ++i) cols.put(line + i * lines, factor, reference.prepare_b(x.b[i]), turn);
    cols.clear(threadIdx.x, n, 1 - turn);
    __syncthreads();
    const int next = runs.next(tile, gridDim.x);
    if (next < tiles) after = read(next);
    const Pattern predicted = predict(reference, rows[row], cols[column], x.c,
                                      rows.specials(row, row_turn) | cols.specials(column, turn));
    tally_if_different(unit, round, tile, row, column, x.d, predicted, tally);
    tile = next;
    __syncthreads();
  }
}

/// Counts results of a round that differ from `expected`.
__global__ void __launch_bounds__(kThreads)
    compare_with_one(const void* d, int bytes, unsigned count, const void* expected,
                     unsigned long long* differing) {
  const Pattern first = load(expected, bytes, 0);
  unsigned own = 0;
  for (unsigned i = blockIdx.x * kThreads + threadIdx.x; i < count; i += gridDim.x * kThreads)
    own += load(d, bytes, i) != first ? 1U : 0U;
  if (own != 0) atomicAdd(differing, static_cast<unsigned long long>(own));
}

// Before CUDA 12.1 a kernel's arguments have no more room.
static_assert(sizeof(FlatUnit) + sizeof(Round) + sizeof(TileBatch) + 2 * sizeof(Tally*) <= 4096);

using CompareKernel = void (*)(const FlatUnit, const Round, const TileBatch, int, Tally*);

struct Instance {
  CompareKernel kernel;
  int bytes;  ///< of a prepared operand
};
template <class T, class Widths = AnyWidths, class Shape = AnyShape>
Instance instance_of() {
  constexpr int kBytes = sizeof(typename T::Prepared);
  if constexpr (std::is_same_v<Shape, AnyShape>)
    return {&compare_tiles<T, Widths>, kBytes};
  else
    return {&compare_known_tiles<T, Widths, Shape>, kBytes};
}

/// Formats and shapes that are compared most are known to the kernel.
template <class Widths, class Shape>
Instance instance_of(Reference reference, Widths /*formats*/, Shape /*shape*/) {
  using Known = typename Shape::template Known<Widths>;
  switch (reference) {
    case Reference::blocks_4:
      return instance_of<BlockEvaluator<4>>();
    case Reference::blocks_8:
      return instance_of<BlockEvaluator<8, Known>, Known, Shape>();
    case Reference::blocks_16:
      return instance_of<BlockEvaluator<16, Known>, Known, Shape>();
    case Reference::blocks_32:
      return instance_of<BlockEvaluator<32>>();
    case Reference::integers:
      return instance_of<IntegerEvaluator>();
    case Reference::fused:
      return instance_of<FusedChainEvaluator>();
    case Reference::words_64:
      return instance_of<FlatEvaluator<std::uint64_t, std::uint64_t>>();
    case Reference::words_128:
      return instance_of<FlatEvaluator<Word128, Word128>>();
    case Reference::words_320:
      return instance_of<FlatEvaluator<Word128, Multiword<5>>>();
    case Reference::any_576:
      break;
  }
  return instance_of<FlatEvaluator<Word128, Multiword<9>, FlatNodeOfKinds>>();
}

/// Integers whose factors are prepared as IntegerEvaluators have them?
bool is_narrow(const PlanWidths& unit) {
  return unit.d.is_integer() && !unit.converts() &&
         std::max(unit.a.container_bits, unit.b.container_bits) <= IntegerEvaluator::kMostBits;
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
  if (is_fused_chain(model)) return Reference::fused;
  const WordsNeeded needed = words_needed(model);
  if (is_narrow(unit->widths) && needed.sums <= 64) return Reference::integers;
  const int most = std::max(needed.operands, needed.sums);
  if (needed.operands > 128 || needed.sums > 576) return std::nullopt;
  if (unit->has_kinds || needed.sums > 320) return Reference::any_576;
  if (most <= 64) return Reference::words_64;
  if (most <= 128) return Reference::words_128;
  return Reference::words_320;
}

cudaError_t launch_compare(const FlatUnit& unit, Reference reference, const Round& round,
                           const TileBatch& batch, Tally* tally, const Grid& grid) {
  const auto [kernel, bytes] = with_widths(unit.widths, [&](auto widths) {
    return with_shape(widths, round.shape, [&](auto shape) { return instance_of(reference, widths, shape); });
  });
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
  unsigned blocks = 0;
  if (const cudaError_t error = blocks_of(kernel, shared, grid.processors, kTurns, blocks);
      error != cudaSuccess)
    return error;
  kernel<<<blocks, kThreads, shared, grid.stream>>>(unit, round, batch, columns, tally);
  return cudaGetLastError();
}

cudaError_t launch_compare_with_one(const Results& results, const void* expected,
                                    unsigned long long* differing, const Grid& grid) {
  constexpr int kBlocksPerProcessor = 16;
  compare_with_one<<<static_cast<unsigned>(grid.processors * kBlocksPerProcessor), kThreads, 0,
                     grid.stream>>>(results.d, results.bytes, results.count, expected, differing);
  return cudaGetLastError();
}

}  // namespace mmaprint::cuda
