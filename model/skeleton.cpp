#include "model/skeleton.h"

#include <algorithm>

namespace mmaprint {

int classes_of(const Tree& tree) {
  int most = 0;
  for (const Node& node : tree.nodes) most = std::max(most, node.adder);
  return most + 1;
}

Format result_format(const Tree& tree, int of_class, Format d) {
  const auto node = std::ranges::find(tree.nodes, of_class, &Node::adder);
  return node == tree.nodes.end() ? d : node->result.value_or(d);
}

Tree tree_of(const Chain& chain) {
  Tree tree;
  const bool last = chain.c_enters == CEnters::last;
  const auto sum = [&]() -> Leaf { return NodeLeaf{static_cast<int>(tree.nodes.size()) - 1}; };
  const NodeResult inside = chain.inside ? NodeResult(chain.inside->format) : NodeResult();
  for (const auto& block : chain.blocks) {
    Node node{{}, 0, inside};
    if (!tree.nodes.empty())
      node.operands.push_back(sum());
    else if (chain.c_enters)
      node.operands.push_back(last ? Leaf(ZeroLeaf{}) : Leaf(CLeaf{}));
    for (const int k : block) node.operands.emplace_back(ProductLeaf{k});
    tree.nodes.push_back(std::move(node));
  }
  const bool converts = chain.inside && (!last || chain.inside->c_joins);
  int adder = 0;
  if (last) tree.nodes.push_back({{sum(), CLeaf{}}, ++adder, converts ? inside : NodeResult()});
  if (converts) tree.nodes.push_back({{sum()}, ++adder, std::nullopt});
  return tree;
}

std::optional<Chain> chain_of(const Tree& tree) {
  Chain chain;
  if (tree.nodes.empty() || tree.nodes.front().operands.empty()) return std::nullopt;
  const Node& front = tree.nodes.front();
  const Leaf& start = front.operands.front();
  chain.c_enters = std::holds_alternative<CLeaf>(start)      ? std::optional(CEnters::first)
                   : std::holds_alternative<ZeroLeaf>(start) ? std::optional(CEnters::last)
                                                             : std::nullopt;
  std::size_t after = chain.c_enters == CEnters::last ? 1 : 0;
  if (const auto inside = front.result.format()) {
    const bool converts = tree.nodes.back().operands.size() == 1;
    chain.inside = {*inside, converts};
    if (converts) ++after;
  }
  for (std::size_t n = 0; n + after < tree.nodes.size(); ++n) {
    std::vector<int> block;
    for (const Leaf& leaf : tree.nodes[n].operands)
      if (const auto* p = std::get_if<ProductLeaf>(&leaf)) block.push_back(p->index);
    chain.blocks.push_back(std::move(block));
  }
  return tree_of(chain) == tree ? std::optional(chain) : std::nullopt;
}

std::vector<std::optional<CEnters>> ways_of_c(const Signature& formats) {
  if (!formats.c) return {std::nullopt};
  return {CEnters::first, CEnters::last};
}

namespace {

/// Joins leaves pairwise until one is left.
Leaf joined_pairwise(Tree& tree, int k) {
  std::vector<Leaf> level;
  level.reserve(static_cast<std::size_t>(k));
  for (int i = 0; i < k; ++i) level.emplace_back(ProductLeaf{i});
  while (level.size() > 1) {
    std::vector<Leaf> next;
    for (std::size_t i = 0; i + 1 < level.size(); i += 2) {
      tree.nodes.push_back({{level[i], level[i + 1]}, 0});
      next.emplace_back(NodeLeaf{static_cast<int>(tree.nodes.size()) - 1});
    }
    if (level.size() % 2 != 0) next.push_back(level.back());
    level = std::move(next);
  }
  return level.front();
}

}  // namespace

Tree pairwise_tree(int k) {
  Tree tree;
  const Leaf sum = joined_pairwise(tree, k);
  tree.nodes.push_back({{sum, CLeaf{}}, 0});
  return tree;
}

Tree pairwise_tree_without_c(int k) {
  Tree tree;
  const Leaf sum = joined_pairwise(tree, k);
  if (tree.nodes.empty()) tree.nodes.push_back({{sum}, 0});
  return tree;
}

}  // namespace mmaprint
