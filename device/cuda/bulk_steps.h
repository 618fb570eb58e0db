// The steps of a bulk comparison on one GPU, each by itself: generate, execute, compare.
#pragma once

#include <optional>

#include "device/cuda/bulk_round.h"
#include "device/cuda/runtime.h"
#include "model/flat_unit.h"

namespace mmaprint::cuda {

/// Which instance of the datapath runs for a model.
enum class Reference : std::uint8_t {
  blocks_4,
  blocks_8,
  blocks_16,
  blocks_32,
  integers,  ///< of narrow factors
  fused,     ///< multiply-adds of IEEE 754 in FP64
  words_64,
  words_128,
  words_320,
  any_576  ///< of units that have kinds of operands, or such wide sums
};
/// nullopt where none is wide or large enough.
[[nodiscard]] std::optional<Reference> reference_for(const UnitModel& model);

class BulkSteps {
 public:
  /// Requires that `reference_for` gives this reference and `flat_unit` this unit for a model.
  BulkSteps(const FlatUnit& unit, Reference reference, TileShape shape, Launch launch);

  /// Allocates on the current device. To be called once, before anything below.
  [[nodiscard]] cudaError_t allocate();
  [[nodiscard]] int groups_per_round() const { return groups_; }
  [[nodiscard]] cudaStream_t stream() const { return stream_.get(); }
  /// Up to groups_per_round() groups.
  [[nodiscard]] Round round(std::uint64_t seed, std::uint64_t first_group, int groups) const;
  /// Where operands and results of a round's tiles are.
  [[nodiscard]] TileBatch batch(int tiles) const;

  // All of these only enqueue.
  /// With `one_input` every place of every tile has the input of the first one.
  [[nodiscard]] cudaError_t generate(const Round& round, bool one_input = false);
  [[nodiscard]] cudaError_t execute(const Round& round);
  [[nodiscard]] cudaError_t compare(const Round& round);
  [[nodiscard]] cudaError_t clear_tally();
  /// Takes the first result as the one that compare_with_kept() expects everywhere.
  [[nodiscard]] cudaError_t keep_first_result();
  [[nodiscard]] cudaError_t compare_with_kept(const Round& round);

  /// Waits for all that was enqueued.
  [[nodiscard]] cudaError_t read_tally(Tally& tally);
  /// Puts results in place of what the instruction would give: as many as `bytes` hold, from the first on.
  [[nodiscard]] cudaError_t set_results(const void* results, std::size_t bytes);

 private:
  FlatUnit unit_;
  Reference reference_;
  TileShape shape_;
  Storage storage_;
  Launch launch_;
  int groups_;
  int processors_ = 1;
  Stream stream_;
  DeviceBuffer a_, b_, c_, d_, kept_, tally_;
};

}  // namespace mmaprint::cuda
