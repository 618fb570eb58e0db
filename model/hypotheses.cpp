#include "model/hypotheses.h"

#include <algorithm>
#include <utility>

#include "model/skeletons.h"

namespace mmaprint {

Box::Box(const ParameterValues& values) : Box(static_cast<int>(values.adders.size())) {
  for (const ParameterKey& key : keys()) (*this)[key] = ValueSet::single(value_index(values, key));
}

Count Box::size() const {
  Count n = 1;
  for (const ValueSet& s : sets_) n *= s.size();
  return n;
}

bool Box::contains(const ParameterValues& values) const {
  return std::ranges::all_of(
      keys(), [&](const ParameterKey& key) { return (*this)[key].contains(value_index(values, key)); });
}

ParameterValues Box::lowest() const {
  ParameterValues values;
  values.adders.resize(static_cast<std::size_t>(classes_));
  for (const ParameterKey& key : keys()) set_value(values, key, (*this)[key].first());
  return values;
}

HypothesisSet Space::whole(int skeleton) const {
  HypothesisSet set{skeleton, Box(1), std::nullopt};
  const Tree& tree = skeletons[static_cast<std::size_t>(skeleton)].tree;
  set.box = Box(classes_of(tree));
  for (const Node& node : tree.nodes) {
    if (node.adder == 0) continue;
    const Adder adder = exact_adder(node.result.value_or(formats.d), Rounding::toward_zero);
    for (const ParameterInfo& row : all_parameters())
      if (row.scope == Scope::adder) set.box[{row.id, node.adder}] = ValueSet::single(row.index(adder, {}));
    set.box[{Parameter::block_rounding, node.adder}] = box[Parameter::block_rounding];
  }
  for (const ParameterInfo& row : all_parameters()) set.box[row.id] = box[row.id];
  OperandFormats inside = formats;
  inside.d = result_format(tree, 0, formats.d);
  if (inside.d != formats.d)
    set.box[Parameter::output_fraction_bits] = info(Parameter::output_fraction_bits).searched(inside);
  if (!info(formats.d).has_nan())
    set.nan = 0;
  else if (nan_results == NanResults::several)
    set.nan = canonical_nan(formats.d);
  return set;
}

VersionSpace Space::whole() const {
  VersionSpace sets;
  for (std::size_t i = 0; i < skeletons.size(); ++i) sets.push_back(whole(static_cast<int>(i)));
  return sets;
}

UnitModel Space::model(int skeleton, const ParameterValues& values, std::optional<Pattern> nan) const {
  const bool told_apart = info(formats.d).has_nan() && nan_results == NanResults::one_pattern;
  return unit_model(instruction, k, formats, skeletons[static_cast<std::size_t>(skeleton)], values,
                    told_apart ? std::optional(nan ? *nan : canonical_nan(formats.d)) : std::nullopt);
}

Count Space::size() const { return count(whole()); }

Count count(const VersionSpace& sets) {
  Count n = 0;
  for (const auto& set : sets) n += set.box.size();
  return n;
}

Space default_space(std::string instruction, int k, OperandFormats formats) {
  Space space{std::move(instruction), k, formats, {}, Box(1), NanResults::one_pattern};
  for (const auto& blocks : block_patterns(k))
    for (const CEnters c : {CEnters::first, CEnters::last})
      space.skeletons.push_back({{}, tree_of(Chain{blocks, c})});
  for (const ParameterInfo& row : all_parameters()) space.box[row.id] = row.searched(formats);
  return space;
}

Space wider_space(std::string instruction, int k, OperandFormats formats) {
  Space space = default_space(std::move(instruction), k, formats);
  for (Skeleton& skeleton : wider_skeletons(k, formats))
    if (std::ranges::find(space.skeletons, skeleton) == space.skeletons.end())
      space.skeletons.push_back(std::move(skeleton));
  return space;
}

}  // namespace mmaprint
