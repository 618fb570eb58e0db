#include "model/features.h"

#include <algorithm>

#include "model/fixed_parameters.h"
#include "model/plan.h"
#include "model/structure_text.h"

namespace mmaprint {
namespace {

template <class... Rows>
constexpr bool clear_order(const std::tuple<Rows...>* /*rows*/) {
  std::array places{Rows::in_documents...};
  std::ranges::sort(places);
  return std::ranges::adjacent_find(places) == places.end();
}
static_assert(clear_order(static_cast<const detail::FeatureRows*>(nullptr)),
              "no two features claim the same place");

const Adder& adder_of(const UnitModel& model, const Node& node) {
  return model.adders[static_cast<std::size_t>(node.adder)];
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

/// Where c joins: `first` an addend of the first node, `last` of the root; nullopt anywhere between.
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
  return same_shape(model.tree, pairwise_tree(model.k)) ? Family::pairwise : Family::tree;
}

struct Addends {
  int products = 0;
  int others = 0;
};

Addends addends_of(const Node& node) {
  Addends n;
  for (const Leaf& leaf : node.operands) {
    if (std::holds_alternative<ProductLeaf>(leaf))
      ++n.products;
    else if (!std::holds_alternative<ZeroLeaf>(leaf))
      ++n.others;
  }
  return n;
}

std::string computed_in(Format container, const OperandPath& path) {
  if (!path) return std::string(name(container));
  constexpr std::array<std::string_view, 4> kHow{"", " by chop", " by nearest-even", " by nearest-away"};
  return std::string(name(path->compute)).append(kHow[static_cast<std::size_t>(path->conversion)]);
}

/// `Exactly` if some node's sum can wrap; else the fewest bits with which no node's could.
CarryBits carry_bits_of(const UnitModel& model) {
  int enough = 0;
  const PlanWidths plan(model.formats, model.k, model.paths);
  for (const Node& node : model.tree.nodes) {
    const Adder& adder = adder_of(model, node);
    const Addends n = addends_of(node);
    const bool exact = !adder.alignment_fraction_bits;
    const SumShape shape{n.products,
                         n.others,
                         adder.alignment_fraction_bits.value_or(0),
                         adder.product,
                         exact ? AlignmentRounding::truncate : adder.alignment_rounding,
                         exact ? Normalisation::late : adder.normalisation,
                         plan.product_bound()};
    const auto can_wrap = [&](int carry) { return carry_can_wrap(carry, shape); };
    if (adder.extra_carry_bits && can_wrap(*adder.extra_carry_bits)) return Exactly{*adder.extra_carry_bits};
    while (can_wrap(enough)) ++enough;
  }
  return AtLeast{enough};
}

}  // namespace

int reference_fraction_bits(Format d) { return d == Format::fp64 ? 52 : 23; }

Features features_of(const UnitModel& model) {
  const Adder& block = adder_of(model, model.tree.nodes.front());
  const Adder& root = adder_of(model, model.tree.nodes.back());
  Features f{};
  f.blocks = products_by_node(model.tree);
  f.family = family_of(model, f.blocks);
  for (const auto& products : f.blocks)
    f.fma_width = std::max(f.fma_width, static_cast<int>(products.size()));
  f.c_enters = c_enters(model.tree);
  f.structure = structure_text(model.tree);
  f.operand_formats = {computed_in(model.formats.a, model.paths.a),
                       computed_in(model.formats.b, model.paths.b),
                       computed_in(model.formats.c, model.paths.c)};
  for (int i = 0; i < classes_of(model.tree); ++i)
    f.node_formats.emplace_back(name(result_format(model.tree, i, model.formats.d)));
  if (std::ranges::count(f.node_formats, f.node_formats.front()) == std::ssize(f.node_formats))
    f.node_formats.resize(1);
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

std::optional<std::string_view> first_disagreement(const PartialFeatures& stated, const Features& derived) {
  std::optional<std::string_view> found;
  const auto compare = [&](auto feature, const auto& said, const auto& is) {
    if (!found && feature.follows && said && *said != is) found = feature.name;
  };
  visit_features(compare, stated, derived);
  return found;
}

}  // namespace mmaprint
