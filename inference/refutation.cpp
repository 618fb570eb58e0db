#include "inference/refutation.h"

#include <algorithm>
#include <chrono>
#include <set>

#include "inference/by_need.h"
#include "inference/experiments.h"
#include "inference/representative.h"
#include "model/evaluator.h"

namespace mmaprint {
namespace {

using Indices = std::vector<std::size_t>;

/// A set of `size` elements that meets each of `sets` from `from` on, added to `chosen`; false if there is
/// none.
bool hit(const std::vector<Indices>& sets, std::size_t size, Indices& chosen) {
  const auto missed = std::ranges::find_if(sets, [&](const Indices& s) {
    return std::ranges::none_of(chosen, [&](std::size_t i) { return std::ranges::binary_search(s, i); });
  });
  if (missed == sets.end()) return true;
  if (size == 0) return false;
  for (const std::size_t i : *missed) {
    chosen.push_back(i);
    if (hit(sets, size - 1, chosen)) return true;
    chosen.pop_back();
  }
  return false;
}

Indices refuting(const UnitModel& model, const std::vector<Observation>& observations) {
  const Evaluator evaluator(model);
  Indices indices;
  for (std::size_t i = 0; i < observations.size(); ++i)
    if (evaluator(observations[i].input) != as_modelled(model, observations[i].d)) indices.push_back(i);
  return indices;
}

/// Any NaN pattern is as good as any other until one was seen; then that one counts.
std::vector<HypothesisSet> with_seen_nan(std::vector<HypothesisSet> sets, Format d,
                                         const std::vector<Observation>& observations) {
  const auto seen = std::ranges::find_if(observations, [&](const Observation& o) { return is_nan(d, o.d); });
  if (seen != observations.end())
    for (auto& set : sets)
      if (!set.nan) set.nan = seen->d;
  return sets;
}

}  // namespace

Refutation refute(const Space& space, const std::vector<HypothesisSet>& whole,
                  const std::vector<Observation>& observations, int threads, std::optional<double> seconds) {
  const auto began = std::chrono::steady_clock::now();
  const auto late = [&] {
    return seconds &&
           std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count() > *seconds;
  };
  const auto start = with_seen_nan(whole, space.formats.d, observations);
  // First whether they are refuted at all: one pass, and the observations that took part bound the answer.
  Indices narrowing;
  auto left = start;
  double before = 0;
  for (const auto& s : left) before += s.box.size();
  for (std::size_t i = 0; i < observations.size() && !left.empty(); ++i) {
    left = consistent(space, left, observations[i], threads);
    double now = 0;
    for (const auto& s : left) now += s.box.size();
    if (now < before) narrowing.push_back(i);
    before = now;
  }
  if (!left.empty())
    return Explained{space.model(left.front().chain, plainest(left.front().box), left.front().nan)};

  Sampler sampler(space, 1);
  std::vector<Indices> sets;
  sets.reserve(64);
  for (int i = 0; i < 64; ++i) sets.push_back(refuting(sampler.one(start), observations));
  std::erase_if(sets, [](const Indices& s) { return s.empty(); });
  for (;;) {
    Indices chosen;
    std::size_t size = 1;
    constexpr std::size_t kLargestSearched = 4;
    while (size <= kLargestSearched && !hit(sets, size, chosen)) ++size;
    if (size > kLargestSearched || late()) return Refuted{narrowing, false};
    // From any NaN pattern again: with fewer observations another one may do.
    auto rest = whole;
    for (const std::size_t i : chosen) rest = consistent(space, rest, observations[i], threads);
    if (rest.empty()) {
      std::ranges::sort(chosen);
      return Refuted{chosen, true};
    }
    // Collect several that explain the set at once: each round costs an evaluation by need.
    for (int i = 0; i < 32; ++i) sets.push_back(refuting(sampler.one(rest), observations));
  }
}

Nearest explains_most(const Space& space, const std::vector<HypothesisSet>& whole,
                      const std::vector<Observation>& observations, std::uint64_t seed) {
  const auto start = with_seen_nan(whole, space.formats.d, observations);
  std::optional<Nearest> best;
  const auto consider = [&](const UnitModel& model) {
    const std::size_t explained = observations.size() - refuting(model, observations).size();
    if (!best || explained > best->explained) best = Nearest{model, explained};
  };
  Sampler sampler(space, seed);
  for (int i = 0; i < 200; ++i) consider(sampler.one(start));
  // Survivors of all but the last few observations explain at least those.
  auto sets = start;
  for (const Observation& o : observations) {
    auto next = consistent(space, sets, o, 1);
    if (next.empty()) continue;
    sets = std::move(next);
  }
  consider(space.model(sets.front().chain, plainest(sets.front().box), sets.front().nan));
  for (int i = 0; i < 50; ++i) consider(sampler.one(sets));
  return *best;
}

}  // namespace mmaprint
