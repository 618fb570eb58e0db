#include <algorithm>

#include "device/cuda/bulk_kernels.cuh"
#include "device/cuda/bulk_steps.h"

namespace mmaprint::cuda {
namespace {

constexpr int kTargetDots = 1 << 23;     // of one round
constexpr int kMostShared = 46 * 1024;   // bytes of a block
constexpr int kBlocksPerProcessor = 16;  // enough that none waits for work

using CompareKernel = void (*)(const FlatUnit, const Round, const TileBatch, int, Tally*);

template <class T>
CompareKernel kernel_of() {
  return &compare_tiles<T>;
}

struct Instance {
  CompareKernel kernel;
  int bytes;  ///< of a prepared operand
};
Instance instance(Reference reference) {
  switch (reference) {
    case Reference::blocks_4:
      return {kernel_of<BlockEvaluator<4>>(), 4};
    case Reference::blocks_8:
      return {kernel_of<BlockEvaluator<8>>(), 4};
    case Reference::blocks_16:
      return {kernel_of<BlockEvaluator<16>>(), 4};
    case Reference::blocks_32:
      return {kernel_of<BlockEvaluator<32>>(), 4};
    case Reference::words_64:
      return {kernel_of<FlatEvaluator<std::uint64_t, std::uint64_t>>(), 8};
    case Reference::words_128:
      return {kernel_of<FlatEvaluator<Word128, Word128>>(), 8};
    case Reference::words_320:
      break;
  }
  return {kernel_of<FlatEvaluator<Word128, Multiword<5>>>(), 8};
}

/// The first failure of several calls, made one after the other as long as none fails.
template <class... Calls>
cudaError_t in_turn(Calls&&... calls) {
  cudaError_t error = cudaSuccess;
  (void)(((error = calls()) == cudaSuccess) && ...);
  return error;
}

}  // namespace

std::optional<Reference> reference_for(const UnitModel& model) {
  if (!flat_unit(model)) return std::nullopt;
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
  if (most <= 64) return Reference::words_64;
  if (most <= 128) return Reference::words_128;
  if (needed.operands <= 128 && needed.sums <= 320) return Reference::words_320;
  return std::nullopt;
}

BulkSteps::BulkSteps(const FlatUnit& unit, Reference reference, TileShape shape, Launch launch)
    : unit_(unit),
      reference_(reference),
      shape_(shape),
      storage_{storage_bytes(unit.widths.a), storage_bytes(unit.widths.b), storage_bytes(unit.widths.c),
               storage_bytes(unit.widths.d)},
      launch_(launch),
      tiles_(std::max(1, kTargetDots / (shape.m * shape.n))) {}

cudaError_t BulkSteps::allocate() {
  const auto [m, n, k] = shape_;
  const auto bytes = [&](int elements, int each) {
    return static_cast<std::size_t>(tiles_) * static_cast<std::size_t>(elements * each);
  };
  int device = 0, processors = 1;
  const cudaError_t error =
      in_turn([&] { return cudaGetDevice(&device); },
              [&] { return cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device); },
              [&] { return stream_.create(); }, [&] { return a_.reserve(bytes(m * k, storage_.a)); },
              [&] { return b_.reserve(bytes(n * k, storage_.b)); },
              [&] { return c_.reserve(bytes(m * n, storage_.c)); },
              [&] { return d_.reserve(bytes(m * n, storage_.d)); },
              [&] { return kept_.reserve(sizeof(Pattern)); }, [&] { return tally_.reserve(sizeof(Tally)); });
  blocks_ = static_cast<unsigned>(processors * kBlocksPerProcessor);
  return error;
}

Round BulkSteps::round(std::uint64_t seed, std::uint64_t first_tile, int tiles) const {
  return {shape_, storage_, seed, first_tile, tiles};
}

TileBatch BulkSteps::batch(int tiles) const { return {a_.get(), b_.get(), c_.get(), d_.get(), tiles}; }

cudaError_t BulkSteps::generate(const Round& round, bool one_input) {
  generate_tiles<<<blocks_, kThreads, 0, stream_.get()>>>(unit_.widths, round, a_.get(), b_.get(), c_.get(),
                                                          one_input);
  return cudaGetLastError();
}

cudaError_t BulkSteps::execute(const Round& round) { return launch_(batch(round.tiles), stream_.get()); }

cudaError_t BulkSteps::compare(const Round& round) {
  const auto [kernel, bytes] = instance(reference_);
  const int row = bytes * row_stride(shape_.k);
  int most = kMostShared;
  if (most / row <= shape_.m) {  // long rows: fewer blocks at once, with more memory each
    int device = 0;
    cudaError_t error = cudaGetDevice(&device);
    if (error == cudaSuccess)
      error = cudaDeviceGetAttribute(&most, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
    if (error == cudaSuccess)
      error = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize, most);
    if (error != cudaSuccess) return error;
  }
  const int columns = std::min(shape_.n, most / row - shape_.m);
  if (columns < 1) return cudaErrorInvalidConfiguration;
  const auto shared = static_cast<std::size_t>((shape_.m + columns) * row);
  kernel<<<blocks_, kThreads, shared, stream_.get()>>>(unit_, round, batch(round.tiles), columns,
                                                       static_cast<Tally*>(tally_.get()));
  return cudaGetLastError();
}

cudaError_t BulkSteps::clear_tally() {
  return cudaMemsetAsync(tally_.get(), 0, sizeof(Tally), stream_.get());
}

cudaError_t BulkSteps::keep_first_result() {
  return cudaMemcpyAsync(kept_.get(), d_.get(), static_cast<std::size_t>(storage_.d),
                         cudaMemcpyDeviceToDevice, stream_.get());
}

cudaError_t BulkSteps::compare_with_kept(const Round& round) {
  const auto count = static_cast<std::size_t>(round.tiles) * static_cast<std::size_t>(shape_.m * shape_.n);
  compare_with_one<<<blocks_, kThreads, 0, stream_.get()>>>(d_.get(), storage_.d, count, kept_.get(),
                                                            &static_cast<Tally*>(tally_.get())->mismatches);
  return cudaGetLastError();
}

cudaError_t BulkSteps::set_results(const void* results, std::size_t bytes) {
  return cudaMemcpyAsync(d_.get(), results, bytes, cudaMemcpyHostToDevice, stream_.get());
}

cudaError_t BulkSteps::read_tally(Tally& tally) {
  return in_turn(
      [&] {
        return cudaMemcpyAsync(&tally, tally_.get(), sizeof(Tally), cudaMemcpyDeviceToHost, stream_.get());
      },
      [&] { return cudaStreamSynchronize(stream_.get()); });
}

}  // namespace mmaprint::cuda
