#include "model/plan.h"

namespace mmaprint {
namespace {

PlannedNode planned(const Node& node, const Plan& widths) {
  using Kind = OperandRun::Kind;
  PlannedNode plan{node.adder, node.operands.size(), 0, {}, {}, node.result ? info(*node.result) : widths.d};
  for (const Leaf& leaf : node.operands) {
    if (const auto* product = std::get_if<ProductLeaf>(&leaf)) {
      if (plan.runs.empty() || plan.runs.back().kind != Kind::products)
        plan.runs.push_back({Kind::products, {}, 0, {}});
      plan.runs.back().products.push_back(static_cast<std::size_t>(product->index));
      ++plan.products;
    } else if (const auto* child = std::get_if<NodeLeaf>(&leaf)) {
      const auto earlier = static_cast<std::size_t>(child->node);
      plan.runs.push_back({Kind::node, {}, earlier, widths.nodes[earlier].result});
    } else {
      plan.runs.push_back({std::holds_alternative<CLeaf>(leaf) ? Kind::c : Kind::zero, {}, 0, {}});
    }
  }
  return plan;
}

/// Rounding makes values coarser only: a result is a multiple of what its node's operands are multiples of.
OperandBits bits_of_operands(const Plan& plan, const PlannedNode& node) {
  OperandBits bits{node.result.emax(), node.result.emin()};
  const auto at_most = [&](int bit) { bits.lowest = std::min(bits.lowest, bit); };
  node.visit(
      plan, [&](const auto&) { at_most(plan.lowest_bit_of_product()); },
      [&](std::size_t earlier, const FormatInfo& format) {
        at_most(plan.nodes[earlier].bits.lowest);
        bits.subnormal = std::max(bits.subnormal, format.emin());
      },
      [&] {
        at_most(plan.lowest_bit_of_c());
        bits.subnormal = std::max(bits.subnormal, plan.c.emin());
      },
      [] {});
  return bits;
}

}  // namespace

namespace {
/// The format in which an operand is computed. What comes from a narrower one has no more fraction bits than
/// it had there, but for those below a larger emin.
FormatInfo computed(Format container, const OperandPath& path) {
  if (!path) return info(container);
  FormatInfo f = info(path->compute);
  if (path->conversion == Conversion::exact)
    f.fraction_bits = info(container).fraction_bits + std::max(0, f.emin() - info(container).emin());
  return f;
}
}  // namespace

PlanWidths::PlanWidths(const OperandFormats& formats, int count, const OperandPaths& paths)
    : PlanWidths(computed(formats.a, paths.a), computed(formats.b, paths.b), computed(formats.c, paths.c),
                 info(formats.d), count) {
  const auto from = [](Format container, const OperandPath& path) {
    return path ? Container{info(container), true, path->conversion} : Container{info(container)};
  };
  from_a = from(formats.a, paths.a);
  from_b = from(formats.b, paths.b);
  from_c = from(formats.c, paths.c);
}

Plan::Plan(const OperandFormats& formats, int count, const Skeleton& skeleton)
    : Plan(PlanWidths(formats, count, skeleton.paths), skeleton.tree) {}

Plan::Plan(const PlanWidths& widths, const Tree& tree) : PlanWidths(widths) {
  for (const Node& node : tree.nodes)
    if (node.result) include_result(info(*node.result));
  for (const Node& node : tree.nodes) {
    nodes.push_back(planned(node, *this));
    nodes.back().bits = bits_of_operands(*this, nodes.back());
  }
  if (d.is_integer()) integers = integer_sums(*this);
}

}  // namespace mmaprint
