#include "model/plan.h"

namespace mmaprint {
namespace {

PlannedNode planned(const Node& node) {
  using Kind = OperandRun::Kind;
  PlannedNode plan{node.adder, node.operands.size(), 0, {}, {}};
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

/// Rounding makes values coarser only: a result is a multiple of what its node's operands are multiples of.
OperandBits bits_of_operands(const Plan& plan, const PlannedNode& node) {
  OperandBits bits{plan.d.emax(), plan.d.emin()};
  const auto at_most = [&](int bit) { bits.lowest = std::min(bits.lowest, bit); };
  node.visit([&](const auto&) { at_most(plan.lowest_bit_of_product()); },
             [&](std::size_t earlier) { at_most(plan.nodes[earlier].bits.lowest); },
             [&] {
               at_most(plan.lowest_bit_of_c());
               bits.subnormal = std::max(bits.subnormal, plan.c.emin());
             },
             [] {});
  return bits;
}

}  // namespace

Plan::Plan(const OperandFormats& formats, int count, const Skeleton& skeleton)
    : Plan(PlanWidths(info(formats.a), info(formats.b), info(formats.c), info(formats.d), count),
           skeleton.tree) {}

Plan::Plan(const PlanWidths& widths, const Tree& tree) : PlanWidths(widths) {
  for (const Node& node : tree.nodes) {
    nodes.push_back(planned(node));
    nodes.back().bits = bits_of_operands(*this, nodes.back());
  }
  if (d.is_integer()) integers = integer_sums(*this);
}

}  // namespace mmaprint
