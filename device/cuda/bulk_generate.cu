// Makes the inputs of tiles on the device.
#include "device/cuda/bulk_access.cuh"
#include "device/cuda/bulk_launches.h"
#include "device/tile_inputs.h"

namespace mmaprint::cuda {
namespace {

/// Blocks that a multiprocessor has room for at least.
constexpr int kBlocksAtOnce = 8;
/// Few, as a block draws the themes of all its groups at once.
constexpr int kTurns = 2;

/// Fills the operands of a round. A block makes one group of tiles after the other, and draws the themes of
/// many at once. With `one_input` every row, column and c is that of the first group's first place.
template <class Widths, class Shape>
__global__ void __launch_bounds__(kThreads, kBlocksAtOnce)
    generate_tiles(const __grid_constant__ PlanWidths unit, const __grid_constant__ Round round, void* a,
                   void* b, void* c, bool one_input) {
  const PlanWidths& widths = Widths::of(unit);
  const auto [m, n, k] = Shape::of(round.shape);
  const Storage storage = storage_of<Widths>(unit, round.storage);
  const int line = one_input ? 0 : 1;  // multiplies rows and columns
  const unsigned thread = threadIdx.x;
  const int blocks = static_cast<int>(gridDim.x), threads = static_cast<int>(kThreads);
  const TileGroup group = group_of({m, n, k});
  const Walk rows(thread, m, k), columns(thread, n, k), results(thread, m, n);
  __shared__ TileTheme themes[kThreads];
  for (int first = static_cast<int>(blockIdx.x); first < round.groups; first += blocks * threads) {
    __syncthreads();
    if (const int own = first + static_cast<int>(thread) * blocks; own < round.groups)
      themes[thread] = TileInputs(widths, round.edges, round.seed,
                                  round.first_group + (one_input ? 0 : static_cast<unsigned>(own)))
                           .theme();
    __syncthreads();
    for (int t = 0; t < threads && first + t * blocks < round.groups; ++t) {
      const TileInputs inputs(widths, themes[t]);
      const int tile = (first + t * blocks) * group.tiles();
      void* const of_a = of_tile(a, tile, m * k, storage.a);
      void* const of_b = of_tile(b, tile, n * k, storage.b);
      void* const of_c = of_tile(c, tile, m * n, storage.c);
      for (Walk i = rows; i.matrix < group.rows(); i.advance()) {
        const Pattern x = inputs.a(line * (i.matrix * m + i.row), i.column);
        for (int j = 0; j < group.columns(); ++j)
          store(of_a, storage.a, ((i.matrix * group.columns() + j) * m + i.row) * k + i.column, x);
      }
      for (Walk i = columns; i.matrix < group.columns(); i.advance()) {
        const Pattern x = inputs.b(line * (i.matrix * n + i.row), i.column);
        for (int j = 0; j < group.rows(); ++j)
          store(of_b, storage.b, ((j * group.columns() + i.matrix) * n + i.row) * k + i.column, x);
      }
      for (Walk i = results; i.matrix < group.tiles(); i.advance())
        store(of_c, storage.c, (i.matrix * m + i.row) * n + i.column,
              inputs.c(line * (group.row_of(i.matrix) * m + i.row),
                       line * (group.column_of(i.matrix) * n + i.column)));
    }
  }
}

}  // namespace

cudaError_t launch_generate(const PlanWidths& widths, const Round& round, const TileOperands& to,
                            bool one_input, const Grid& grid) {
  const auto kernel = with_widths(widths, [&](auto formats) {
    return with_shape(formats, round.shape,
                      [](auto shape) { return &generate_tiles<decltype(formats), decltype(shape)>; });
  });
  unsigned blocks = 0;
  if (const cudaError_t error = blocks_of(kernel, 0, grid.processors, kTurns, blocks); error != cudaSuccess)
    return error;
  kernel<<<blocks, kThreads, 0, grid.stream>>>(widths, round, to.a, to.b, to.c, one_input);
  return cudaGetLastError();
}

}  // namespace mmaprint::cuda
