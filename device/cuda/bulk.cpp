#include "device/cuda/bulk.h"

#include <fmt/format.h>

#include <algorithm>
#include <thread>

#include "base/parallel.h"
#include "device/cuda/bulk_steps.h"
#include "device/cuda/runtime.h"
#include "device/tile_inputs.h"
#include "model/evaluator.h"

namespace mmaprint::cuda {
namespace {

constexpr int kPositionInputs = 64;
constexpr int kPositionRepeats = 4;
constexpr int kPositionDots = 1 << 18;  // of one launch: several waves on every multiprocessor

class CudaBulk final : public BulkRunner {
 public:
  CudaBulk(int device, const UnitModel& model, const FlatUnit& unit, Reference reference, TileShape shape,
           Launch launch)
      : device_(device),
        model_(model),
        widths_(unit.widths.of_containers()),
        edges_(edges_of(model)),
        shape_(shape),
        steps_(unit, reference, shape, launch) {}
  ~CudaBulk() override { (void)cudaSetDevice(device_); }  // whose memory is about to be freed

  [[nodiscard]] std::uint64_t tile_size() const override {
    return static_cast<std::uint64_t>(shape_.m * shape_.n) * static_cast<unsigned>(group_of(shape_).tiles());
  }

  [[nodiscard]] std::variant<BulkFound, DeviceFailure> compare(std::uint64_t seed, std::uint64_t first,
                                                               std::uint64_t count) override {
    BulkFound found;
    Tally tally{};
    cudaError_t error = begin();
    if (error == cudaSuccess && !trusted_) {
      if (auto distrust = distrust_of(seed)) return *std::move(distrust);
      trusted_ = true;
    }
    if (error == cudaSuccess) error = steps_.clear_tally();
    for (std::uint64_t done = 0; error == cudaSuccess && done < count;) {
      const auto groups =
          static_cast<int>(std::min(count - done, static_cast<std::uint64_t>(steps_.groups_per_round())));
      const Round round = steps_.round(seed, first + done, groups);
      error = steps_.generate(round);
      if (error == cudaSuccess) error = steps_.execute(round);
      if (error == cudaSuccess) error = steps_.compare(round);
      done += static_cast<std::uint64_t>(groups);
    }
    if (error == cudaSuccess) error = steps_.read_tally(tally);
    if (error != cudaSuccess) return failed(error);
    found.vectors = count * tile_size();
    found.mismatches = tally.mismatches;
    const auto records = std::min<std::uint64_t>(tally.mismatches, Tally::kMostRecords);
    for (std::uint64_t i = 0; i < records; ++i) found.examples.push_back(example(seed, tally.records[i]));
    return found;
  }

  [[nodiscard]] std::variant<PositionsFound, DeviceFailure> compare_positions(std::uint64_t seed) override {
    PositionsFound found;
    const int groups =
        std::clamp(kPositionDots / static_cast<int>(tile_size()), 1, steps_.groups_per_round());
    cudaError_t error = begin();
    for (int input = 0; error == cudaSuccess && input < kPositionInputs; ++input) {
      const auto tile = static_cast<std::uint64_t>(input);
      const Round round = steps_.round(seed, tile, groups);
      Tally tally{};
      error = steps_.clear_tally();
      if (error == cudaSuccess) error = steps_.generate(round, true);
      for (int run = 0; error == cudaSuccess && run < kPositionRepeats; ++run) {
        error = steps_.execute(round);
        if (error == cudaSuccess && run == 0) error = steps_.keep_first_result();
        if (error == cudaSuccess) error = steps_.compare_with_kept(round);
      }
      if (error == cudaSuccess) error = steps_.read_tally(tally);
      ++found.inputs;
      found.results += static_cast<std::uint64_t>(groups) * tile_size() * kPositionRepeats;
      found.differing += tally.mismatches;
      if (tally.mismatches != 0) found.examples.push_back(tile_input({widths_, edges_, seed, tile}, 0, 0));
    }
    if (error != cudaSuccess) return failed(error);
    return found;
  }

