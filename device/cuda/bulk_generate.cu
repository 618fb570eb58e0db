// Makes the inputs of tiles on the device.
#include "device/cuda/bulk_access.cuh"
#include "device/cuda/bulk_launches.h"
#include "device/tile_inputs.h"

namespace mmaprint::cuda {
namespace {

/// Blocks that a multiprocessor has room for at least.
constexpr int kBlocksAtOnce = 8;

/// Fills the operands of a round. A block makes one tile after the other, and draws the themes of many at
/// once. With `one_input` every row, column and c of every tile is that of the first tile's first place.
template <class Widths>
__global__ void __launch_bounds__(kThreads, kBlocksAtOnce)
    generate_tiles(const __grid_constant__ PlanWidths unit, const __grid_constant__ Round round, void* a,
                   void* b, void* c, bool one_input) {
  const PlanWidths& widths = Widths::of(unit);
  const auto [m, n, k] = round.shape;
  const int line = one_input ? 0 : 1;  // multiplies rows and columns
  const int thread = static_cast<int>(threadIdx.x), blocks = static_cast<int>(gridDim.x);
  const Walk factors(thread, k), results(thread, n);
  __shared__ TileTheme themes[kThreads];
  for (int first = static_cast<int>(blockIdx.x); first < round.tiles; first += blocks * kThreads) {
    __syncthreads();
    if (const int own = first + thread * blocks; own < round.tiles)
      themes[thread] = TileInputs(widths, round.edges, round.seed,
                                  round.first_tile + (one_input ? 0 : static_cast<unsigned>(own)))
                           .theme();
    __syncthreads();
    for (int t = 0; t < kThreads && first + t * blocks < round.tiles; ++t) {
      const TileInputs inputs(widths, themes[t]);
      const auto at = static_cast<std::size_t>(first + t * blocks);
      for (Walk i = factors; i.row < m; i.advance())
        store(a, round.storage.a, (at * m + i.row) * k + i.column, inputs.a(line * i.row, i.column));
      for (Walk i = factors; i.row < n; i.advance())
        store(b, round.storage.b, (at * n + i.row) * k + i.column, inputs.b(line * i.row, i.column));
      for (Walk i = results; i.row < m; i.advance())
        store(c, round.storage.c, (at * m + i.row) * n + i.column, inputs.c(line * i.row, line * i.column));
    }
  }
}

}  // namespace

cudaError_t launch_generate(const PlanWidths& widths, const Round& round, const TileOperands& to,
                            bool one_input, const Grid& grid) {
  const auto kernel = with_widths(widths, [](auto known) { return &generate_tiles<decltype(known)>; });
  kernel<<<grid.blocks, kThreads, 0, grid.stream>>>(widths, round, to.a, to.b, to.c, one_input);
  return cudaGetLastError();
}

}  // namespace mmaprint::cuda
