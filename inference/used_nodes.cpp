#include "inference/used_nodes.h"

#include <algorithm>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

namespace mmaprint {
namespace {

std::vector<bool> used_nodes(const std::vector<Node>& nodes) {
  std::vector<bool> used(nodes.size(), false);
  used.back() = true;
  for (std::size_t n = nodes.size(); n-- > 0;)
    if (used[n])
      for (const Leaf& leaf : nodes[n].operands)
        if (const auto* of = std::get_if<NodeLeaf>(&leaf)) used[static_cast<std::size_t>(of->node)] = true;
  return used;
}

/// Products are of one node each, and so of one operand.
class ProductOrder {
 public:
  explicit ProductOrder(std::vector<Node>& nodes) : nodes_(nodes), first_(nodes.size(), kNone) {
    for (std::size_t n = 0; n < nodes.size(); ++n)
      for (const Leaf& leaf : nodes[n].operands) first_[n] = std::min(first_[n], first_product(leaf));
  }
  void sort(std::vector<Leaf>& operands) const {
    std::ranges::stable_sort(operands, {},
                             [&](const Leaf& leaf) { return std::pair(leaf.index(), first_product(leaf)); });
  }
  /// Each node after those that it uses, in the order in which it does.
  [[nodiscard]] std::vector<Node> in_order() && {
    now_.assign(nodes_.size(), kNone);
    place(nodes_.size() - 1);
    return std::move(placed_);
  }

 private:
  static constexpr int kNone = std::numeric_limits<int>::max();

  [[nodiscard]] int first_product(const Leaf& leaf) const {
    if (const auto* product = std::get_if<ProductLeaf>(&leaf)) return product->index;
    const auto* of = std::get_if<NodeLeaf>(&leaf);
    return of == nullptr ? kNone : first_[static_cast<std::size_t>(of->node)];
  }
  int place(std::size_t n) {  // NOLINT(misc-no-recursion): as deep as the tree
    if (now_[n] != kNone) return now_[n];
    for (Leaf& leaf : nodes_[n].operands)
      if (auto* of = std::get_if<NodeLeaf>(&leaf)) of->node = place(static_cast<std::size_t>(of->node));
    placed_.push_back(std::move(nodes_[n]));
    return now_[n] = static_cast<int>(placed_.size()) - 1;
  }

  std::vector<Node>& nodes_;
  std::vector<int> first_, now_;
  std::vector<Node> placed_;
};

}  // namespace

void order_by_products(UnitModel& model) {
  ProductOrder order(model.tree.nodes);
  for (Node& node : model.tree.nodes)
    if (model.adders[static_cast<std::size_t>(node.adder)].normalisation == Normalisation::late)
      order.sort(node.operands);
  model.tree.nodes = std::move(order).in_order();
}

void drop_unused_nodes(Tree& tree) {
  auto& nodes = tree.nodes;
  const std::vector<bool> used = used_nodes(nodes);
  std::vector<int> now(nodes.size(), 0);
  std::vector<Node> kept;
  for (std::size_t n = 0; n < nodes.size(); ++n) {
    if (!used[n]) continue;
    for (Leaf& leaf : nodes[n].operands)
      if (auto* of = std::get_if<NodeLeaf>(&leaf)) of->node = now[static_cast<std::size_t>(of->node)];
    now[n] = static_cast<int>(kept.size());
    kept.push_back(std::move(nodes[n]));
  }
  nodes = std::move(kept);
}

}  // namespace mmaprint
