#include "model/hypotheses.h"

#include <algorithm>
#include <array>
#include <utility>

#include "model/skeletons.h"

namespace mmaprint {

Box::Box(const ParameterValues& values) : Box(static_cast<int>(values.adders.size())) {
  for (const ParameterKey& key : keys()) (*this)[key] = ValueSet::single(value_index(values, key));
}

Count Box::size() const {
  // A big integer is multiplied seldom: as often as a word is full.
  constexpr std::uint64_t kNearlyFull = std::uint64_t{1} << 48;
  Count n = 1;
  std::uint64_t part = 1;
  for (const ValueSet& s : sets_) {
    if (s.is_single()) continue;
    part *= static_cast<std::uint64_t>(s.size());
    if (part < kNearlyFull) continue;
    n *= part;
    part = 1;
  }
  return n * part;
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

namespace {

bool is_carried(const Tree& tree, const Leaf& leaf) {
  const auto* node = std::get_if<NodeLeaf>(&leaf);
  return node != nullptr && tree.nodes[static_cast<std::size_t>(node->node)].result.is_carried();
}
bool is_scaled(const Tree& tree, const Leaf& leaf) {
  const auto* node = std::get_if<NodeLeaf>(&leaf);
  return node != nullptr && tree.nodes[static_cast<std::size_t>(node->node)].result.is_scaled();
}
bool is_product(const Leaf& leaf) {
  return std::holds_alternative<ProductLeaf>(leaf) || std::holds_alternative<PaddingLeaf>(leaf);
}

/// What a class's nodes are and add.
struct OfClass {
  bool carried = false, scaled = false;
  bool converts = true;  ///< and does nothing else
  bool adds_carried = false, adds_scaled = false, adds_products = false, adds_others = false;
};
OfClass class_in(const Tree& tree, int of_class) {
  OfClass is;
  for (const Node& node : tree.nodes) {
    if (node.adder != of_class) continue;
    is.carried = is.carried || node.result.is_carried();
    is.scaled = is.scaled || node.result.is_scaled();
    is.converts = is.converts && node.operands.size() == 1;
    for (const Leaf& leaf : node.operands) {
      const bool sum = is_carried(tree, leaf), product = is_product(leaf);
      is.adds_carried = is.adds_carried || sum;
      is.adds_scaled = is.adds_scaled || is_scaled(tree, leaf);
      is.adds_products = is.adds_products || product;
      is.adds_others = is.adds_others || (!sum && !product);
    }
  }
  return is;
}

/// The sets of a class that carries sums on, or adds such: all that the space has, with an F that they can
/// have (where later classes are free, nodes that carry nothing on may be exact), and rules of their own for
/// each of several kinds of operands.
void free_class(const OfClass& is, LaterClasses later, const Box& space, const ParameterInfo& row,
                ValueSet& set) {
  using enum Parameter;
  const auto plain = ValueSet::single(default_index(row));
  const ValueSet bits = ValueSet::range(0, kLargestOwnFractionBits);
  const bool several = (is.adds_carried ? 1 : 0) + (is.adds_products ? 1 : 0) + (is.adds_others ? 1 : 0) > 1;
  set = space[row.id];
  switch (row.id) {
    case alignment_fraction_bits:
      if (is.carried || (later == LaterClasses::exact && !is.adds_scaled)) set.intersect(bits);
      break;
    case normalisation:
      set = plain;
      break;
    case block_rounding:
      if (is.carried) set = plain;
      break;
    case output_fraction_bits:
      if (is.carried) set = ValueSet::single(space[row.id].values().back());
      break;
    case zero_addends:
      if (!is.adds_products)
        set.intersect(ValueSet::range(0, ZeroAddendsDomain::index(ZeroAddends::as_exponent(0))));
      break;
    case product:
    case product_overflow:
      if (!is.adds_products) set = plain;
      break;
    case carried_fraction_bits:
    case carried_alignment_rounding:
      if (is.adds_carried && is.adds_products && !is.adds_scaled) set = ValueSet::range(0, row.size - 1);
      break;
    case c_fraction_bits:
    case c_alignment_rounding:
    case c_dropped_below:
      if (is.adds_others && several && !is.adds_scaled) set = ValueSet::range(0, row.size - 1);
      break;
    default:
      break;
  }
}

/// What is said of products says nothing where there are none.
void free_without_carried(const OfClass& is, const Box& space, const ParameterInfo& row, ValueSet& set) {
  set = space[row.id];
  if (is.adds_products) return;
  if (row.id == Parameter::product || row.id == Parameter::product_overflow)
    set = ValueSet::single(default_index(row));
  if (row.id == Parameter::zero_addends)
    set.intersect(ValueSet::range(0, ZeroAddendsDomain::index(ZeroAddends::as_exponent(0))));
}

/// What is legal (validate): rules of one kind's own go with late normalisation.
void normalise_late_if_kinds_differ(Box& box, int of_class) {
  using enum Parameter;
  constexpr std::array kOwn{carried_fraction_bits, carried_alignment_rounding, c_fraction_bits,
                            c_alignment_rounding, c_dropped_below};
  const bool alike = std::ranges::all_of(kOwn, [&](Parameter p) {
    return box[{p, of_class}] == ValueSet::single(default_index(info(p)));
  });
  if (!alike) box[{normalisation, of_class}].intersect(ValueSet::single(default_index(info(normalisation))));
}

}  // namespace

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
  const bool no_products = std::ranges::none_of(tree.nodes, [](const Node& node) {
    return node.adder == 0 && std::ranges::any_of(node.operands, [](const Leaf& leaf) {
             return std::holds_alternative<ProductLeaf>(leaf);
           });
  });
  if (no_products) {  // what is said of them says nothing
    for (const Parameter p : {Parameter::product, Parameter::product_overflow})
      set.box[p] = ValueSet::single(default_index(info(p)));
    set.box[Parameter::zero_addends].intersect(
        ValueSet::range(0, ZeroAddendsDomain::index(ZeroAddends::as_exponent(0))));
  }
  for (int i = 0; i < set.box.classes(); ++i) {
    const OfClass is = class_in(tree, i);
    if (is.scaled) {  // exact
      for (const ParameterInfo& row : all_parameters())
        if (row.scope == Scope::adder)
          set.box[{row.id, i}] =
              ValueSet::single(row.index(exact_adder(formats.d, Rounding::toward_zero), {}));
      continue;
    }
    const bool carries = is.carried || is.adds_carried;
    if (!carries && (later_classes == LaterClasses::exact || i == 0 || is.converts)) continue;
    for (const ParameterInfo& row : all_parameters())
      if (row.scope == Scope::adder) {
        ValueSet& values = set.box[{row.id, i}];
        if (carries)
          free_class(is, later_classes, box, row, values);
        else
          free_without_carried(is, box, row, values);
      }
  }
  for (int i = 0; i < set.box.classes(); ++i) normalise_late_if_kinds_differ(set.box, i);
  for (int i = 0; i < set.box.classes(); ++i) {
    Signature inside = formats;
    inside.d = result_format(tree, i, formats.d);
    ValueSet& bits = set.box[{Parameter::output_fraction_bits, i}];
    if (inside.d != formats.d && bits.size() > 1)
      bits = info(Parameter::output_fraction_bits).searched(inside);
  }
  if (!info(formats.d).has_nan())
    set.nan = 0;
  else if (nan_results == NanResults::several)
    set.nan = canonical_nan(formats.d);
  return set;
}

VersionSpace Space::whole() const {
  VersionSpace sets;
  const ValueSet left_out = ValueSet::single(ZeroAddendsDomain::index({}));
  const auto no_clamp = ValueSet::single(ClampDomain::index({}));
  for (std::size_t i = 0; i < skeletons.size(); ++i) {
    VersionSpace parts{whole(static_cast<int>(i))};
    for (int of_class = 0; of_class < parts.front().box.classes(); ++of_class)
      for (std::size_t n = parts.size(); n-- > 0;) {
        ValueSet& zeros = parts[n].box[{Parameter::zero_addends, of_class}];
        const ParameterKey clamp{Parameter::minimum_alignment_exponent, of_class};
        if (zeros.size() < 2 || !zeros.contains(left_out.first()) ||
            !parts[n].box[clamp].contains(no_clamp.first()))
          continue;
        HypothesisSet taking_part = parts[n];
        taking_part.box[{Parameter::zero_addends, of_class}] = zeros.without(left_out);
        taking_part.box[clamp] = no_clamp;
        zeros = left_out;
        parts.push_back(std::move(taking_part));
      }
    std::ranges::move(parts, std::back_inserter(sets));
  }
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
constexpr int kFewProducts = 2;
}

Space default_space(std::string instruction, int k, Signature formats) {
  Space space{std::move(instruction), k, formats, {}, Box(1)};
  if (may_scale_products(formats))
    for (const auto& blocks : block_patterns(k))
      for (const auto c : ways_of_c(formats)) space.skeletons.push_back({{}, tree_of(Chain{blocks, c})});
  std::ranges::move(scaled_groups(k, formats), std::back_inserter(space.skeletons));
  for (const ParameterInfo& row : all_parameters()) space.box[row.id] = row.searched(formats);
  // Processors' instructions add few products; they have directions of rounding, and IEEE 754's underflow.
  if (k <= kFewProducts)
    for (const Parameter p : {Parameter::overflow, Parameter::flush_test})
      space.box[p] = info(p).searched_at_last(formats);
  // Nobody can ask for a NaN where no operand is one, nor an infinity.
  const auto has_specials = [](Format f) { return info(f).has_nan() || info(f).has_infinity(); };
  if (info(formats.d).has_nan() && !has_specials(formats.a) && !has_specials(formats.b) && !formats.c)
    space.nan_results = NanResults::several;
  return space;
}

Space wider_space(std::string instruction, int k, Signature formats) {
  Space space = default_space(std::move(instruction), k, formats);
  add_new(space.skeletons, wider_skeletons(k, formats));
  return space;
}

Space widest_space(std::string instruction, int k, Signature formats) {
  Space space = wider_space(std::move(instruction), k, formats);
  add_new(space.skeletons, widest_skeletons(k, formats));
  for (const ParameterInfo& row : all_parameters()) space.box[row.id] = row.searched_at_last(formats);
  return space;
}

Space measured_space(std::string instruction, int k, Signature formats, std::vector<Skeleton> skeletons,
                     LaterClasses later, Values values) {
  Space space = default_space(std::move(instruction), k, formats);
  space.skeletons = std::move(skeletons);
  for (const ParameterInfo& row : all_parameters()) {
    const bool is_of_zeros = row.id == Parameter::input_subnormals || row.id == Parameter::c_subnormals;
    if (values == Values::rare_too || (values == Values::flushed_positive_too && is_of_zeros))
      space.box[row.id] = row.searched_at_last(formats);
  }
  space.later_classes = later;
  return space;
}

Space carrying_space(std::string instruction, int k, Signature formats) {
  Space space = widest_space(std::move(instruction), k, formats);
  add_new(space.skeletons, carrying_skeletons(k, formats));
  return space;
}

}  // namespace mmaprint
