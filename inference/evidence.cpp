#include "inference/evidence.h"

#include <algorithm>

#include "inference/by_need.h"
#include "inference/representative.h"

namespace mmaprint {

bool Evidence::contains(const Observation& observation) const {
  return std::ranges::find(observations_, observation) != observations_.end();
}

Evidence::Taken Evidence::take(const Observation& observation) {
  std::optional<VersionSpace> left;
  if (!sets_.empty() && unused_ == 0) {
    Sifting spent{.most_sets = most_sets_};
    const int threads = std::max(threads_, shared_ != nullptr ? shared_->of_each() : 1);
    left = refine(space_, sets_, observation, threads, deadline_, &spent);
    sifted_ += spent.operands;
    if (!left && spent.too_many_sets) return Taken::too_many_sets;
  }
  set_aside(observation);
  if (sets_.empty() || !left) return Taken::kept;
  --unused_;
  const bool settles_nan = !sets_.front().nan && is_nan(space_.formats.d, observation.d);
  const Count before = hypotheses_;
  leave(*std::move(left));
  if (settles_nan || hypotheses_ != before) narrowing_.push_back(observations_.size() - 1);
  return Taken::concluded;
}

void Evidence::set_aside(Observation observation) {
  note_contradiction(observation);
  observations_.push_back(std::move(observation));
  if (!sets_.empty()) ++unused_;
}

void Evidence::leave(VersionSpace sets) {
  if (sets.empty() && !sets_.empty())
    last_ = space_.model(sets_.front().skeleton, plainest(sets_.front().box), sets_.front().nan);
  sets_ = std::move(sets);
  hypotheses_ = count(sets_);
}

void Evidence::note_contradiction(const Observation& observation) {
  const auto other = contradictions_.against(observations_, observation);
  if (contradiction_ || !other) return;
  contradiction_ = {*other, observations_.size()};
  leave({});
}

bool several_nan_patterns(Format d, std::span<const Observation> observations) {
  std::optional<Pattern> first;
  return std::ranges::any_of(observations, [&](const Observation& o) {
    if (!is_nan(d, o.d)) return false;
    if (!first) first = o.d;
    return o.d != *first;
  });
}

}  // namespace mmaprint
