#include "model/hypotheses.h"

#include <algorithm>
#include <utility>

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
  if (OperandFormats inside = formats; (inside.d = result_format(tree, 0, formats.d)) != formats.d)
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

namespace {

/// All ways to cut K products into blocks of equal width: contiguous, strided, interleaved in groups, each in
/// either block order (one of each if they coincide).
std::vector<std::vector<std::vector<int>>> block_patterns(int k) {
  std::vector<std::vector<std::vector<int>>> patterns;
  const auto add = [&](const std::vector<std::vector<int>>& blocks) {
    if (std::ranges::find(patterns, blocks) == patterns.end()) patterns.push_back(blocks);
  };
  for (int width = k; width >= 1; --width) {
    if (k % width != 0) continue;
    const int n = k / width;
    // Group size g: product i goes to block floor(i/g) mod n. g = width is contiguous, g = 1 strided.
    for (int g = width; g >= 1; --g) {
      std::vector<std::vector<int>> blocks(static_cast<std::size_t>(n));
      for (int i = 0; i < k; ++i) blocks[static_cast<std::size_t>((i / g) % n)].push_back(i);
      const bool even =
          std::ranges::all_of(blocks, [&](const auto& b) { return static_cast<int>(b.size()) == width; });
      if (!even) continue;
      add(blocks);
      std::ranges::reverse(blocks);
      add(blocks);
    }
  }
  return patterns;
}

/// What factors may be converted to: FP16 from eight bits and less, TF32 and BF16 from FP32.
std::vector<OperandPath> paths_from(Format container) {
  std::vector<OperandPath> paths{std::nullopt};
  const FormatInfo& f = info(container);
  if (f.is_floating() && f.container_bits <= 8)
    paths.emplace_back(Converted{Format::fp16, Conversion::exact});
  if (container == Format::fp32)
    for (const Format compute : {Format::tf32, Format::bf16})
      for (const Conversion how : {Conversion::chop, Conversion::nearest_even, Conversion::nearest_away})
        paths.emplace_back(Converted{compute, how});
  return paths;
}

/// Both factors are treated alike, as far as their formats let them.
std::vector<OperandPaths> all_paths(const OperandFormats& formats) {
  const auto of_a = paths_from(formats.a);
  const auto of_b = paths_from(formats.b);
  std::vector<OperandPaths> all;
  for (std::size_t i = 0; i < std::max(of_a.size(), of_b.size()); ++i)
    all.push_back({of_a[std::min(i, of_a.size() - 1)], of_b[std::min(i, of_b.size() - 1)], std::nullopt});
  return all;
}

/// Chains of these blocks whose results are FP32 until one conversion, or one addition of c, at the end.
std::vector<Skeleton> wider_chains(const std::vector<std::vector<int>>& blocks, const OperandPaths& paths,
                                   const OperandFormats& formats) {
  const FormatInfo& c = info(formats.c);
  const FormatInfo& d = info(formats.d);
  const FormatInfo& wide = info(Format::fp32);
  std::vector<Skeleton> all;
  if (d.is_integer() || d.fraction_bits >= wide.fraction_bits) return all;
  for (const bool c_joins : {true, false})
    all.push_back({paths, tree_of(Chain{blocks, CEnters::last, Inside{wide.id, c_joins}})});
  const Tree first = tree_of(Chain{blocks, CEnters::first, Inside{wide.id, true}});
  all.push_back({paths, first});
  // As FP32 a subnormal c is aligned by its own leading bit.
  if (c.emin() > wide.emin())
    all.push_back({{paths.a, paths.b, Converted{wide.id, Conversion::exact}}, first});
  return all;
}

}  // namespace

Space default_space(std::string instruction, int k, OperandFormats formats) {
  Space space{std::move(instruction), k, formats, {}, Box(1), NanResults::one_pattern};
  const auto patterns = block_patterns(k);
  const auto paths = all_paths(formats);
  for (const OperandPaths& path : paths)
    for (const auto& blocks : patterns)
      for (const CEnters c : {CEnters::first, CEnters::last})
        space.skeletons.push_back({path, tree_of(Chain{blocks, c})});
  for (const OperandPaths& path : paths)
    for (const auto& blocks : patterns)
      for (Skeleton& skeleton : wider_chains(blocks, path, formats))
        space.skeletons.push_back(std::move(skeleton));
  for (const ParameterInfo& row : all_parameters()) space.box[row.id] = row.searched(formats);
  return space;
}

}  // namespace mmaprint
