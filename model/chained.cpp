#include "model/chained.h"

#include <fmt/format.h>

#include <stdexcept>

namespace mmaprint {

std::optional<std::string> not_chainable(const UnitModel& step, int times) {
  if (times == 1) return std::nullopt;
  if (!step.formats.c) return "it has no c";
  if (*step.formats.c != step.formats.d)
    return fmt::format("its c is {}, its d {}", name(*step.formats.c), name(step.formats.d));
  // What a step makes of its c it would have to make of an earlier node's result.
  if (step.paths.c) return "it converts c";
  if (step.conventions.c_subnormals != Subnormals::kept) return "it flushes c";
  if (step.k * times > kLargestK) return fmt::format("expected {} products at most", kLargestK);
  return std::nullopt;
}

UnitModel chained(const UnitModel& step, int times) {
  if (times < 1) throw std::invalid_argument("expected one step at least");
  if (const auto why = not_chainable(step, times)) throw std::invalid_argument("no chain of steps: " + *why);
  UnitModel all = step;
  all.k = step.k * times;
  const auto nodes = static_cast<int>(step.tree.nodes.size());
  for (int n = 1; n < times; ++n)
    for (Node node : step.tree.nodes) {
      for (Leaf& leaf : node.operands) {
        if (auto* product = std::get_if<ProductLeaf>(&leaf)) product->index += n * step.k;
        if (auto* earlier = std::get_if<NodeLeaf>(&leaf)) earlier->node += n * nodes;
        if (std::holds_alternative<CLeaf>(leaf)) leaf = NodeLeaf{n * nodes - 1};
      }
      all.tree.nodes.push_back(std::move(node));
    }
  return all;
}

}  // namespace mmaprint
