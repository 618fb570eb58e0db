#include "inference/hitting_set.h"

#include <algorithm>
#include <iterator>
#include <unordered_map>

#include "inference/scan.h"

namespace mmaprint {
namespace {

constexpr std::size_t kBits = 64;

bool has(const std::vector<std::uint64_t>& words, std::size_t bit) {
  return (words[bit / kBits] >> (bit % kBits) & 1U) != 0;
}
bool within(const std::vector<std::uint64_t>& small, const std::vector<std::uint64_t>& large) {
  return std::ranges::equal(small, large, [](std::uint64_t x, std::uint64_t y) { return (x & ~y) == 0; });
}

}  // namespace

struct Refutations::Kind {
  std::size_t observation;  ///< the first of them
  Words refuted;
};

class Refutations::Search {
 public:
  Search(const std::vector<Kind>& kinds, std::size_t hypotheses, std::int64_t tries, const Deadline& deadline)
      : kinds_(kinds), by_hypothesis_(hypotheses), left_(tries), late_(deadline) {
    for (std::size_t h = 0; h < hypotheses; ++h)
      for (const Kind& kind : kinds_)
        if (has(kind.refuted, h)) by_hypothesis_[h].push_back(&kind);
    std::ranges::sort(by_hypothesis_, {}, &Choices::size);
  }
  /// Adds up to `size` observations to `chosen`, so that nothing is left standing; false if that can't be.
  bool hit(std::size_t size, std::vector<const Kind*>& chosen) {
    const auto standing = [&](const Choices& choices) {
      return std::ranges::none_of(
          chosen, [&](const Kind* kind) { return std::ranges::find(choices, kind) != choices.end(); });
    };
    const auto missed = std::ranges::find_if(by_hypothesis_, standing);
    if (missed == by_hypothesis_.end()) return true;
    if (size == 0) return false;
    for (const Kind* kind : *missed) {
      if (left_ <= 0 || late_.passed()) return false;
      --left_;
      chosen.push_back(kind);
      if (hit(size - 1, chosen)) return true;
      chosen.pop_back();
    }
    return false;
  }
  /// Out of tries, or of time.
  [[nodiscard]] bool over() { return left_ <= 0 || late_.passed_now(); }
  [[nodiscard]] std::int64_t left() const { return left_; }

 private:
  using Choices = std::vector<const Kind*>;
  const std::vector<Kind>& kinds_;
  std::vector<Choices> by_hypothesis_;  ///< fewest first
  std::int64_t left_;                   ///< of tries
  Checkpoint late_;
};

bool Refutations::add(const std::vector<UnitModel>& hypotheses, const Deadline& deadline) {
  std::vector<Evaluator> evaluators;
  for (const UnitModel& model : hypotheses) {
    if (deadline.passed()) return false;
    evaluators.emplace_back(model);
  }
  const std::size_t before = count_;
  count_ += hypotheses.size();
  while (blocks_.size() * kBits < count_) blocks_.emplace_back(observations_.size(), 0);
  return scan(observations_.size(), threads_, deadline,
              [&](std::size_t first, std::size_t last) {
                Checkpoint late(deadline);
                Observation seen;
                for (std::size_t i = first; i < last; ++i) {
                  observations_.read(i, seen);
                  for (std::size_t h = 0; h < evaluators.size() && !late.passed(); ++h)
                    if (!agrees(evaluators[h], seen))
                      blocks_[(before + h) / kBits][i] |= std::uint64_t{1} << ((before + h) % kBits);
                }
              }) &&
         !deadline.passed();
}

Refutations::Words Refutations::refuted_by(std::size_t observation) const {
  Words words;
  for (const Words& block : blocks_) words.push_back(block[observation]);
  return words;
}

std::vector<Refutations::Kind> Refutations::kinds() const {
  std::vector<Kind> all;
  std::unordered_map<std::uint64_t, std::vector<std::size_t>> places;
  for (std::size_t i = 0; i < observations_.size(); ++i) {
    Words words = refuted_by(i);
    std::uint64_t hash = 0;
    for (const std::uint64_t word : words) hash = (hash ^ word ^ (hash >> 29)) * 0x9E3779B97F4A7C15U;
    auto& candidates = places[hash];
    if (std::ranges::any_of(candidates, [&](std::size_t n) { return all[n].refuted == words; })) continue;
    candidates.push_back(all.size());
    all.push_back({i, std::move(words)});
  }
  constexpr std::size_t kMostCompared = 4096;
  if (all.size() > kMostCompared) return all;
  std::vector<Kind> needed;
  std::ranges::copy_if(all, std::back_inserter(needed), [&](const Kind& kind) {
    return std::ranges::none_of(
        all, [&](const Kind& other) { return &other != &kind && within(kind.refuted, other.refuted); });
  });
  return needed;
}

std::optional<std::vector<std::size_t>> Refutations::smallest(std::size_t most, std::int64_t tries,
                                                              std::int64_t& tried,
                                                              const Deadline& deadline) const {
  const std::vector<Kind> all = kinds();
  Search search(all, count_, tries, deadline);
  bool hit = false;
  std::vector<const Kind*> chosen;
  for (std::size_t size = 1; size <= most && !hit && !search.over(); ++size) hit = search.hit(size, chosen);
  tried += tries - search.left();
  if (!hit) return std::nullopt;
  std::vector<std::size_t> indices;
  indices.reserve(chosen.size());
  for (const Kind* kind : chosen) indices.push_back(kind->observation);
  std::ranges::sort(indices);
  return indices;
}

}  // namespace mmaprint
