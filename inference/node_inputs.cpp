#include "inference/node_inputs.h"

#include <algorithm>
#include <iterator>

#include "model/zero_input.h"

namespace mmaprint {

namespace {

/// How many nodes a node's result goes through.
std::vector<int> depths_of(const Tree& tree) {
  std::vector<int> depths(tree.nodes.size(), 0);
  for (std::size_t n = tree.nodes.size(); n-- > 0;)
    for (const Leaf& leaf : tree.nodes[n].operands)
      if (const auto* earlier = std::get_if<NodeLeaf>(&leaf))
        depths[static_cast<std::size_t>(earlier->node)] = depths[n] + 1;
  return depths;
}

bool is_product_or_c(const Leaf& leaf) {
  return std::holds_alternative<ProductLeaf>(leaf) || std::holds_alternative<CLeaf>(leaf);
}

}  // namespace

InputsAtNodes::InputsAtNodes(int k, const Signature& formats, std::uint64_t seed)
    : RandomDraws(seed), k_(k), formats_(formats), scales_(formats, seed + 1) {}

std::size_t InputsAtNodes::any_node(const Tree& tree, Where where) {
  // Each class as often, however few nodes it has; a class may have none.
  std::set<int> classes;
  for (const Node& node : tree.nodes) classes.insert(node.adder);
  const int of_class = *std::next(classes.begin(), below(static_cast<int>(classes.size())));
  std::vector<std::size_t> nodes;
  for (std::size_t n = 0; n < tree.nodes.size(); ++n)
    if (tree.nodes[n].adder == of_class) nodes.push_back(n);
  if (where == Where::by_few_nodes) {
    const std::vector<int> depths = depths_of(tree);
    const int least = depths[*std::ranges::min_element(nodes, {}, [&](std::size_t n) { return depths[n]; })];
    std::erase_if(nodes, [&](std::size_t n) { return depths[n] > least; });
  }
  return nodes[static_cast<std::size_t>(below(static_cast<int>(nodes.size())))];
}

std::optional<Leaf> InputsAtNodes::any_source(const Tree& tree, Leaf leaf, Where where) {
  while (const auto* earlier = std::get_if<NodeLeaf>(&leaf)) {
    std::vector<Leaf> operands = tree.nodes[static_cast<std::size_t>(earlier->node)].operands;
    if (where == Where::by_few_nodes && std::ranges::any_of(operands, is_product_or_c))
      std::erase_if(operands, [](const Leaf& one) { return !is_product_or_c(one); });
    leaf = operands[static_cast<std::size_t>(below(static_cast<int>(operands.size())))];
  }
  const bool is_zero = std::holds_alternative<ZeroLeaf>(leaf) || std::holds_alternative<PaddingLeaf>(leaf);
  return is_zero ? std::nullopt : std::optional(leaf);
}

std::set<Leaf> InputsAtNodes::any_operands(const Tree& tree, const Node& node, Where where) {
  constexpr int kAll = 15;  // per cent
  std::vector<Leaf> operands = node.operands;
  const int count = chance(kAll) ? static_cast<int>(operands.size()) : 2 + below(3) * below(2);
  draw(operands, static_cast<std::size_t>(count));
  std::set<Leaf> sources;
  for (const Leaf& leaf : operands)
    if (const auto source = any_source(tree, leaf, where)) sources.insert(*source);
  return sources;
}

void InputsAtNodes::cancel_later(const Tree& tree, std::size_t node, const std::vector<int>& products,
                                 Where where, DotInput& input) {
  const NodeLeaf result{static_cast<int>(node)};
  for (const Node& later : tree.nodes) {
    if (std::ranges::find(later.operands, Leaf(result)) == later.operands.end()) continue;
    std::vector<Leaf> others = later.operands;
    std::erase(others, Leaf(result));
    draw(others, 1);
    const auto source = others.empty() ? std::nullopt : any_source(tree, others.front(), where);
    const auto* product = source ? std::get_if<ProductLeaf>(&*source) : nullptr;
    if (product == nullptr) return;
    const auto to = static_cast<std::size_t>(product->index);
    const auto from = static_cast<std::size_t>(
        products[static_cast<std::size_t>(below(static_cast<int>(products.size())))]);
    input.a[to] = negated(info(formats_.a), input.a[from]);
    input.b[to] = input.b[from];
    return;
  }
}

InputGenerator& InputsAtNodes::small(int products, bool has_c) {
  const auto place = small_.find({products, has_c});
  if (place != small_.end()) return place->second;
  const Signature formats{formats_.a, formats_.b, has_c ? formats_.c : std::nullopt, formats_.d};
  return small_.try_emplace({products, has_c}, products, formats, word()).first->second;
}

DotInput InputsAtNodes::next(const Tree& tree, InputFamily family) {
  constexpr int kCancelled = 30, kNear = 50;  // per cent
  std::vector<int> products;
  bool has_c = false;
  const Where where = chance(kNear) ? Where::by_few_nodes : Where::anywhere;
  const std::size_t node = any_node(tree, where);
  for (const Leaf& leaf : any_operands(tree, tree.nodes[node], where))
    if (const auto* product = std::get_if<ProductLeaf>(&leaf))
      products.push_back(product->index);
    else
      has_c = true;
  if (products.empty()) products.push_back(below(k_));
  draw(products, products.size());  // in any order: what is drawn for a small unit differs by place
  const DotInput drawn = small(static_cast<int>(products.size()), has_c).next(family);
  DotInput input = zero_input(k_);
  for (std::size_t i = 0; i < products.size(); ++i) {
    const auto k = static_cast<std::size_t>(products[i]);
    input.a[k] = drawn.a[i];
    input.b[k] = drawn.b[i];
  }
  if (has_c) input.c = drawn.c;
  if (chance(kCancelled)) cancel_later(tree, node, products, where, input);
  scales_(input);
  return input;
}

}  // namespace mmaprint
