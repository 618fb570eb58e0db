#include "inference/listing.h"

#include "inference/by_need.h"
#include "model/evaluator.h"

namespace mmaprint {
namespace {

/// Calls use(box, values) for every hypothesis of a box, each as a box of its own.
template <class Use>
void for_each(const Box& box, Use&& use, std::size_t from = 0) {
  for (std::size_t p = from; p < box.sets().size(); ++p) {
    if (box.sets()[p].is_single()) continue;
    for (const int value : box.sets()[p].values()) {
      Box one = box;
      one.sets()[p] = ValueSet::single(value);
      for_each(one, use, p + 1);
    }
    return;
  }
  use(box, box.lowest());
}

}  // namespace

std::optional<VersionSpace> refine_by_listing(const Space& space, const VersionSpace& sets,
                                              const Observation& observation, const Deadline& deadline) {
  VersionSpace left;
  for (const HypothesisSet& set : sets) {
    if (deadline.passed()) return std::nullopt;
    for_each(set.box, [&](const Box& box, const ParameterValues& values) {
      if (evaluate(space.model(set.skeleton, values, set.nan), observation.input) == observation.d)
        left.push_back({set.skeleton, box, set.nan});
    });
  }
  return united(left);
}

}  // namespace mmaprint
