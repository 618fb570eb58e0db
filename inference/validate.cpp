#include "inference/validate.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <mutex>
#include <stdexcept>

#include "base/parallel.h"
#include "base/stopwatch.h"
#include "device/tile_inputs.h"
#include "inference/inputs.h"
#include "inference/simplify.h"
#include "model/batch_evaluator.h"

namespace mmaprint {
namespace {

constexpr int kRows = 4, kColumns = 4;  // of a tile on the host: small, so that there are many themes
constexpr std::uint64_t kTile = kRows * kColumns;
constexpr std::uint64_t kBatchTiles = 128;
constexpr std::size_t kMismatchesKept = 64;  // mismatches, before they are made simpler
constexpr std::size_t kMostSimplified = 16;
constexpr std::size_t kMostExamples = 5;
constexpr double kCallSeconds = 0.25;  // of a device that compares by itself

/// Takes in what threads or calls find.
struct Tally {
  Validation& result;
  const ShowProgress& progress;

  void add(std::uint64_t vectors, std::uint64_t mismatches, std::vector<Mismatch> examples) {
    result.vectors += vectors;
    result.mismatches += mismatches;
    for (Mismatch& m : examples)
      if (result.examples.size() < kMismatchesKept) result.examples.push_back(std::move(m));
    progress({result.vectors, result.mismatches});
  }
  void fail(const std::string& message) {
    result.device_failed = true;
    result.reason = message;
  }
};

/// All places of some tiles, a row's and a column's factors made once.
std::vector<DotInput> inputs_of_tiles(const PlanWidths& widths, const TileEdges& edges, std::uint64_t seed,
                                      std::uint64_t first, std::uint64_t most) {
  std::vector<DotInput> all;
  all.reserve(most);
  for (std::uint64_t tile = first; all.size() < most; ++tile) {
    const TileInputs made(widths, edges, seed, tile);
    std::vector<std::vector<Pattern>> rows(kRows), columns(kColumns);
    for (int k = 0; k < widths.k; ++k) {
      for (int i = 0; i < kRows; ++i) rows[static_cast<std::size_t>(i)].push_back(made.a(i, k));
      for (int j = 0; j < kColumns; ++j) columns[static_cast<std::size_t>(j)].push_back(made.b(j, k));
    }
    for (int i = 0; i < kRows; ++i)
      for (int j = 0; j < kColumns && all.size() < most; ++j)
        all.push_back(
            {rows[static_cast<std::size_t>(i)], columns[static_cast<std::size_t>(j)], made.c(i, j)});
  }
  return all;
}

/// What experiments are made of, for a batch of its own.
std::vector<DotInput> inputs_of_experiments(const UnitModel& model, std::uint64_t seed, std::uint64_t count) {
  constexpr std::array kFamilies{InputFamily::any, InputFamily::edges, InputFamily::any,
                                 InputFamily::few_addends};
  InputGenerator generator(model.k, model.formats, seed);
  std::vector<DotInput> all;
  all.reserve(count);
  for (std::uint64_t i = 0; i < count; ++i) all.push_back(generator.next(kFamilies[i % kFamilies.size()]));
  return all;
}

/// On the host: every thread makes, evaluates and compares batches, tiles and experiments by turns.
class HostComparison {
 public:
  HostComparison(MatmulUnit& device, const Instruction& instruction, const BatchEvaluator& model,
                 const ValidateOptions& options, const Deadline& deadline, Tally tally)
      : device_(device),
        instruction_(instruction),
        model_(model),
        widths_(model.model().formats, model.model().k, {}),
        edges_(edges_of(model.model())),
        options_(options),
        deadline_(deadline),
        tally_(tally) {}

  void run() {
    const auto threads = static_cast<std::size_t>(std::max(1, options_.threads));
    in_parallel(threads, options_.threads, [this](std::size_t) { work(); });
  }

