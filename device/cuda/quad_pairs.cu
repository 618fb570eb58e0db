// mma.m8n8k4 of FP16: four tiles a warp.
#include "device/cuda/fragment.cuh"
#include "device/cuda/issue.cuh"
#include "device/cuda/kernels.h"
#include "device/cuda/launch.cuh"
#include "device/cuda/target.h"

namespace mmaprint::cuda {
namespace {

/// A row of the table, by its line.
template <int Line>
struct QuadPairs;

#define QUADS(al, bl, d, c, nd, nc, needs)                                                              \
  template <>                                                                                           \
  struct QuadPairs<__LINE__> {                                                                          \
    static constexpr std::string_view kName = MMAPRINT_QUADS_NAME(al, bl, d, c);                        \
    static constexpr bool kAByRows = std::string_view(#al) == "row";                                    \
    static constexpr bool kBByColumns = std::string_view(#bl) == "col";                                 \
    static constexpr int kD = nd, kC = nc;                                                              \
    static constexpr Target kNeeds = needs;                                                             \
    template <Target Here>                                                                              \
    static __device__ void run(unsigned* reg_d, const unsigned* reg_a, const unsigned* reg_b,           \
                               const unsigned* reg_c) {                                                 \
      if constexpr (runs_on(kNeeds, Here)) {                                                            \
        MMAPRINT_ISSUE_QUADS_##nd##_##nc("mma.sync.aligned.m8n8k4." #al "." #bl "." #d ".f16.f16." #c); \
      } else {                                                                                          \
        not_here();                                                                                     \
      }                                                                                                 \
    }                                                                                                   \
  };
#include "device/cuda/rows/quad_pairs.inc"
#undef QUADS

constexpr int kSide = 8;
constexpr int kK = 4;
constexpr int kProducts = 4;

/// A lane's four elements of A, or of B.
template <bool AlongK>
__device__ void load_factor(unsigned (&registers)[2], const void* tile, int lane) {
  if constexpr (AlongK) {
    const uint2 four = load<uint2>(tile, static_cast<std::size_t>(quad_along_k(lane, 0).line));
    registers[0] = four.x;
    registers[1] = four.y;
  } else {
    registers[0] = registers[1] = 0;
    for (int i = 0; i < 4; ++i) {
      const Cell cell = quad_across_k(lane, i);
      const unsigned value =
          load<unsigned short>(tile, static_cast<std::size_t>(cell.line * kK + cell.along));
      registers[i / 2] |= value << (16 * (i % 2));
    }
  }
}

/// The number, among the pairs of a tile, of elements 2 * pair and 2 * pair + 1 of C or D.
template <int Count>
__device__ std::size_t quad_pair_index(int lane, int pair) {
  const Cell cell = Count == 4 ? quad_c16(lane, 2 * pair) : quad_c32(lane, 2 * pair);
  return static_cast<std::size_t>(cell.line * kSide + cell.along) / 2;
}

template <class Row>
__global__ void __launch_bounds__(kThreads) quad_pair_tiles(TileBatch batch) {
  using PairC = Pair<Row::kC / 2>;
  using PairD = Pair<Row::kD / 2>;
  const int lane = static_cast<int>(threadIdx.x) % kLanes;
  const WarpsTiles tiles = warps_tiles();
#pragma unroll 1
  for (int four = tiles.first; four * kProducts < batch.tiles; four += tiles.step) {
    const int tile = four * kProducts + quad_lane(lane).product;
    const bool real = tile < batch.tiles;
    const int source = real ? tile : batch.tiles - 1;
    unsigned a[2], b[2], c[Row::kC], d[Row::kD];
    load_factor<Row::kAByRows>(a, tile_at(batch.a, source, kSide * kK, 2), lane);
    load_factor<Row::kBByColumns>(b, tile_at(batch.b, source, kSide * kK, 2), lane);
    const void* addends = tile_at(batch.c, source, kSide * kSide, Row::kC / 2);
    for (int pair = 0; pair < 4; ++pair)
      PairC::split(load<typename PairC::Vector>(addends, quad_pair_index<Row::kC>(lane, pair)),
                   c + pair * PairC::kRegisters);
    Row::template run<here()>(d, a, b, c);
    if (!real) continue;
    auto* results = static_cast<typename PairD::Vector*>(tile_at(batch.d, tile, kSide * kSide, Row::kD / 2));
    for (int pair = 0; pair < 4; ++pair)
      results[quad_pair_index<Row::kD>(lane, pair)] = PairD::join(d + pair * PairD::kRegisters);
  }
}

template <class Row>
Kernel kernel_of() {
  return {Row::kName,
          {kSide, kSide, kK},
          &launch_tiles<&quad_pair_tiles<Row>, kProducts * kThreads / kLanes>,
          reinterpret_cast<const void*>(&quad_pair_tiles<Row>)};
}

}  // namespace

std::span<const Kernel> quad_pair_kernels() {
#define QUADS(...) kernel_of<QuadPairs<__LINE__>>(),
  static const Kernel kKernels[] = {
#include "device/cuda/rows/quad_pairs.inc"
  };
  return kKernels;
}

}  // namespace mmaprint::cuda
