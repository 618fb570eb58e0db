#include "inference/rare_difference.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <mutex>

#include "base/deadline.h"
#include "base/parallel.h"
#include "inference/inputs.h"
#include "model/evaluator.h"

namespace mmaprint {
namespace {

constexpr std::uint64_t kInputsOfChunk = 8192;

/// Chunks are searched in order; the first one with a difference counts, so that threads don't matter.
class RareDifferences {
 public:
  RareDifferences(const UnitModel& model, const std::vector<UnitModel>& others, const RareSearch& options)
      : model_(model),
        others_(others.begin(), others.end()),
        options_(options),
        deadline_(options.seconds, options.stop),
        first_(options.inputs / kInputsOfChunk) {}

  std::optional<DotInput> operator()() {
    in_parallel(first_, options_.threads, [this](std::size_t chunk) {
      if (chunk >= first_ || deadline_.passed()) return;
      if (auto input = in(chunk)) keep(chunk, std::move(*input));
    });
    return found_;
  }

 private:
  std::optional<DotInput> in(std::uint64_t chunk) const {
    constexpr std::array kFamilies{InputFamily::any, InputFamily::any, InputFamily::edges};
    const UnitModel& m = model_.model();
    InputGenerator generator(m.k, m.formats, (options_.seed << 32) + chunk);
    Checkpoint late(deadline_);
    for (std::uint64_t i = 0; i < kInputsOfChunk && !late.passed(); ++i) {
      DotInput input = generator.next(kFamilies[i % kFamilies.size()]);
      const Pattern d = model_(input);
      if (std::ranges::any_of(others_, [&](const Evaluator& e) { return e(input) != d; })) return input;
    }
    return std::nullopt;
  }
  void keep(std::uint64_t chunk, DotInput input) {
    const std::lock_guard lock(mutex_);
    if (chunk >= first_) return;
    first_ = chunk;
    found_ = std::move(input);
  }

  Evaluator model_;
  std::vector<Evaluator> others_;
  const RareSearch& options_;
  Deadline deadline_;
  std::atomic<std::uint64_t> first_;  ///< the first chunk known to have a difference
  std::mutex mutex_;
  std::optional<DotInput> found_;
};

}  // namespace

std::optional<DotInput> rare_difference(const UnitModel& model, const std::vector<UnitModel>& others,
                                        const RareSearch& search) {
  if (others.empty()) return std::nullopt;
  return RareDifferences(model, others, search)();
}

}  // namespace mmaprint