 private:
  void work() {
    constexpr std::uint64_t kBatch = kBatchTiles * kTile;
    while (!ended_) {
      const std::uint64_t batch = next_++;
      if (batch * kBatch >= options_.vectors) return;
      if (deadline_.passed()) return end();
      const std::uint64_t count = std::min(kBatch, options_.vectors - batch * kBatch);
      compare(batch % 2 == 0 ? inputs_of_tiles(batch, count)
                             : inputs_of_experiments(model_.model(), mixed(options_.seed) + batch, count));
    }
  }

  [[nodiscard]] std::vector<DotInput> inputs_of_tiles(std::uint64_t batch, std::uint64_t count) const {
    auto all = mmaprint::inputs_of_tiles(widths_, edges_, options_.seed, batch * kBatchTiles, count);
    ScaleDraws scales(model_.model().formats, mixed(options_.seed) + batch);
    for (DotInput& in : all) scales(in);
    return all;
  }

  /// The time is up.
  void end() {
    const std::lock_guard lock(mutex_);
    if (!ended_) tally_.result.reason = deadline_.reason();
    ended_ = true;
  }

  RunResult ask(std::span<const DotInput> inputs) {
    if (device_.concurrent()) return device_.run_until(deadline_, instruction_, inputs);
    const std::lock_guard lock(device_mutex_);
    return device_.run_until(deadline_, instruction_, inputs);
  }

  void compare(std::span<const DotInput> inputs) {
    const RunResult answer = ask(inputs);
    if (std::holds_alternative<DeviceInterrupted>(answer)) return end();
    const auto* results = std::get_if<std::vector<Pattern>>(&answer);
    if (results == nullptr) {
      const auto* failure = std::get_if<DeviceFailure>(&answer);
      const std::lock_guard lock(mutex_);
      if (!ended_) tally_.fail(failure != nullptr ? failure->message : "the device has no more answers");
      ended_ = true;
      return;
    }
    constexpr std::size_t kTogether = 64;
    std::vector<Mismatch> found;
    std::size_t compared = 0;
    while (compared < inputs.size() && !deadline_.passed()) {
      const auto some = inputs.subspan(compared, std::min(kTogether, inputs.size() - compared));
      const std::vector<Pattern> predicted = model_(some);
      for (std::size_t i = 0; i < some.size(); ++i) {
        const Pattern d = (*results)[compared + i];
        if (predicted[i] == as_modelled(model_.model(), d)) continue;
        if (model_.one()(some[i]) != predicted[i])
          throw std::logic_error("vector instructions give another result than the evaluator");
        found.push_back({{some[i], d}, predicted[i]});
      }
      compared += some.size();
    }
    const auto count = static_cast<std::uint64_t>(found.size());
    {
      const std::lock_guard lock(mutex_);
      tally_.add(compared, count, std::move(found));
    }
    if (compared < inputs.size()) end();
  }

  MatmulUnit& device_;
  const Instruction& instruction_;
  const BatchEvaluator& model_;
  PlanWidths widths_;  ///< of the containers
  TileEdges edges_;
  const ValidateOptions& options_;
  const Deadline& deadline_;
  Tally tally_;
  std::atomic<std::uint64_t> next_ = 0;
  std::atomic<bool> ended_ = false;
  std::mutex mutex_, device_mutex_;
};

/// On the device itself, in calls of about kCallSeconds.
void compare_in_bulk(BulkRunner& runner, const ValidateOptions& options, const Deadline& deadline,
                     Tally tally) {
  const std::uint64_t tiles = (options.vectors + runner.tile_size() - 1) / runner.tile_size();
  std::uint64_t call = std::max<std::uint64_t>(1, (std::uint64_t{1} << 23) / runner.tile_size());
  for (std::uint64_t done = 0; done < tiles;) {
    if (tally.result.reason = deadline.reason(); !tally.result.reason.empty()) return;
    const std::uint64_t count = std::min(call, tiles - done);
    const Stopwatch watch;
    auto found = runner.compare(options.seed, done, count);
    if (const auto* failure = std::get_if<DeviceFailure>(&found)) return tally.fail(failure->message);
    auto& [vectors, mismatches, examples] = std::get<BulkFound>(found);
    tally.add(vectors, mismatches, std::move(examples));
    done += count;
    if (watch.seconds() < kCallSeconds / 2) call *= 2;
  }
  if (tally.result.reason = deadline.reason(); !tally.result.reason.empty()) return;
  auto positions = runner.compare_positions(options.seed);
  if (const auto* failure = std::get_if<DeviceFailure>(&positions)) return tally.fail(failure->message);
  tally.result.positions = std::get<PositionsFound>(std::move(positions));
}

/// Replaces the examples by a few that are simple, as the device still shows them.
class Simplification {
 public:
  Simplification(MatmulUnit& device, const Instruction& instruction, const Evaluator& model,
                 const Deadline& deadline)
      : device_(device), instruction_(instruction), model_(model), deadline_(deadline) {}

