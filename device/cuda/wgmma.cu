// wgmma with A in registers and B in shared memory: a block of four warps a tile.
#include "device/cuda/fragment.cuh"
#include "device/cuda/issue.cuh"
#include "device/cuda/kernels.h"
#include "device/cuda/launch.cuh"
#include "device/cuda/shared_matrix.h"
#include "device/cuda/target.h"

namespace mmaprint::cuda {
namespace {

/// A row of the table, by its line.
template <int Line>
struct Wgmma;

// What follows scale-d: nothing, neither factor negated, B not transposed.
#define MMAPRINT_WGMMA_PLAIN ""
#define MMAPRINT_WGMMA_SCALED ", 1, 1"
#define MMAPRINT_WGMMA_TRANSPOSABLE ", 1, 1, 0"

#define MMAPRINT_WGMMA_ROW(head, ptx, infix, sparse, shape, d, a, b, end, immediates, nc, needs) \
  template <>                                                                                    \
  struct Wgmma<__LINE__> {                                                                       \
    static constexpr std::string_view kName = MMAPRINT_WGMMA_NAME(head, shape, d, a, b, end);    \
    static constexpr Shape kShape = shape_of(#shape);                                            \
    static constexpr bool kSparse = sparse;                                                      \
    static constexpr Element kA = element_of(#a), kB = element_of(#b), kC = element_of(#d);      \
    static constexpr int kRegistersOfC = nc;                                                     \
    static constexpr Target kNeeds = needs;                                                      \
    template <Target Here>                                                                       \
    static __device__ void run(unsigned* reg_d, const unsigned* reg_a, std::uint64_t descriptor, \
                               [[maybe_unused]] unsigned metadata) {                             \
      if constexpr (runs_on(kNeeds, Here)) {                                                     \
        MMAPRINT_ISSUE_WGMMA##infix##_##nc(ptx ".sync.aligned." #shape "." #d "." #a "." #b end, \
                                           MMAPRINT_WGMMA_##immediates);                         \
      } else {                                                                                   \
        not_here();                                                                              \
      }                                                                                          \
    }                                                                                            \
  };
#define WGMMA(...) MMAPRINT_WGMMA_ROW("wgmma", "wgmma.mma_async", , false, __VA_ARGS__)
#define WGMMA_SPARSE(...) MMAPRINT_WGMMA_ROW("wgmma.sp", "wgmma.mma_async.sp", _SPARSE, true, __VA_ARGS__)
#include "device/cuda/rows/wgmma.inc"
#undef WGMMA
#undef WGMMA_SPARSE

constexpr int kWarpRows = 16;

template <class Row>
__global__ void __launch_bounds__(kThreads) wgmma_tiles(TileBatch batch) {
  constexpr Shape kShape = Row::kShape;
  constexpr int kTaken = Row::kSparse ? kShape.k / 2 : kShape.k;
  constexpr Element kA = Row::kA, kB = Row::kB, kC = Row::kC;
  constexpr int kRegistersOfA = 4;
  constexpr int kColumnBytes = kShape.k * kB.bits / 8;
  constexpr int kColumnWords = kColumnBytes / 4;
  static_assert(kShape.m == kWarpRows * kThreads / kLanes && kShape.n == 8);
  static_assert(kRegistersOfA * kThreads * 32 == kShape.m * kTaken * kA.bits, "A's registers");
  static_assert(Row::kRegistersOfC * kThreads * 32 == kShape.m * kShape.n * kC.bits, "C's registers");
  __shared__ alignas(kCoreMatrixBytes) std::uint32_t shared_b[kShape.n * kColumnWords];

  const int lane = static_cast<int>(threadIdx.x) % kLanes;
  const int row = kWarpRows * (static_cast<int>(threadIdx.x) / kLanes);
  const std::uint64_t descriptor =
      matrix_descriptor(static_cast<std::uint32_t>(__cvta_generic_to_shared(shared_b)));
#pragma unroll 1
  for (int tile = static_cast<int>(blockIdx.x); tile < batch.tiles; tile += static_cast<int>(gridDim.x)) {
    const void* columns = tile_at(batch.b, tile, kShape.n * kTaken, kB.bytes);
    for (int i = static_cast<int>(threadIdx.x); i < kShape.n * kColumnWords; i += kThreads) {
      const int column = i / kColumnWords;
      const int k = i % kColumnWords * kPerRegister<kB.bits>;
      std::uint32_t& word = shared_b[shared_offset(column, i % kColumnWords * 4) / 4];
      if constexpr (Row::kSparse)
        word =
            load_expanded<kA.bits, kB.bits, kB.bytes, kB.shift>(columns, kB.noticed, tile, kTaken, column, k);
      else
        word = load_register<kB.bits, kB.shift>(columns, static_cast<std::size_t>(column * kShape.k + k));
    }
    std::uint32_t a[kRegistersOfA], d[Row::kRegistersOfC];
    load_a<kRegistersOfA, kA.bits, kA.shift>(a, tile_at(batch.a, tile, kShape.m * kTaken, kA.bytes), kTaken,
                                             row, lane);
    load_c<Row::kRegistersOfC, kC.bytes>(d, tile_at(batch.c, tile, kShape.m * kShape.n, kC.bytes), kShape.n,
                                         row, lane);
    const std::uint32_t indices = Row::kSparse ? metadata(kA.bits, kShape.k, tile, lane) : 0;
#if __CUDA_ARCH__ >= 900
    asm volatile("fence.proxy.async;" ::: "memory");
#endif
    __syncthreads();
    Row::template run<here()>(d, a, descriptor, indices);
    __syncthreads();  // before the next tile's B overwrites this one's
    store_d<Row::kRegistersOfC, kC.bytes>(d, tile_at(batch.d, tile, kShape.m * kShape.n, kC.bytes), kShape.n,
                                          row, lane);
  }
}

template <class Row>
Kernel kernel_of() {
  constexpr Shape kShape = Row::kShape;
  return {Row::kName,
          {kShape.m, kShape.n, Row::kSparse ? kShape.k / 2 : kShape.k},
          &launch_tiles<&wgmma_tiles<Row>, 1>,
          reinterpret_cast<const void*>(&wgmma_tiles<Row>)};
}

}  // namespace

std::span<const Kernel> wgmma_kernels() {
#define WGMMA(...) kernel_of<Wgmma<__LINE__>>(),
#define WGMMA_SPARSE(...) kernel_of<Wgmma<__LINE__>>(),
  static const Kernel kKernels[] = {
#include "device/cuda/rows/wgmma.inc"
  };
  return kKernels;
}

}  // namespace mmaprint::cuda
