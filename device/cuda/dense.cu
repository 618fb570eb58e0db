// mma.m16n8kX and mma.m8n8kX: a warp a tile.
#include "device/cuda/fragment.cuh"
#include "device/cuda/issue.cuh"
#include "device/cuda/kernels.h"
#include "device/cuda/launch.cuh"
#include "device/cuda/target.h"

namespace mmaprint::cuda {
namespace {

/// A row of the table, by its line.
template <int Line>
struct Dense;

#define MMAPRINT_DENSE_ROW(ptx_name, shape, a_type, b_type, c_type, na, nb, nc, needs, issue)              \
  template <>                                                                                              \
  struct Dense<__LINE__> {                                                                                 \
    static constexpr std::string_view kName = ptx_name;                                                    \
    static constexpr Shape kShape = shape_of(#shape);                                                      \
    static constexpr Element kA = element_of(#a_type), kB = element_of(#b_type), kC = element_of(#c_type); \
    static constexpr Registers kRegisters{na, nb, nc};                                                     \
    static constexpr Target kNeeds = needs;                                                                \
    template <Target Here, class Word>                                                                     \
    static __device__ void run(Word* reg_d, const Word* reg_a, const Word* reg_b) {                        \
      if constexpr (runs_on(kNeeds, Here)) {                                                               \
        issue;                                                                                             \
      } else {                                                                                             \
        not_here();                                                                                        \
      }                                                                                                    \
    }                                                                                                      \
  };
#define MMA(shape, kind, d, a, b, c, saturation, operation, na, nb, nc, needs)                               \
  MMAPRINT_DENSE_ROW(MMAPRINT_MMA_NAME(shape, kind, d, a, b, c, saturation, operation), shape, a, b, c, na,  \
                     nb, nc, needs,                                                                          \
                     MMAPRINT_ISSUE_##na##_##nb##_##nc("mma.sync.aligned." #shape ".row.col" kind saturation \
                                                       "." #d "." #a "." #b "." #c operation))
#define MMA64(shape, rounding, na, nb, nc, needs)                                    \
  MMAPRINT_DENSE_ROW(                                                                \
      MMAPRINT_MMA64_NAME(shape, rounding), shape, f64, f64, f64, na, nb, nc, needs, \
      MMAPRINT_ISSUE64_##na##_##nb##_##nc("mma.sync.aligned." #shape ".row.col.f64.f64.f64.f64" rounding))
#include "device/cuda/rows/dense.inc"
#undef MMA
#undef MMA64

template <class Row>
__global__ void __launch_bounds__(kThreads) dense_tiles(TileBatch batch) {
  constexpr Shape kShape = Row::kShape;
  constexpr Element kA = Row::kA, kB = Row::kB, kC = Row::kC;
  constexpr Registers kCount = Row::kRegisters;
  constexpr int kWordBits = kA.bits == 64 ? 64 : 32;
  static_assert(kCount.a * kLanes * kWordBits == kShape.m * kShape.k * kA.bits, "A's registers");
  static_assert(kCount.b * kLanes * kWordBits == kShape.n * kShape.k * kB.bits, "B's registers");
  static_assert(kCount.c * kLanes * kWordBits == kShape.m * kShape.n * kC.bits, "C's registers");
  using Word = typename WordOf<kWordBits == 64>::Type;

  const int lane = static_cast<int>(threadIdx.x) % kLanes;
  const WarpsTiles tiles = warps_tiles();
#pragma unroll 1
  for (int tile = tiles.first; tile < batch.tiles; tile += tiles.step) {
    Word a[kCount.a], b[kCount.b], d[kCount.c];
    load_a<kCount.a, kA.bits, kA.shift>(a, tile_at(batch.a, tile, kShape.m * kShape.k, kA.bytes), kShape.k, 0,
                                        lane);
    load_b<kCount.b, kB.bits, kB.shift>(b, tile_at(batch.b, tile, kShape.n * kShape.k, kB.bytes), kShape.k,
                                        lane);
    load_c<kCount.c, kC.bytes>(d, tile_at(batch.c, tile, kShape.m * kShape.n, kC.bytes), kShape.n, 0, lane);
    Row::template run<here()>(d, a, b);
    store_d<kCount.c, kC.bytes>(d, tile_at(batch.d, tile, kShape.m * kShape.n, kC.bytes), kShape.n, 0, lane);
  }
}

template <class Row>
Kernel kernel_of() {
  constexpr Shape kShape = Row::kShape;
  return {Row::kName,
          {kShape.m, kShape.n, kShape.k},
          &launch_tiles<&dense_tiles<Row>, kThreads / kLanes>,
          reinterpret_cast<const void*>(&dense_tiles<Row>)};
}

}  // namespace

std::span<const Kernel> dense_kernels() {
#define MMA(...) kernel_of<Dense<__LINE__>>(),
#define MMA64(...) kernel_of<Dense<__LINE__>>(),
  static const Kernel kKernels[] = {
#include "device/cuda/rows/dense.inc"
  };
  return kKernels;
}

}  // namespace mmaprint::cuda
