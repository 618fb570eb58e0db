#include "inference/evidence.h"

#include <algorithm>

#include "inference/by_need.h"
#include "inference/representative.h"

namespace mmaprint {

bool Evidence::contains(const Observation& observation) const {
  return std::ranges::find(observations_, observation) != observations_.end();
}

bool Evidence::take(Observation observation) {
  const std::size_t index = observations_.size();
  note_contradiction(observation);
  observations_.push_back(std::move(observation));
  if (sets_.empty()) return false;
  if (unused_ != 0) {
    ++unused_;
    return false;
  }
  const Observation& seen = observations_.back();
  auto left = refine(space_, sets_, seen, threads_, deadline_);
  if (!left) {
    ++unused_;
    return false;
  }
  const bool settles_nan = !sets_.front().nan && is_nan(space_.formats.d, seen.d);
  if (settles_nan || count(*left) != count(sets_)) narrowing_.push_back(index);
  leave(*std::move(left));
  return true;
}

void Evidence::leave(VersionSpace sets) {
  if (sets.empty() && !sets_.empty())
    last_ = space_.model(sets_.front().skeleton, plainest(sets_.front().box), sets_.front().nan);
  sets_ = std::move(sets);
}

void Evidence::note_contradiction(const Observation& observation) {
  const auto other = contradictions_.against(observations_, observation);
  if (contradiction_ || !other) return;
  contradiction_ = {*other, observations_.size()};
  leave({});
}

}  // namespace mmaprint
