#include "inference/waiting.h"

#include <utility>

namespace mmaprint {
namespace {

constexpr int kSample = 48;                 ///< hypotheses that inputs are tried on
constexpr std::size_t kMostLookedAt = 256;  ///< inputs that are tried at once, to find one that costs little

}  // namespace

bool Waiting::put_off(Observation observation, const Count& hypotheses) {
  constexpr int kMost = 16;
  put_off_.push_back({std::move(observation), hypotheses});
  return ++times_ <= kMost;
}

void Waiting::wake(const Count& hypotheses) {
  constexpr int kFarFewer = 8;
  for (PutOff& one : std::exchange(put_off_, {}))
    if (hypotheses * kFarFewer > one.hypotheses)
      put_off_.push_back(std::move(one));
    else
      add(std::move(one.observation));
}

std::vector<Observation> Waiting::rest() {
  wake_all();
  const auto all = std::exchange(all_, {});
  return {all.begin(), all.end()};
}

std::optional<std::size_t> Waiting::best(Experiments& experiments, const VersionSpace& sets,
                                         Experiments::Patience patience) const {
  // Of thousands, every so many-th.
  const std::size_t step = (all_.size() + kMostLookedAt - 1) / kMostLookedAt;
  std::vector<Observation> some;
  for (std::size_t i = 0; i < all_.size(); i += step) some.push_back(all_[i]);
  const auto index = experiments.most_for_its_cost(sets, some, kSample, patience);
  return index ? std::optional(*index * step) : std::nullopt;
}

std::optional<Observation> Waiting::cheap(Experiments& experiments, const VersionSpace& sets) {
  if (empty()) return std::nullopt;
  const auto index = best(experiments, sets, Experiments::Patience::little);
  return index ? std::optional(taken(*index)) : std::nullopt;
}

Observation Waiting::next(Experiments& experiments, const VersionSpace& sets, bool few) {
  const auto index = few ? std::nullopt : best(experiments, sets, Experiments::Patience::much);
  return taken(index.value_or(0));
}

Observation Waiting::taken(std::size_t index) {
  const auto place = all_.begin() + static_cast<std::ptrdiff_t>(index);
  Observation observation = std::move(*place);
  all_.erase(place);
  return observation;
}

}  // namespace mmaprint
