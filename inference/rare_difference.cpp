#include "inference/rare_difference.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <chrono>
#include <mutex>
#include <thread>

#include "inference/inputs.h"
#include "model/evaluator.h"

namespace mmaprint {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::uint64_t kInputsOfChunk = 8192;

/// Chunks are searched in order; the first one with a difference counts, so that threads don't matter.
class Search {
 public:
  Search(const UnitModel& model, const std::vector<UnitModel>& others, const RareSearch& options)
      : model_(model),
        others_(others.begin(), others.end()),
        options_(options),
        first_(options.inputs / kInputsOfChunk) {}

  std::optional<DotInput> operator()() {
    {
      std::vector<std::jthread> helpers;
      for (int i = 1; i < options_.threads; ++i) helpers.emplace_back([this] { work(); });
      work();
    }
    return found_;
  }

 private:
  void work() {
    for (std::uint64_t chunk = next_++; chunk < first_ && !ended(); chunk = next_++)
      if (auto input = in(chunk)) keep(chunk, std::move(*input));
  }
  [[nodiscard]] bool ended() const {
    const double passed = std::chrono::duration<double>(Clock::now() - began_).count();
    return options_.stop.stop_requested() || passed >= options_.seconds;
  }
  std::optional<DotInput> in(std::uint64_t chunk) const {
    constexpr std::array kEfforts{Effort::any, Effort::any, Effort::edges};
    const UnitModel& m = model_.model();
    InputGenerator generator(m.k, m.formats, (options_.seed << 32) + chunk);
    for (std::uint64_t i = 0; i < kInputsOfChunk; ++i) {
      DotInput input = generator.next(kEfforts[i % kEfforts.size()]);
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
  std::atomic<std::uint64_t> next_ = 0, first_;
  Clock::time_point began_ = Clock::now();
  std::mutex mutex_;
  std::optional<DotInput> found_;
};

}  // namespace

std::optional<DotInput> rare_difference(const UnitModel& model, const std::vector<UnitModel>& others,
                                        const RareSearch& search) {
  if (others.empty()) return std::nullopt;
  return Search(model, others, search)();
}

}  // namespace mmaprint