 private:
  cudaError_t begin() {
    const cudaError_t chosen = cudaSetDevice(device_);
    if (chosen != cudaSuccess || ready_) return chosen;
    const cudaError_t allocated = steps_.allocate();
    ready_ = allocated == cudaSuccess;
    return allocated;
  }
  /// Do the GPU's inputs and the GPU's predictions equal the host's on some tiles? They come from the same
  /// source, but from another compiler; a comparison of zeros with zeros would find no difference either.
  [[nodiscard]] std::optional<DeviceFailure> distrust_of(std::uint64_t seed) {
    const int groups = std::min(kTileTurn, steps_.groups_per_round());  // every theme
    const Round round = steps_.round(seed, 0, groups);
    const std::vector<unsigned char> expected = host_results(round);
    Tally tally{};
    cudaError_t error = steps_.clear_tally();
    if (error == cudaSuccess) error = steps_.generate(round);
    if (error == cudaSuccess) error = steps_.set_results(expected.data(), expected.size());
    if (error == cudaSuccess) error = steps_.compare(round);
    if (error == cudaSuccess) error = steps_.read_tally(tally);
    if (error != cudaSuccess) return failed(error);
    if (tally.mismatches == 0) return std::nullopt;
    return DeviceFailure{fmt::format(
        "cuda:{}: internal error: the model on the GPU differs from the model on the host on {} of {} inputs",
        device_, tally.mismatches, static_cast<std::uint64_t>(groups) * tile_size())};
  }
  [[nodiscard]] std::vector<unsigned char> host_results(const Round& round) const {
    const Evaluator evaluator(model_);
    const auto bytes = static_cast<std::size_t>(round.storage.d);
    const auto of_tile = static_cast<std::size_t>(shape_.m) * static_cast<std::size_t>(shape_.n) * bytes;
    const TileGroup group = group_of(shape_);
    const auto tiles = static_cast<std::size_t>(round.tiles());
    std::vector<unsigned char> results(tiles * of_tile);
    // Large tiles hold half a million dot products, which one thread would take many seconds for.
    const auto threads = static_cast<int>(std::thread::hardware_concurrency());
    in_parallel(tiles, threads, [&](std::size_t tile) {
      const auto number = static_cast<int>(tile);
      const TileInputs inputs(widths_, edges_, round.seed,
                              round.first_group + static_cast<unsigned>(number / group.tiles()));
      unsigned char* to = results.data() + tile * of_tile;
      const int row = group.row_of(number) * shape_.m, column = group.column_of(number) * shape_.n;
      for (int i = 0; i < shape_.m * shape_.n; ++i) {
        const Pattern d = evaluator(tile_input(inputs, row + i / shape_.n, column + i % shape_.n));
        for (std::size_t byte = 0; byte < bytes; ++byte) *to++ = static_cast<unsigned char>(d >> (8 * byte));
      }
    });
    return results;
  }
  [[nodiscard]] DeviceFailure failed(cudaError_t error) const {
    return failure(fmt::format("cuda:{}", device_), "bulk comparison", error);
  }
  [[nodiscard]] Mismatch example(std::uint64_t seed, const MismatchRecord& r) const {
    return {{tile_input({widths_, edges_, seed, r.group}, r.row, r.column), r.seen}, r.predicted};
  }

  int device_;
  UnitModel model_;
  PlanWidths widths_;
  TileEdges edges_;
  TileShape shape_;
  BulkSteps steps_;
  bool ready_ = false;
  bool trusted_ = false;
};

}  // namespace

std::unique_ptr<BulkRunner> make_bulk_runner(int device, const UnitModel& model, TileShape shape,
                                             Launch launch) {
  const auto unit = flat_unit(model);
  const auto reference = reference_for(model);
  if (!unit || !reference || shape.k != model.k) return nullptr;
  return std::make_unique<CudaBulk>(device, model, *unit, *reference, shape, launch);
}

}  // namespace mmaprint::cuda
