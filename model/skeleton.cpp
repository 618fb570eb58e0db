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
  const bool first = chain.c_enters == CEnters::first;
  const auto before = [&]() -> Leaf {
    if (!tree.nodes.empty()) return NodeLeaf{static_cast<int>(tree.nodes.size()) - 1};
    return first ? Leaf(CLeaf{}) : Leaf(ZeroLeaf{});
  };
  const auto inside = chain.inside ? std::optional(chain.inside->format) : std::nullopt;
  for (const auto& block : chain.blocks) {
    Node node{{before()}, 0, inside};
    for (const int k : block) node.operands.emplace_back(ProductLeaf{k});
    tree.nodes.push_back(std::move(node));
  }
  const bool converts = inside && (first || chain.inside->c_joins);
  int adder = 0;
  if (!first) tree.nodes.push_back({{before(), CLeaf{}}, ++adder, converts ? inside : std::nullopt});
  if (converts) tree.nodes.push_back({{before()}, ++adder, std::nullopt});
  return tree;
}

std::optional<Chain> chain_of(const Tree& tree) {
  Chain chain;
  if (tree.nodes.empty() || tree.nodes.front().operands.empty()) return std::nullopt;
  const Node& front = tree.nodes.front();
  chain.c_enters = std::holds_alternative<CLeaf>(front.operands.front()) ? CEnters::first : CEnters::last;
  std::size_t after = chain.c_enters == CEnters::last ? 1 : 0;
  if (front.result) {
    const bool converts = tree.nodes.back().operands.size() == 1;
    chain.inside = {*front.result, converts};
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

Tree pairwise_tree(int k) {
  Tree tree;
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
  tree.nodes.push_back({{level.front(), CLeaf{}}, 0});
  return tree;
}

}  // namespace mmaprint
