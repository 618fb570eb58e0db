#include "inference/used_nodes.h"

#include <cstddef>
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

}  // namespace

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
