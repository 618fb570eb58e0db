// The kernels of a bulk comparison: make the inputs of tiles, and compare results with the model's.
#pragma once

#include "device/cuda/bulk_round.h"
#include "device/tile_inputs.h"
#include "model/flat_evaluator.h"

namespace mmaprint::cuda {

inline constexpr int kThreads = 128;
/// Blocks of a comparison that a multiprocessor has room for at least: six are quickest on Hopper, though
/// registers spill.
inline constexpr int kBlocksAtOnce = 6;

[[nodiscard]] constexpr Pattern load(const void* from, int bytes, std::size_t i) {
  switch (bytes) {
    case 1:
      return static_cast<const std::uint8_t*>(from)[i];
    case 2:
      return static_cast<const std::uint16_t*>(from)[i];
    case 4:
      return static_cast<const std::uint32_t*>(from)[i];
    default:
      return static_cast<const std::uint64_t*>(from)[i];
  }
}
constexpr void store(void* to, int bytes, std::size_t i, Pattern p) {
  switch (bytes) {
    case 1:
      static_cast<std::uint8_t*>(to)[i] = static_cast<std::uint8_t>(p);
      break;
    case 2:
      static_cast<std::uint16_t*>(to)[i] = static_cast<std::uint16_t>(p);
      break;
    case 4:
      static_cast<std::uint32_t*>(to)[i] = static_cast<std::uint32_t>(p);
      break;
    default:
      static_cast<std::uint64_t*>(to)[i] = p;
  }
}

/// Fills the operands of a round. A block makes one tile after the other. With `one_input` every row, column
/// and c of every tile is that of the first tile's first place.
__global__ void __launch_bounds__(kThreads)
    generate_tiles(const __grid_constant__ PlanWidths widths, const __grid_constant__ Round round, void* a,
                   void* b, void* c, bool one_input) {
  const auto [m, n, k] = round.shape;
  const int line = one_input ? 0 : 1;  // multiplies rows and columns
  for (int tile = static_cast<int>(blockIdx.x); tile < round.tiles; tile += static_cast<int>(gridDim.x)) {
    const TileInputs inputs(widths, round.seed,
                            round.first_tile + (one_input ? 0 : static_cast<unsigned>(tile)));
    const auto at = static_cast<std::size_t>(tile);
    for (int i = static_cast<int>(threadIdx.x); i < m * k; i += kThreads)
      store(a, round.storage.a, at * (m * k) + i, inputs.a(line * (i / k), i % k));
    for (int i = static_cast<int>(threadIdx.x); i < n * k; i += kThreads)
      store(b, round.storage.b, at * (n * k) + i, inputs.b(line * (i / k), i % k));
    for (int i = static_cast<int>(threadIdx.x); i < m * n; i += kThreads)
      store(c, round.storage.c, at * (m * n) + i, inputs.c(line * (i / n), line * (i % n)));
  }
}

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

/// Is it a NaN of a format with infinities?
[[nodiscard]] constexpr bool is_ieee_nan(const FormatInfo& f, Pattern pattern) {
  const Pattern infinity = ((Pattern{1} << f.exponent_bits) - 1) << f.fraction_bits;
  const Pattern magnitude = (Pattern{1} << (f.exponent_bits + f.fraction_bits)) - 1;
  return ((pattern >> f.ignored_low_bits) & magnitude) > infinity;
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
  for (int tile = static_cast<int>(blockIdx.x); tile < round.tiles; tile += static_cast<int>(gridDim.x)) {
    const auto at = static_cast<std::size_t>(tile);
    bool special = false;  // among the operands that this thread has prepared for the tile
    for (int first = 0; first < n; first += columns) {
      const int width = columns < n - first ? columns : n - first;
      __syncthreads();
      for (int i = static_cast<int>(threadIdx.x); first == 0 && i < m * k; i += kThreads) {
        const int row = i / k, place = i % k;
        const Prepared x = rows[row * stride + place] = reference.prepare_a(
            load(batch.a, round.storage.a, (at * m + row) * k + reference.index_at(place)));
        special = special || Reference::is_special(x);
      }
      for (int i = static_cast<int>(threadIdx.x); i < width * k; i += kThreads) {
        const int column = i / k, place = i % k;
        const Prepared x = cols[column * stride + place] = reference.prepare_b(
            load(batch.b, round.storage.b, (at * n + first + column) * k + reference.index_at(place)));
        special = special || Reference::is_special(x);
      }
      const bool any_special = __syncthreads_or(special ? 1 : 0) != 0;
      for (int i = static_cast<int>(threadIdx.x); i < m * width; i += kThreads) {
        const int row = i / width, column = i % width;
        const std::size_t place = (at * m + row) * n + first + column;
        const Pattern predicted = predict(reference, rows + row * stride, cols + column * stride,
                                          load(batch.c, round.storage.c, place), any_special);
        const Pattern seen = load(batch.d, round.storage.d, place);
        if (seen == predicted ||
            (unit.several_nans && predicted == unit.nan && is_ieee_nan(unit.widths.d, seen)))
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

}  // namespace mmaprint::cuda
