#include "model/plan.h"

namespace mmaprint {
namespace {

PlannedNode planned(const Node& node) {
  using Kind = OperandRun::Kind;
  PlannedNode plan{node.adder, node.operands.size(), 0, {}};
  for (const Leaf& leaf : node.operands) {
    if (const auto* product = std::get_if<ProductLeaf>(&leaf)) {
      if (plan.runs.empty() || plan.runs.back().kind != Kind::products)
        plan.runs.push_back({Kind::products, {}, 0});
      plan.runs.back().products.push_back(static_cast<std::size_t>(product->index));
      ++plan.products;
    } else if (const auto* child = std::get_if<NodeLeaf>(&leaf)) {
      plan.runs.push_back({Kind::node, {}, static_cast<std::size_t>(child->node)});
    } else {
      plan.runs.push_back({std::holds_alternative<CLeaf>(leaf) ? Kind::c : Kind::zero, {}, 0});
    }
  }
  return plan;
}

}  // namespace

Plan::Plan(const OperandFormats& formats, int count, const Tree& tree)
    : PlanWidths(info(formats.a), info(formats.b), info(formats.c), info(formats.d), count) {
  for (const Node& node : tree.nodes) nodes.push_back(planned(node));
  if (d.is_integer()) integers = integer_sums(*this);
}

}  // namespace mmaprint