  std::vector<Mismatch> of(std::vector<Mismatch> examples) {
    const Format d = model_.model().formats.d;
    std::ranges::stable_sort(examples, {}, [&](const Mismatch& m) {  // a NaN's pattern is the least of it
      return is_nan(d, m.predicted) && is_nan(d, m.seen.d);
    });
    if (examples.size() > kMostSimplified) examples.resize(kMostSimplified);
    std::vector<Mismatch> simple;
    for (Mismatch& m : examples) {
      if (simple.size() == kMostExamples) break;
      Mismatch less = simpler(m);
      const auto same = [&](const Mismatch& x) { return x.seen.input == less.seen.input; };
      if (std::ranges::none_of(simple, same)) simple.push_back(std::move(less));
    }
    return simple;
  }

 private:
  Mismatch simpler(const Mismatch& m) {
    Mismatch best = m;
    const Shows shows = [&](std::span<const DotInput> inputs) -> std::optional<std::vector<bool>> {
      const RunResult answer = device_.run_until(deadline_, instruction_, inputs);
      const auto* results = std::get_if<std::vector<Pattern>>(&answer);
      if (results == nullptr) return std::nullopt;
      std::vector<bool> differs;
      bool first = true;
      for (std::size_t i = 0; i < inputs.size(); ++i) {
        const Pattern predicted = model_(inputs[i]);
        differs.push_back(predicted != as_modelled(model_.model(), (*results)[i]));
        if (differs.back() && std::exchange(first, false)) best = {{inputs[i], (*results)[i]}, predicted};
      }
      return differs;
    };
    (void)simplified(model_.model().formats, m.seen.input, shows);
    return best;
  }

  MatmulUnit& device_;
  const Instruction& instruction_;
  const Evaluator& model_;
  const Deadline& deadline_;
};

}  // namespace

Validation validate_on(MatmulUnit& device, const Instruction& instruction, const UnitModel& model,
                       const ValidateOptions& options, const ShowProgress& progress) {
  const Stopwatch watch;
  const Deadline deadline(options.seconds, options.stop);
  const BatchEvaluator evaluator(model);
  Validation result;
  const Tally tally{result, progress};
  if (const auto runner = device.bulk(instruction, model))
    compare_in_bulk(*runner, options, deadline, tally);
  else
    HostComparison(device, instruction, evaluator, options, deadline, tally).run();
  result.seconds = watch.seconds();
  const bool moves = result.positions && result.positions->differing != 0;
  result.verdict = result.mismatches != 0 || moves                  ? AgreementVerdict::mismatch
                   : result.device_failed || !result.reason.empty() ? AgreementVerdict::unknown
                                                                    : AgreementVerdict::match;
  if (!result.device_failed)
    result.examples =
        Simplification(device, instruction, evaluator.one(), deadline).of(std::move(result.examples));
  return result;
}

}  // namespace mmaprint
