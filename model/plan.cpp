#include "model/plan.h"

#include <algorithm>
#include <cmath>

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
    : a(info(formats.a)), b(info(formats.b)), c(info(formats.c)), d(info(formats.d)), k(count) {
  for (const Node& node : tree.nodes) nodes.push_back(planned(node));
  addend_fraction_bits_ = std::max({product_fraction_bits(), c.fraction_bits, d.fraction_bits});
  const int lowest_product = a.emin() + b.emin() - a.fraction_bits - b.fraction_bits;
  lowest_exponent_ = std::min({lowest_product, c.emin(), d.emin()});
  // A clamp may raise the alignment exponent up to 0.
  const int top = std::max({a.emax() + b.emax() + 1, c.emax(), d.emax(), 0});
  lowest_bit_ = std::min({lowest_product, c.emin() - c.fraction_bits, d.emin() - d.fraction_bits});
  exact_fraction_bits_ = top - lowest_bit_;
  sticky_fraction_bits_ =
      std::min(exact_fraction_bits_,
               product_fraction_bits() + std::max(c.fraction_bits, d.fraction_bits) + d.precision() + 6);
  if (d.is_integer()) cut_into_sums();
}

double largest_rounded_sum(const SumShape& shape) {
  const double product = shape.product == ProductKind::exact_normalised ? 2 : 4;
  double bound = 2.0 * shape.others;
  for (int i = 0; i < shape.products; ++i) {
    bound += product;
    const int leading = std::ilogb(bound);
    if (leading <= 0) continue;
    const double quantum = std::ldexp(1, leading - shape.kept);
    bound = std::ceil(bound / quantum) * quantum;
  }
  return bound;
}

}  // namespace mmaprint
