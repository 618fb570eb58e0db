#include "model/joining.h"

#include <algorithm>

namespace mmaprint {
namespace {

/// Where a sum stands among others: before all where it has c, else by its first product.
int first_leaf(const Joining& sum) {
  if (sum.c) return -1;
  int first = sum.products.empty() ? kLargestK : *std::ranges::min_element(sum.products);
  for (const Joining& inner : sum.sums) first = std::min(first, first_leaf(inner));
  return first;
}

/// Adds the nodes of a sum, and gives the place of its last one.
int add(Tree& tree, const Joining& sum) {
  std::vector<const Joining*> sums;
  sums.reserve(sum.sums.size());
  for (const Joining& inner : sum.sums) sums.push_back(&inner);
  std::ranges::sort(sums, {}, [](const Joining* inner) { return first_leaf(*inner); });
  Node node;
  if (sum.is_carried) node.result = NodeResult::carried();
  if (sum.c) node.operands.emplace_back(CLeaf{});
  for (const Joining* inner : sums) node.operands.emplace_back(NodeLeaf{add(tree, *inner)});
  std::vector<int> products = sum.products;
  std::ranges::sort(products);
  for (const int product : products) node.operands.emplace_back(ProductLeaf{product});
  tree.nodes.push_back(std::move(node));
  return static_cast<int>(tree.nodes.size()) - 1;
}

}  // namespace

Tree tree_of(const Joining& root) {
  Tree tree;
  (void)add(tree, root);
  return tree;
}

Joining joining_of(const Tree& tree) {
  std::vector<Joining> sums;
  for (const Node& node : tree.nodes) {
    Joining sum;
    for (const Leaf& leaf : node.operands) {
      if (const auto* product = std::get_if<ProductLeaf>(&leaf)) sum.products.push_back(product->index);
      if (std::holds_alternative<CLeaf>(leaf)) sum.c = true;
      if (const auto* inner = std::get_if<NodeLeaf>(&leaf))
        sum.sums.push_back(std::move(sums[static_cast<std::size_t>(inner->node)]));  // of one other node
    }
    // A node of one operand adds nothing; one of a single product is that product.
    for (Joining& inner : sum.sums)
      if (inner.sums.empty() && inner.products.size() + (inner.c ? 1U : 0U) == 1) {
        sum.c = sum.c || inner.c;
        sum.products.insert(sum.products.end(), inner.products.begin(), inner.products.end());
        inner = {};
      }
    std::erase_if(sum.sums, [](const Joining& inner) { return inner == Joining{}; });
    sum.is_carried = node.result.is_carried();
    if (!sum.c && sum.products.empty() && sum.sums.size() == 1) {
      Joining only = std::move(sum.sums.front());
      only.is_carried = only.is_carried && sum.is_carried;  // what rounds alone has the sum for its own
      sum = std::move(only);
    }
    std::ranges::sort(sum.products);
    std::ranges::sort(sum.sums, {}, first_leaf);
    sums.push_back(std::move(sum));
  }
  return sums.empty() ? Joining{} : std::move(sums.back());
}

}  // namespace mmaprint
