#include "inference/representative.h"

#include <algorithm>
#include <optional>
#include <set>
#include <vector>

#include "model/evaluator.h"

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
  const auto nan = constant_nan(model.nan);
  SkeletonsOf of_model(space, model);
  return std::ranges::any_of(sets, [&](const HypothesisSet& set) {
    return of_model(set) && (!nan || set.nan.value_or(*nan) == *nan) && set.box.contains(values);
  });
}

UnitModel plainest_of_largest(const Space& space, const VersionSpace& sets) {
  const auto largest =
      std::ranges::max_element(sets, {}, [](const HypothesisSet& s) { return s.box.size(); });
  return space.model(largest->skeleton, plainest(largest->box), largest->nan);
}

UnitModel with_nan_rule(UnitModel model, const std::optional<NanRule>& rule) {
  if (rule) model.nan = *rule;
  return model;
}

UnitModel without_nan_rule(UnitModel model) {
  if (std::holds_alternative<NanRule>(model.nan)) model.nan = SeveralNans{};
  return model;
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

bool gives_all(const UnitModel& model, std::span<const Observation> observations) {
  const Evaluator evaluator(model);
  return std::ranges::all_of(
      observations, [&](const Observation& o) { return evaluator(o.input) == as_modelled(model, o.d); });
}

std::optional<UnitModel> plainest_giving(const Space& space, const VersionSpace& sets,
                                         std::span<const Observation> observations) {
  constexpr std::size_t kMost = 100;
  for (std::size_t i = 0; i < std::min(kMost, sets.size()); ++i) {
    UnitModel model = space.model(sets[i].skeleton, plainest(sets[i].box), sets[i].nan);
    if (gives_all(model, observations)) return model;
  }
  return std::nullopt;
}

std::vector<int> other_values(const ValueSet& set, int own, std::size_t most) {
  std::vector<int> values = set.values();
  std::erase(values, own);
  std::ranges::sort(values, {}, [&](int value) { return std::abs(value - own); });
  const std::size_t rest = values.size();
  if (rest <= most) return values;
  for (std::size_t i = most / 2; i < most; ++i) values[i] = values[i * (rest - 1) / (most - 1)];
  values.resize(most);
  return values;
}

}  // namespace mmaprint
