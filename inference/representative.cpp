#include "inference/representative.h"

#include <algorithm>
#include <optional>
#include <set>
#include <vector>

namespace mmaprint {
namespace {

int last(const ValueSet& set) { return set.values().back(); }

/// Which skeletons of the space are the model's, each looked at once.
class SkeletonsOf {
 public:
  SkeletonsOf(const Space& space, const UnitModel& model)
      : space_(space), model_(skeleton_of(model)), known_(space.skeletons.size()) {}
  bool operator()(const HypothesisSet& set) {
    auto& known = known_[static_cast<std::size_t>(set.skeleton)];
    if (!known) known = space_.skeleton(set) == model_;
    return *known;
  }

 private:
  const Space& space_;
  Skeleton model_;
  std::vector<std::optional<bool>> known_;
};

}  // namespace

ParameterValues plainest(const Box& box) {
  ParameterValues values = box.lowest();
  for (const ParameterKey& key : box.keys())
    if (info(key.parameter).plainest_is_last) set_value(values, key, last(box[key]));
  return values;
}

ParameterValues nearest(const Box& box, const UnitModel& model) {
  ParameterValues values = plainest(box);
  const ParameterValues own = values_of(model);
  const int classes = std::min(box.classes(), static_cast<int>(own.adders.size()));
  for (const ParameterKey& key : all_keys(classes))
    if (box[key].contains(value_index(own, key))) set_value(values, key, value_index(own, key));
  return values;
}

bool contains(const Space& space, const VersionSpace& sets, const UnitModel& model) {
  const ParameterValues values = values_of(model);
  SkeletonsOf of_model(space, model);
  return std::ranges::any_of(sets, [&](const HypothesisSet& set) {
    return of_model(set) && (!model.nan || set.nan.value_or(*model.nan) == *model.nan) &&
           set.box.contains(values);
  });
}

std::vector<UnitModel> neighbours(const Space& space, const VersionSpace& sets, const UnitModel& model) {
  std::vector<UnitModel> all;
  const ParameterValues mine = values_of(model);
  SkeletonsOf of_model(space, model);
  for (const auto& set : sets) {
    if (!of_model(set)) continue;
    for (const ParameterKey& key : set.box.keys()) {
      const int now = value_index(mine, key);
      std::vector<int> values = set.box[key].values();
      std::erase(values, now);
      if (values.empty()) continue;
      // The nearest on either side and the farthest: where a parameter is ordered, the rest lies between.
      std::set<int> chosen{values.front(), values.back()};
      const auto above = std::ranges::upper_bound(values, now);
      if (above != values.end()) chosen.insert(*above);
      if (above != values.begin()) chosen.insert(*std::prev(above));
      for (const int v : chosen) {
        ParameterValues other = mine;
        set_value(other, key, v);
        if (!set.box.contains(other)) continue;
        all.push_back(space.model(set.skeleton, other, set.nan));
      }
    }
  }
  return all;
}

}  // namespace mmaprint
