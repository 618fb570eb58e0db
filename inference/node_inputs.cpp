#include "inference/node_inputs.h"

#include <algorithm>

#include "model/zero_input.h"

namespace mmaprint {

InputsAtNodes::InputsAtNodes(int k, const Signature& formats, std::uint64_t seed)
    : RandomDraws(seed), k_(k), formats_(formats), scales_(formats, seed + 1) {}

std::size_t InputsAtNodes::any_node(const Tree& tree) {
  // Each class as often, however few nodes it has.
  const int of_class = below(classes_of(tree));
  std::vector<std::size_t> nodes;
  for (std::size_t n = 0; n < tree.nodes.size(); ++n)
    if (tree.nodes[n].adder == of_class) nodes.push_back(n);
  return nodes[static_cast<std::size_t>(below(static_cast<int>(nodes.size())))];
}

std::optional<Leaf> InputsAtNodes::any_source(const Tree& tree, Leaf leaf) {
  while (const auto* earlier = std::get_if<NodeLeaf>(&leaf)) {
    const std::vector<Leaf>& operands = tree.nodes[static_cast<std::size_t>(earlier->node)].operands;
    leaf = operands[static_cast<std::size_t>(below(static_cast<int>(operands.size())))];
  }
  const bool is_zero = std::holds_alternative<ZeroLeaf>(leaf) || std::holds_alternative<PaddingLeaf>(leaf);
  return is_zero ? std::nullopt : std::optional(leaf);
}

std::set<Leaf> InputsAtNodes::any_operands(const Tree& tree, const Node& node) {
  constexpr int kAll = 15;  // per cent
  std::vector<Leaf> operands = node.operands;
  const int count = chance(kAll) ? static_cast<int>(operands.size()) : 2 + below(3) * below(2);
  draw(operands, static_cast<std::size_t>(count));
  std::set<Leaf> sources;
  for (const Leaf& leaf : operands)
    if (const auto source = any_source(tree, leaf)) sources.insert(*source);
  return sources;
}

void InputsAtNodes::cancel_later(const Tree& tree, std::size_t node, const std::vector<int>& products,
                                 DotInput& input) {
  const NodeLeaf result{static_cast<int>(node)};
  for (const Node& later : tree.nodes) {
    if (std::ranges::find(later.operands, Leaf(result)) == later.operands.end()) continue;
    std::vector<Leaf> others = later.operands;
    std::erase(others, Leaf(result));
    draw(others, 1);
    const auto source = others.empty() ? std::nullopt : any_source(tree, others.front());
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
  constexpr int kCancelled = 30;  // per cent
  std::vector<int> products;
  bool has_c = false;
  const std::size_t node = any_node(tree);
  for (const Leaf& leaf : any_operands(tree, tree.nodes[node]))
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
  if (chance(kCancelled)) cancel_later(tree, node, products, input);
  scales_(input);
  return input;
}

}  // namespace mmaprint
