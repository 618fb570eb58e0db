#include "model/features.h"

#include <algorithm>

#include "model/fixed_parameters.h"
#include "model/plan.h"
#include "model/structure_text.h"

namespace mmaprint {
namespace {

template <class... Rows>
constexpr bool places_differ(const std::tuple<Rows...>* /*rows*/) {
  std::array places{Rows::in_documents...};
  std::ranges::sort(places);
  return std::ranges::adjacent_find(places) == places.end();
}
static_assert(places_differ(static_cast<const detail::FeatureRows*>(nullptr)),
              "no two features claim the same place");

const Adder& adder_of(const UnitModel& model, const Node& node) {
  return model.adders[static_cast<std::size_t>(node.adder)];
}

/// The first node that adds and does not only round, and loses something where sums of products are scaled;
/// the first of all if there is none.
const Node& first_sum(const Tree& tree) {
  const auto adds = std::ranges::find_if(
      tree.nodes, [](const Node& n) { return n.operands.size() > 1 && !n.result.is_scaled(); });
  return adds == tree.nodes.end() ? tree.nodes.front() : *adds;
}

/// The products that each node adds itself, in the order of the nodes; nodes without any are left out.
std::vector<std::vector<int>> products_by_node(const Tree& tree) {
  std::vector<std::vector<int>> blocks;
  for (const Node& node : tree.nodes) {
    std::vector<int> block;
    for (const Leaf& leaf : node.operands)
      if (const auto* product = std::get_if<ProductLeaf>(&leaf)) block.push_back(product->index);
    if (!block.empty()) blocks.push_back(std::move(block));
  }
  return blocks;
}

/// Where c joins: `first` an addend of the first node, `last` of the root; nullopt anywhere between, or
/// nowhere.
std::optional<CEnters> c_enters(const Tree& tree) {
  const auto holds_c = [](const Node& node) { return std::ranges::count(node.operands, Leaf(CLeaf{})) > 0; };
  if (holds_c(tree.nodes.front())) return CEnters::first;
  if (holds_c(tree.nodes.back())) return CEnters::last;
  return std::nullopt;
}

/// Equal up to which adders the nodes use.
bool same_shape(const Tree& x, const Tree& y) {
  return std::ranges::equal(x.nodes, y.nodes, {}, &Node::operands, &Node::operands);
}

Family family_of(const UnitModel& model, const std::vector<std::vector<int>>& blocks) {
  if (model.tree.nodes.size() == 1 || chain_of(model.tree)) {
    if (adder_of(model, model.tree.nodes.front()).alignment_fraction_bits) return Family::fused_dot_add;
    if (std::ranges::all_of(blocks, [](const auto& block) { return block.size() == 1; }))
      return Family::fma_chain;
    return model.tree.nodes.size() == 1 ? Family::exact : Family::fused_dot_add;
  }
  const Tree pairs = model.formats.c ? pairwise_tree(model.k) : pairwise_tree_without_c(model.k);
  return same_shape(model.tree, pairs) ? Family::pairwise : Family::tree;
}

/// Operands that are no products, nor carried, nor zeros.
int others_of(const PlannedNode& node) {
  int n = 0;
  for (const OperandRun& run : node.runs)
    n += run.kind == OperandRun::Kind::c || run.kind == OperandRun::Kind::node ? 1 : 0;
  return n;
}

std::string computed_in(Format container, const OperandPath& path) {
  if (!path) return std::string(name(container));
  constexpr std::array<std::string_view, 4> kHow{"", " by chop", " by nearest-even", " by nearest-away"};
  return std::string(name(path->compute)).append(kHow[static_cast<std::size_t>(path->conversion)]);
}

/// Of some kind of operands; the one by which sums grow most then stands for all.
bool has_own_rounding(const Adder& adder) {
  return adder.carried_alignment_rounding != OwnAlignmentRounding::as_others ||
         adder.c_alignment_rounding != OwnAlignmentRounding::as_others;
}

/// `Exactly` if some node's sum can wrap; else the fewest bits with which no node's could.
CarryBits carry_bits_of(const UnitModel& model) {
  int enough = 0;
  const Plan plan(model.formats, model.k, skeleton_of(model));
  for (const PlannedNode& node : plan.nodes) {
    if (node.is_scaled) continue;  // exact, and no part of E's accumulator
    const Adder& adder = model.adders[static_cast<std::size_t>(node.adder)];
    const bool exact = !adder.alignment_fraction_bits;
    const SumShape shape{node.products,
                         others_of(node),
                         adder.alignment_fraction_bits.value_or(0),
                         adder.product,
                         has_own_rounding(adder) ? AlignmentRounding::nearest_even
                         : exact                 ? AlignmentRounding::truncate
                                                 : adder.alignment_rounding,
                         exact ? Normalisation::late : adder.normalisation,
                         plan.product_bound(),
                         node.carried.bounds,
                         node.carried.largest};
    const auto can_wrap = [&](int carry) { return carry_can_wrap(carry, shape); };
    if (adder.extra_carry_bits && can_wrap(*adder.extra_carry_bits)) return Exactly{*adder.extra_carry_bits};
    while (can_wrap(enough)) ++enough;
  }
  return AtLeast{enough};
}

}  // namespace

int reference_fraction_bits(Format d) { return d == Format::fp64 ? 52 : 23; }

namespace {

bool is_carried(const Tree& tree, int of_class) {
  return std::ranges::any_of(
      tree.nodes, [&](const Node& node) { return node.adder == of_class && node.result.is_carried(); });
}

bool is_scaled(const Tree& tree, int of_class) {
  return std::ranges::any_of(
      tree.nodes, [&](const Node& node) { return node.adder == of_class && node.result.is_scaled(); });
}

/// What the scales multiply.
ScalesOn scales_on(const UnitModel& model) {
  if (!model.formats.has_scales()) return ScalesOn::none;
  return std::ranges::any_of(model.tree.nodes, [](const Node& node) { return node.result.is_scaled(); })
             ? ScalesOn::group
             : ScalesOn::product;
}

/// `first` speaks for the blocks.
Features features_with(const UnitModel& model, const Node& first) {
  const Adder& block = adder_of(model, first);
  const Adder& root = adder_of(model, model.tree.nodes.back());
  Features f{};
  f.blocks = products_by_node(model.tree);
  f.family = family_of(model, f.blocks);
  for (const auto& products : f.blocks)
    f.fma_width = std::max(f.fma_width, static_cast<int>(products.size()));
  f.c_enters = c_enters(model.tree);
  f.structure = structure_text(model.tree);
  f.operand_formats = {
      computed_in(model.formats.a, model.paths.a), computed_in(model.formats.b, model.paths.b),
      model.formats.c ? std::optional(computed_in(*model.formats.c, model.paths.c)) : std::nullopt};
  for (int i = 0; i < classes_of(model.tree); ++i)
    f.node_formats.emplace_back(is_scaled(model.tree, i) ? "scaled"
                                : is_carried(model.tree, i)
                                    ? "carried"
                                    : name(result_format(model.tree, i, model.formats.d)));
  if (std::ranges::count(f.node_formats, f.node_formats.front()) == std::ssize(f.node_formats))
    f.node_formats.resize(1);
  f.scales = scales_on(model);
  f.padded = std::ranges::any_of(model.tree.nodes, [](const Node& node) {
    return std::ranges::find(node.operands, Leaf(PaddingLeaf{})) != node.operands.end();
  });
  f.final_rounding = root.rounding;
  f.nan = model.nan;
  for_each_row([&]<class Row>() {
    constexpr Parameter kId = Row::id;
    const auto value = parameter_of<kId>(block, model.conventions);
    if constexpr (kId == Parameter::extra_carry_bits)
      f.get<kId>() = carry_bits_of(model);
    else if (kId != Parameter::alignment_rounding || block.alignment_fraction_bits)
      f.get<kId>() = value;
  });
  if (block.alignment_fraction_bits) {
    const auto carry = std::visit([](const auto& c) { return c.bits; }, f.get<Parameter::extra_carry_bits>());
    f.accumulator_width = {carry + 1, *block.alignment_fraction_bits};
  }
  if (block.alignment_fraction_bits)
    f.extra_alignment_bits = *block.alignment_fraction_bits - reference_fraction_bits(model.formats.d);
  return f;
}

}  // namespace

Features features_of(const UnitModel& model) { return features_with(model, first_sum(model.tree)); }
Features features_of_before(const UnitModel& model) { return features_with(model, model.tree.nodes.front()); }

std::optional<std::string_view> first_disagreement(const PartialFeatures& stated, const Features& derived) {
  std::optional<std::string_view> found;
  const auto compare = [&](auto feature, const auto& said, const auto& is) {
    if (!found && feature.follows && said && *said != is) found = feature.name;
  };
  visit_features(compare, stated, derived);
  return found;
}

}  // namespace mmaprint
