#include "device/cuda/bulk_steps.h"

#include <algorithm>

#include "device/cuda/bulk_launches.h"
#include "device/tile_inputs.h"

namespace mmaprint::cuda {
namespace {

constexpr int kTargetDots = 1 << 23;  // of one round

/// The first failure of several calls, made one after the other as long as none fails.
template <class... Calls>
cudaError_t in_turn(Calls&&... calls) {
  cudaError_t error = cudaSuccess;
  (void)(((error = calls()) == cudaSuccess) && ...);
  return error;
}

}  // namespace

BulkSteps::BulkSteps(const FlatUnit& unit, Reference reference, TileShape shape, Launch launch)
    : unit_(unit),
      reference_(reference),
      shape_(shape),
      storage_{storage_bytes(unit.widths.from_a.format), storage_bytes(unit.widths.from_b.format),
               storage_bytes(unit.widths.from_c.format), storage_bytes(unit.widths.d)},
      launch_(launch),
      groups_(std::max(1, kTargetDots / (shape.m * shape.n * group_of(shape).tiles()))) {}

cudaError_t BulkSteps::allocate() {
  const auto [m, n, k] = shape_;
  const auto bytes = [&](int elements, int each) {
    return static_cast<std::size_t>(groups_) * static_cast<std::size_t>(group_of(shape_).tiles()) *
           static_cast<std::size_t>(elements * each);
  };
  int device = 0;
  const cudaError_t error =
      in_turn([&] { return cudaGetDevice(&device); },
              [&] { return cudaDeviceGetAttribute(&processors_, cudaDevAttrMultiProcessorCount, device); },
              [&] { return stream_.create(); }, [&] { return a_.reserve(bytes(m * k, storage_.a)); },
              [&] { return b_.reserve(bytes(n * k, storage_.b)); },
              [&] { return c_.reserve(bytes(m * n, storage_.c)); },
              [&] { return d_.reserve(bytes(m * n, storage_.d)); },
              [&] { return kept_.reserve(sizeof(Pattern)); }, [&] { return tally_.reserve(sizeof(Tally)); });
  return error;
}

Round BulkSteps::round(std::uint64_t seed, std::uint64_t first_group, int groups) const {
  return {shape_, storage_, seed, first_group, groups, edges_of(unit_.adders[0], unit_.widths.d)};
}

TileBatch BulkSteps::batch(int tiles) const { return {a_.get(), b_.get(), c_.get(), d_.get(), tiles}; }

cudaError_t BulkSteps::generate(const Round& round, bool one_input) {
  return launch_generate(unit_.widths.of_containers(), round, {a_.get(), b_.get(), c_.get()}, one_input,
                         {processors_, stream_.get()});
}

cudaError_t BulkSteps::execute(const Round& round) { return launch_(batch(round.tiles()), stream_.get()); }

cudaError_t BulkSteps::compare(const Round& round) {
  return launch_compare(unit_, reference_, round, batch(round.tiles()), static_cast<Tally*>(tally_.get()),
                        {processors_, stream_.get()});
}

cudaError_t BulkSteps::clear_tally() {
  return cudaMemsetAsync(tally_.get(), 0, sizeof(Tally), stream_.get());
}

cudaError_t BulkSteps::keep_first_result() {
  return cudaMemcpyAsync(kept_.get(), d_.get(), static_cast<std::size_t>(storage_.d),
                         cudaMemcpyDeviceToDevice, stream_.get());
}

cudaError_t BulkSteps::compare_with_kept(const Round& round) {
  const auto count = static_cast<unsigned>(round.tiles() * shape_.m * shape_.n);
  return launch_compare_with_one({d_.get(), storage_.d, count}, kept_.get(),
                                 &static_cast<Tally*>(tally_.get())->mismatches,
                                 {processors_, stream_.get()});
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
