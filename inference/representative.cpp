#include "inference/representative.h"

#include <algorithm>
#include <optional>
#include <set>
#include <vector>

namespace mmaprint {
namespace {

int last(const ValueSet& set) { return set.values().back(); }

/// Which chains of the space have the model's tree, each looked at once.
class ChainsOf {
 public:
  ChainsOf(const Space& space, const UnitModel& model)
      : space_(space), model_(model), known_(space.chains.size()) {}
  bool operator()(int chain) {
    auto& known = known_[static_cast<std::size_t>(chain)];
    if (!known) known = tree_of(space_.chains[static_cast<std::size_t>(chain)]) == model_.tree;
    return *known;
  }

 private:
  const Space& space_;
  const UnitModel& model_;
  std::vector<std::optional<bool>> known_;
};

/// Where c enters first there is no root of its own, and what is the root's has index 0 in every set.
ParameterValues normal(const Space& space, int chain, ParameterValues values) {
  if (space.chains[static_cast<std::size_t>(chain)].c_enters == CEnters::first)
    for (const ParameterInfo& row : all_parameters())
      if (row.scope == Scope::root) row.set(values, 0);
  return values;
}

}  // namespace

ParameterValues plainest(const Box& box) {
  ParameterValues values = box.lowest();
  for (const ParameterInfo& row : all_parameters())
    if (row.plainest_is_last) row.set(values, last(box[row.id]));
  return values;
}

ParameterValues nearest(const Box& box, const UnitModel& model) {
  ParameterValues values = plainest(box);
  const auto own = parameter_values(model);
  if (!own) return values;
  for (const ParameterInfo& row : all_parameters())
    if (box[row.id].contains(value_index(*own, row.id))) set_value(values, row.id, value_index(*own, row.id));
  return values;
}

bool contains(const Space& space, const VersionSpace& sets, const UnitModel& model) {
  const auto values = parameter_values(model);
  if (!values) return false;
  ChainsOf of_model(space, model);
  return std::ranges::any_of(sets, [&](const HypothesisSet& set) {
    return of_model(set.chain) && (!model.nan || set.nan.value_or(*model.nan) == *model.nan) &&
           set.box.contains(normal(space, set.chain, *values));
  });
}

std::vector<UnitModel> neighbours(const Space& space, const VersionSpace& sets, const UnitModel& model) {
  std::vector<UnitModel> all;
  const auto own = parameter_values(model);
  if (!own) return all;
  ChainsOf of_model(space, model);
  for (const auto& set : sets) {
    if (!of_model(set.chain)) continue;
    const ParameterValues mine = normal(space, set.chain, *own);
    for (const ParameterInfo& row : all_parameters()) {
      const int now = value_index(mine, row.id);
      std::vector<int> values = set.box[row.id].values();
      std::erase(values, now);
      if (values.empty()) continue;
      // The nearest on either side and the farthest: where a parameter is ordered, the rest lies between.
      std::set<int> chosen{values.front(), values.back()};
      const auto above = std::ranges::upper_bound(values, now);
      if (above != values.end()) chosen.insert(*above);
      if (above != values.begin()) chosen.insert(*std::prev(above));
      for (const int v : chosen) {
        ParameterValues other = mine;
        set_value(other, row.id, v);
        if (!set.box.contains(other)) continue;
        all.push_back(space.model(set.chain, other, set.nan));
      }
    }
  }
  return all;
}

}  // namespace mmaprint
