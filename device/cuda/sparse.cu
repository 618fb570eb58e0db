// mma.sp and mma.sp::ordered_metadata: a warp a tile, metadata of our choice.
#include "device/cuda/fragment.cuh"
#include "device/cuda/issue.cuh"
#include "device/cuda/kernels.h"
#include "device/cuda/launch.cuh"
#include "device/cuda/target.h"

namespace mmaprint::cuda {
namespace {

/// A row of the table, by its line.
template <int Line, bool Ordered>
struct Sparse;

#define MMAPRINT_SPARSE_ROW(head, ordered, shape, kind, d, a, b, saturation, na, nb, nc, needs)             \
  template <>                                                                                               \
  struct Sparse<__LINE__, ordered> {                                                                        \
    static constexpr std::string_view kName = MMAPRINT_SPARSE_NAME(head, shape, kind, d, a, b, saturation); \
    static constexpr Shape kShape = shape_of(#shape);                                                       \
    static constexpr Element kA = element_of(#a), kB = element_of(#b), kC = element_of(#d);                 \
    static constexpr Registers kRegisters{na, nb, nc};                                                      \
    static constexpr Target kNeeds = needs;                                                                 \
    template <Target Here>                                                                                  \
    static __device__ void run(unsigned* reg_d, const unsigned* reg_a, const unsigned* reg_b,               \
                               unsigned metadata) {                                                         \
      if constexpr (runs_on(kNeeds, Here)) {                                                                \
        MMAPRINT_ISSUE_SPARSE_##na##_##nb##_##nc(head ".sync.aligned." #shape ".row.col" kind saturation    \
                                                      "." #d "." #a "." #b "." #d);                         \
      } else {                                                                                              \
        not_here();                                                                                         \
      }                                                                                                     \
    }                                                                                                       \
  };
#define SPARSE(...) MMAPRINT_SPARSE_ROW("mma.sp", false, __VA_ARGS__) ORDERED(__VA_ARGS__)
#define ORDERED(...) MMAPRINT_SPARSE_ROW("mma.sp::ordered_metadata", true, __VA_ARGS__)
#include "device/cuda/rows/sparse.inc"
#undef SPARSE
#undef ORDERED

template <class Row>
__global__ void __launch_bounds__(kThreads) sparse_tiles(TileBatch batch) {
  constexpr Shape kShape = Row::kShape;
  constexpr int kTaken = kShape.k / 2;
  constexpr Element kA = Row::kA, kB = Row::kB, kC = Row::kC;
  constexpr Registers kCount = Row::kRegisters;
  static_assert(kCount.a * kLanes * 32 == kShape.m * kTaken * kA.bits, "A's registers");
  static_assert(kCount.b * kLanes * 32 == kShape.n * kShape.k * kB.bits, "B's registers");
  static_assert(kCount.c * kLanes * 32 == kShape.m * kShape.n * kC.bits, "C's registers");

  const int lane = static_cast<int>(threadIdx.x) % kLanes;
  const WarpsTiles tiles = warps_tiles();
#pragma unroll 1
  for (int tile = tiles.first; tile < batch.tiles; tile += tiles.step) {
    std::uint32_t a[kCount.a], b[kCount.b], d[kCount.c];
    load_a<kCount.a, kA.bits, kA.shift>(a, tile_at(batch.a, tile, kShape.m * kTaken, kA.bytes), kTaken, 0,
                                        lane);
    const void* columns = tile_at(batch.b, tile, kShape.n * kTaken, kB.bytes);
#pragma unroll
    for (int r = 0; r < kCount.b; ++r) {
      const Cell cell = b_cell(lane, r, kPerRegister<kB.bits>);
      b[r] = load_expanded<kA.bits, kB.bits, kB.bytes, kB.shift>(columns, kB.noticed, tile, kTaken, cell.line,
                                                                 cell.along);
    }
    load_c<kCount.c, kC.bytes>(d, tile_at(batch.c, tile, kShape.m * kShape.n, kC.bytes), kShape.n, 0, lane);
    Row::template run<here()>(d, a, b, metadata(kA.bits, kShape.k, tile, lane));
    store_d<kCount.c, kC.bytes>(d, tile_at(batch.d, tile, kShape.m * kShape.n, kC.bytes), kShape.n, 0, lane);
  }
}

template <class Row>
Kernel kernel_of() {
  constexpr Shape kShape = Row::kShape;
  return {Row::kName,
          {kShape.m, kShape.n, kShape.k / 2},
          &launch_tiles<&sparse_tiles<Row>, kThreads / kLanes>,
          reinterpret_cast<const void*>(&sparse_tiles<Row>)};
}

}  // namespace

std::span<const Kernel> sparse_kernels() {
#define SPARSE(...) kernel_of<Sparse<__LINE__, false>>(), kernel_of<Sparse<__LINE__, true>>(),
#define ORDERED(...) kernel_of<Sparse<__LINE__, true>>(),
  static const Kernel kKernels[] = {
#include "device/cuda/rows/sparse.inc"
  };
  return kKernels;
}

}  // namespace mmaprint::cuda
