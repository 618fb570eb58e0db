#include "toy_units/toy_pair.h"

#include <algorithm>
#include <array>
#include <stdexcept>

#include "model/conversion.h"
#include "support/random.h"

namespace mmaprint::toys {
namespace {

using test::Random;

constexpr std::array kFactors{Format::toy_e1m0,  Format::toy_e1m1,  Format::toy_e2m0,
                              Format::toy_e3m0,  Format::e2m1,      Format::toy_e2m1i,
                              Format::toy_e2m1n, Format::toy_e2m1z, Format::toy_e2m2};
constexpr std::array kResults{Format::toy_e2m1i, Format::toy_e2m2i, Format::toy_e3m1i,
                              Format::toy_e3m2i, Format::toy_e4m1i, Format::toy_e3m1low};

template <class T, std::size_t N>
const T& any_of(Random& random, const std::array<T, N>& all) {
  return random.pick(std::span<const T>(all));
}
int any_of(Random& random, const std::vector<int>& all) { return random.pick(std::span<const int>(all)); }

int bits_of(Format f) { return info(f).container_bits; }

struct Size {
  int k;
  Signature formats;
};
int input_bits(const Size& size) {
  return size.k * (bits_of(size.formats.a) + bits_of(size.formats.b)) +
         (size.formats.c ? bits_of(*size.formats.c) : 0);
}
Size any_size(Random& random, int most_input_bits) {
  for (;;) {
    Size size{random.pick({1, 1, 2, 2, 3}),
              {any_of(random, kFactors), any_of(random, kFactors), std::nullopt, any_of(random, kResults)}};
    if (random.chance(5, 6))
      size.formats.c = random.chance(1, 2)   ? size.formats.d
                       : random.chance(2, 3) ? any_of(random, kResults)
                                             : any_of(random, kFactors);
    if (input_bits(size) <= most_input_bits) return size;
  }
}

// ---- Structure.

/// A chain of blocks, c entering first, last, or in the middle.
Tree any_chain(Random& random, std::vector<Leaf> products, bool with_c) {
  Tree tree;
  const int c_enters = with_c ? random.between(0, 3) : -1;  // 3: with the last block
  while (!products.empty() || tree.nodes.empty()) {
    Node node;
    if (!tree.nodes.empty())
      node.operands.emplace_back(NodeLeaf{static_cast<int>(tree.nodes.size()) - 1});
    else if (c_enters == 0)
      node.operands.emplace_back(CLeaf{});
    else if (random.chance(1, 2))
      node.operands.emplace_back(ZeroLeaf{});
    for (int n = random.between(1, 2); n > 0 && !products.empty(); --n) {
      node.operands.push_back(products.back());
      products.pop_back();
    }
    if (c_enters == 1 && tree.nodes.empty()) node.operands.emplace_back(CLeaf{});
    if (c_enters == 3 && products.empty()) node.operands.emplace_back(CLeaf{});
    if (random.chance(1, 6)) node.operands.emplace_back(PaddingLeaf{});
    tree.nodes.push_back(std::move(node));
  }
  if (c_enters == 2)
    tree.nodes.push_back({{NodeLeaf{static_cast<int>(tree.nodes.size()) - 1}, CLeaf{}}, 0, {}});
  if (random.chance(1, 8)) tree.nodes.push_back({{NodeLeaf{static_cast<int>(tree.nodes.size()) - 1}}, 0, {}});
  return tree;
}
/// Any tree.
Tree any_tree(Random& random, std::vector<Leaf> loose, bool with_c) {
  if (with_c) loose.emplace_back(CLeaf{});
  if (random.chance(1, 8)) loose.emplace_back(ZeroLeaf{});
  Tree tree;
  while (loose.size() > 1 || tree.nodes.empty()) {
    Node node;
    for (int n = random.between(1, 3); n > 0 && !loose.empty(); --n) {
      const auto i = static_cast<std::ptrdiff_t>(random.bits() % loose.size());
      node.operands.push_back(loose[static_cast<std::size_t>(i)]);
      loose.erase(loose.begin() + i);
    }
    loose.emplace_back(NodeLeaf{static_cast<int>(tree.nodes.size())});
    tree.nodes.push_back(std::move(node));
    if (tree.nodes.size() > 5) break;
  }
  return tree;
}
/// Which nodes share parameters, and what becomes of their sums.
void classify(Random& random, Tree& tree) {
  const int classes = random.between(1, 3);
  std::vector<int> known;  // places in order of first use
  for (Node& node : tree.nodes) {
    const int drawn = random.between(0, classes - 1);
    auto place = std::ranges::find(known, drawn);
    if (place == known.end()) place = known.insert(known.end(), drawn);
    node.adder = static_cast<int>(place - known.begin());
  }
  for (int i = 0; i < static_cast<int>(known.size()); ++i) {
    if (i == tree.nodes.back().adder) continue;  // the root's results are D's
    NodeResult result;
    if (random.chance(1, 3)) result = any_of(random, kResults);
    if (random.chance(1, 6)) result = NodeResult::carried();
    for (Node& node : tree.nodes)
      if (node.adder == i) node.result = result;
  }
}
OperandPath any_path(Random& random, Format container) {
  if (!random.chance(1, 5)) return std::nullopt;
  for (int i = 0; i < 20; ++i) {
    const Converted path{random.chance(1, 2) ? any_of(random, kFactors) : any_of(random, kResults),
                         random.pick({Conversion::exact, Conversion::exact, Conversion::chop,
                                      Conversion::nearest_even, Conversion::nearest_away})};
    if (!not_convertible(container, path)) return path;
  }
  return std::nullopt;
}
Skeleton any_skeleton(Random& random, const Size& size) {
  std::vector<Leaf> products;
  for (int i = 0; i < size.k; ++i) products.emplace_back(ProductLeaf{i});
  const bool with_c = size.formats.c.has_value();
  Skeleton skeleton{
      {any_path(random, size.formats.a), any_path(random, size.formats.b),
       with_c ? any_path(random, *size.formats.c) : std::nullopt},
      random.chance(2, 3) ? any_chain(random, products, with_c) : any_tree(random, products, with_c)};
  classify(random, skeleton.tree);
  return skeleton;
}

// ---- Parameters.

/// The default, most often, where others are rare or hide much.
int any_value(Random& random, const ParameterKey& key, const UnitModel& model) {
  const ParameterInfo& row = info(key.parameter);
  const std::vector<int> values = telling_values(key, model);
  const auto none_at_times = [&](int none, int n, int of) {
    return random.chance(n, of) ? none : any_of(random, values);
  };
  switch (key.parameter) {
    case Parameter::minimum_alignment_exponent:
      return none_at_times(0, 1, 3);
    case Parameter::alignment_fraction_bits:
      return none_at_times(row.size - 1, 1, 6);
    case Parameter::extra_carry_bits:
      return none_at_times(row.size - 1, 1, 3);
    case Parameter::input_subnormals:
    case Parameter::c_subnormals:
    case Parameter::output_subnormals:
      return none_at_times(0, 1, 2);
    case Parameter::output_fraction_bits:
      return none_at_times(values.back(), 1, 2);
    case Parameter::flush_test:
      return any_of(random, values);
    default:
      return row.is_newer ? none_at_times(default_index(row), 7, 8) : any_of(random, values);
  }
}

std::vector<ParameterKey> keys_of(const UnitModel& model) {
  const auto all = all_keys(static_cast<int>(model.adders.size()));
  return {all.begin(), all.end()};
}
void set(UnitModel& model, const ParameterKey& key, int index) {
  ParameterValues values = values_of(model);
  set_value(values, key, index);
  model.adders = values.adders;
  model.conventions = values.conventions;
}
/// Takes a drawn value where that is legal.
bool redraw(Random& random, const ParameterKey& key, UnitModel& model) {
  UnitModel other = model;
  set(other, key, any_value(random, key, model));
  const bool legal = is_legal(other);
  if (legal) model = std::move(other);
  return legal;
}

UnitModel any_model(Random& random, const Size& size) {
  for (;;) {
    const Skeleton skeleton = any_skeleton(random, size);
    ParameterValues values;
    values.adders.assign(static_cast<std::size_t>(classes_of(skeleton.tree)), Adder{});
    for (std::size_t i = 0; i < values.adders.size(); ++i) {
      const Format result = result_format(skeleton.tree, static_cast<int>(i), size.formats.d);
      values.adders[i].output_fraction_bits = info(result).fraction_bits;
      values.adders[i].alignment_fraction_bits = random.between(0, 6);
    }
    UnitModel model =
        unit_model("toy", size.k, size.formats, skeleton, values, canonical_nan(size.formats.d));
    if (!is_legal(model)) continue;
    for (const ParameterKey& key : keys_of(model)) (void)redraw(random, key, model);
    return model;
  }
}

/// Flushing c to flushing results, which come to the same where results are subnormal for a subnormal c
/// alone.
void flush_elsewhere(Random& random, UnitModel& model, UnitModel& other) {
  model.conventions.c_subnormals = Subnormals::flushed;
  model.conventions.output_subnormals = Subnormals::kept;
  if (random.chance(2, 3))
    model.conventions.zero_sign = {ZeroSign::positive, ZeroSign::positive, ZeroSign::positive,
                                   ZeroSign::positive};
  for (Adder& adder : model.adders) {
    if (random.chance(1, 3)) continue;
    adder.zero_addends = {};
    adder.c_dropped_below = std::nullopt;
    adder.alignment_rounding = AlignmentRounding::truncate;
    adder.alignment_fraction_bits = random.between(0, 2);
    if (random.chance(1, 2)) continue;
    if (adder.normalisation == Normalisation::late) adder.alignment_fraction_bits = std::nullopt;
    adder.rounding = random.pick({Rounding::nearest_even, Rounding::nearest_away});
  }
  other = model;
  other.conventions.c_subnormals = Subnormals::kept;
  other.conventions.output_subnormals = Subnormals::flushed;
  if (random.chance(1, 2)) std::swap(model, other);
}

}  // namespace

std::vector<int> telling_values(const ParameterKey& key, const UnitModel& model) {
  std::vector<int> all;
  const auto range = [&](int first, int last) {
    for (int i = first; i <= last; ++i) all.push_back(i);
  };
  switch (key.parameter) {
    case Parameter::minimum_alignment_exponent:
      all = {0, ClampDomain::index(-16)};
      range(ClampDomain::index(-11), ClampDomain::index(0));
      break;
    case Parameter::alignment_fraction_bits:
      range(0, 9);
      all.insert(all.end(), {14, 20, AlignmentBitsDomain::index(std::nullopt)});
      break;
    case Parameter::output_fraction_bits:
      range(1, info(result_format(model.tree, key.of_class, model.formats.d)).fraction_bits);
      break;
    case Parameter::product:
      range(0, 1);
      break;
    case Parameter::zero_addends:
      all = {0};
      for (const int z : {-8, -5, -3, -2, -1, 0}) {
        all.push_back(ZeroAddendsDomain::index(ZeroAddends::as_exponent(z)));
        all.push_back(ZeroAddendsDomain::index(ZeroAddends::factor_exponent(z)));
      }
      break;
    case Parameter::carried_fraction_bits:
    case Parameter::c_fraction_bits:
    case Parameter::c_dropped_below:
      range(0, 8);
      break;
    case Parameter::overflow:
      all = {static_cast<int>(Overflow::infinity), static_cast<int>(Overflow::saturate),
             static_cast<int>(Overflow::by_direction)};
      break;
    default:
      range(0, info(key.parameter).size - 1);
  }
  return all;
}

int input_bits(const UnitModel& model) { return input_bits(Size{model.k, model.formats}); }

std::vector<UnitModel> ToyPair::members() const {
  std::vector<ParameterValues> all{set.box.lowest()};
  for (const ParameterKey& key : set.box.keys()) {
    const auto values = set.box[key].values();
    const std::size_t before = all.size();
    for (std::size_t v = 1; v < values.size(); ++v)
      for (std::size_t i = 0; i < before; ++i) {
        all.push_back(all[i]);
        set_value(all.back(), key, values[v]);
      }
  }
  std::vector<UnitModel> models;
  models.reserve(all.size());
  for (const ParameterValues& values : all) models.push_back(space.model(set.skeleton, values, set.nan));
  return models;
}

ToyPair toy_pair(std::uint64_t seed, int most_input_bits) {
  Random random(seed);
  for (;;) {
    UnitModel model = any_model(random, any_size(random, most_input_bits));
    UnitModel other = model;
    const bool elsewhere = model.formats.c && random.chance(1, 8);
    if (elsewhere) flush_elsewhere(random, model, other);
    if (!is_legal(model)) continue;
    ToyPair pair{{"toy", model.k, model.formats, {skeleton_of(model)}, Box(1), NanResults::one_pattern},
                 model,
                 {0, Box(values_of(model)), canonical_nan(model.formats.d)},
                 {}};
    const auto keys = keys_of(model);
    const auto change = [&](const ParameterKey& key) {
      if (!redraw(random, key, other)) return;
      if (std::ranges::find(pair.changed, key) == pair.changed.end()) pair.changed.push_back(key);
    };
    const bool clamp_alone = !elsewhere && random.chance(1, 6);
    if (clamp_alone)
      change({Parameter::minimum_alignment_exponent,
              random.between(0, static_cast<int>(model.adders.size()) - 1)});
    for (int n = elsewhere || clamp_alone ? random.pick({0, 0, 1}) : random.pick({1, 1, 1, 2, 2, 3}); n > 0;
         --n)
      change(random.pick(std::span<const ParameterKey>(keys)));
    if (values_of(other) == values_of(model)) continue;
    pair.set.box = Box(values_of(other));
    // Sets of a few: the model's value, or a third one.
    for (const ParameterKey& key : pair.changed) {
      Box wider = pair.set.box;
      if (random.chance(1, 3)) wider[key].insert(value_index(values_of(model), key));
      if (random.chance(1, 4)) wider[key].insert(any_value(random, key, model));
      ToyPair tried = pair;
      tried.set.box = wider;
      if (std::ranges::all_of(tried.members(), is_legal)) pair = tried;
    }
    return pair;
  }
}

}  // namespace mmaprint::toys
