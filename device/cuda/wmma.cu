// C++'s nvcuda::wmma: a warp a tile, fragments loaded and stored by the library.
#include <mma.h>

#include "device/cuda/kernels.h"
#include "device/cuda/launch.cuh"
#include "device/cuda/rows.h"
#include "device/cuda/target.h"

namespace mmaprint::cuda {
namespace {

namespace wmma = nvcuda::wmma;

// The library's element types, and those that matrices in memory have.
template <class Fragment, class Memory>
struct Types {
  using InFragment = Fragment;
  using InMemory = Memory;
};
using TypesOf_f16 = Types<__half, __half>;
using TypesOf_f32 = Types<float, float>;
using TypesOf_s8 = Types<signed char, signed char>;
using TypesOf_u8 = Types<unsigned char, unsigned char>;
using TypesOf_s32 = Types<int, int>;
#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 800
using TypesOf_bf16 = Types<__nv_bfloat16, __nv_bfloat16>;
using TypesOf_tf32 = Types<wmma::precision::tf32, float>;
using TypesOf_f64 = Types<double, double>;
#else  // which have no fragments there
using TypesOf_bf16 = Types<void, void>;
using TypesOf_tf32 = Types<void, void>;
using TypesOf_f64 = Types<void, void>;
#endif

/// A row of the table, by its line.
template <int Line>
struct Wmma;

#define WMMA(m, n, k, d, a, needs)                                               \
  template <>                                                                    \
  struct Wmma<__LINE__> {                                                        \
    static constexpr std::string_view kName = MMAPRINT_WMMA_NAME(m, n, k, d, a); \
    static constexpr Shape kShape{m, n, k};                                      \
    static constexpr Element kA = element_of(#a), kC = element_of(#d);           \
    static constexpr Target kNeeds = needs;                                      \
    using A = TypesOf_##a;                                                       \
    using C = TypesOf_##d;                                                       \
  };
#include "device/cuda/rows/wmma.inc"
#undef WMMA

template <class Row, Target Here>
__device__ void run(const void* a, const void* b, const void* c, void* d) {
  constexpr Shape kShape = Row::kShape;
  if constexpr (runs_on(Row::kNeeds, Here)) {
    using A = typename Row::A;
    using C = typename Row::C;
    wmma::fragment<wmma::matrix_a, kShape.m, kShape.n, kShape.k, typename A::InFragment, wmma::row_major>
        rows;
    wmma::fragment<wmma::matrix_b, kShape.m, kShape.n, kShape.k, typename A::InFragment, wmma::col_major>
        columns;
    wmma::fragment<wmma::accumulator, kShape.m, kShape.n, kShape.k, typename C::InFragment> sum;
    wmma::load_matrix_sync(rows, static_cast<const typename A::InMemory*>(a), kShape.k);
    wmma::load_matrix_sync(columns, static_cast<const typename A::InMemory*>(b), kShape.k);
    wmma::load_matrix_sync(sum, static_cast<const typename C::InMemory*>(c), kShape.n, wmma::mem_row_major);
    wmma::mma_sync(sum, rows, columns, sum);
    wmma::store_matrix_sync(static_cast<typename C::InMemory*>(d), sum, kShape.n, wmma::mem_row_major);
  } else {
    not_here();
  }
}

template <class Row>
__global__ void __launch_bounds__(kThreads) wmma_tiles(TileBatch batch) {
  constexpr Shape kShape = Row::kShape;
  constexpr Element kA = Row::kA, kC = Row::kC;
  const WarpsTiles tiles = warps_tiles();
#pragma unroll 1
  for (int tile = tiles.first; tile < batch.tiles; tile += tiles.step)
    run<Row, here()>(tile_at(batch.a, tile, kShape.m * kShape.k, kA.bytes),
                     tile_at(batch.b, tile, kShape.n * kShape.k, kA.bytes),
                     tile_at(batch.c, tile, kShape.m * kShape.n, kC.bytes),
                     tile_at(batch.d, tile, kShape.m * kShape.n, kC.bytes));
}

template <class Row>
Kernel kernel_of() {
  constexpr Shape kShape = Row::kShape;
  return {Row::kName,
          {kShape.m, kShape.n, kShape.k},
          &launch_tiles<&wmma_tiles<Row>, kThreads / 32>,
          reinterpret_cast<const void*>(&wmma_tiles<Row>)};
}

}  // namespace

std::span<const Kernel> wmma_kernels() {
#define WMMA(...) kernel_of<Wmma<__LINE__>>(),
  static const Kernel kKernels[] = {
#include "device/cuda/rows/wmma.inc"
  };
  return kKernels;
}

}  // namespace mmaprint::cuda
