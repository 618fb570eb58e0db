#include "model/plan.h"

#include <algorithm>
#include <optional>
#include <span>
#include <vector>

namespace mmaprint {
namespace {

/// No sum of a node exceeds this, in units of 2^E. A product is below 4 even where it was rounded, an operand
/// below 2. A scaled sum is one of products as large as they come.
int largest_sum_of(const PlannedNode& node, const PlanWidths& widths) {
  if (node.is_scaled)
    return node.products << (widths.a.emax() + widths.b.emax() + 2 + widths.scales.integer_bits());
  const int others = static_cast<int>(node.operands) - node.products - node.carried.count;
  return 4 * node.products + 2 * others + node.carried.bounds;
}

PlannedNode planned(const Node& node, const Plan& widths) {
  using Kind = OperandRun::Kind;
  PlannedNode plan{node.adder,
                   node.operands.size(),
                   0,
                   {},
                   {},
                   info(node.result.value_or(widths.d.id)),
                   node.result.is_carried(),
                   node.result.is_scaled()};
  if (!node.result.format()) plan.result = widths.d;
  visit_runs(
      node,
      [&](const std::vector<int>& products) {
        plan.runs.push_back({Kind::products, {products.begin(), products.end()}, 0, {}, {}});
        plan.products += static_cast<int>(products.size());
      },
      [&](const Leaf& leaf) {
        if (const auto* child = std::get_if<NodeLeaf>(&leaf)) {
          const auto earlier = static_cast<std::size_t>(child->node);
          const PlannedNode& its = widths.nodes[earlier];
          if (!its.is_carried) {
            plan.runs.push_back({Kind::node, {}, earlier, its.result, {}});
            return;
          }
          plan.runs.push_back({Kind::carried, {}, earlier, {}, {its}});
          const int bound = largest_sum_of(its, widths);
          plan.carried = {plan.carried.count + 1, plan.carried.bounds + bound,
                          std::max(plan.carried.largest, bound)};
        } else if (std::holds_alternative<PaddingLeaf>(leaf)) {
          plan.runs.push_back({Kind::padding, {}, 0, {}, {}});
        } else {
          plan.runs.push_back({std::holds_alternative<CLeaf>(leaf) ? Kind::c : Kind::zero, {}, 0, {}, {}});
        }
      });
  for (const OperandRun& run : plan.runs)
    plan.kinds.insert(plan.kinds.end(), run.kind == Kind::products ? run.products.size() : 1,
                      kind_of(run.kind));
  return plan;
}

/// What comes from a container and is computed in the format f is a multiple of 2^this. An exact conversion
/// makes nothing finer than it was.
int lowest_bit(const Container& from, const FormatInfo& f) {
  const auto finest = [](const FormatInfo& x) { return x.emin() - x.fraction_bits; };
  return from.conversion == Conversion::exact ? std::max(finest(from.format), finest(f)) : finest(f);
}

/// Rounding makes values coarser only: a result is a multiple of what its node's operands are multiples of.
OperandBits bits_of_operands(const Plan& plan, const PlannedNode& node) {
  OperandBits bits{node.result.emax(), node.result.emin()};
  const auto at_most = [&](int bit) { bits.lowest = std::min(bits.lowest, bit); };
  if (node.is_scaled) at_most(plan.scales.lowest() - plan.scaled_fraction_bits());
  const int scale = plan.scales_products() && !node.is_scaled ? plan.scales.lowest() : 0;
  node.visit(
      plan,
      [&](const auto&) {
        if (!node.is_scaled)
          at_most(lowest_bit(plan.from_a, plan.a) + lowest_bit(plan.from_b, plan.b) + scale);
      },
      [&](std::size_t earlier, const FormatInfo& format) {
        // A sum that overflows may be saturated to the largest number, whose bits are all set.
        at_most(std::min(plan.nodes[earlier].bits.lowest, format.emax() - format.fraction_bits));
        bits.subnormal = std::max(bits.subnormal, format.emin());
      },
      [&](std::size_t, const PlannedNode& carried) { at_most(carried.bits.lowest); },
      [&] {
        at_most(lowest_bit(plan.from_c, plan.c));
        bits.subnormal = std::max(bits.subnormal, plan.c.emin());
      },
      [](ZeroOperand) {});
  return bits;
}

/// No operand of a node, nor its E, has an exponent above the first, nor has its result one above the second.
struct HighestExponents {
  int operand, result;
};

/// A node adds up less than 2^(E+2) for each operand, and a partial sum that is rounded away from zero at
/// most doubles; a clamp may raise E up to 0.
HighestExponents highest_exponents(const Plan& plan, const PlannedNode& node,
                                   std::span<const HighestExponents> earlier) {
  int highest = std::max(0, plan.a.emax() + plan.b.emax() + 1);
  for (const OperandRun& run : node.runs) {
    if (run.kind == OperandRun::Kind::c) highest = std::max(highest, plan.c.emax());
    if (run.kind == OperandRun::Kind::node) highest = std::max(highest, earlier[run.node].result);
  }
  return {highest, std::min(node.result.emax(), highest + static_cast<int>(node.operands) + 3)};
}

/// F that reaches from the highest E of any node to the lowest bit of an operand. The formats alone say more
/// where results of FP32 add up products of FP16: these are never near FP32's limits.
std::optional<int> bits_that_keep_all(const Plan& plan) {
  const auto is_plain = [](const PlannedNode& node) { return !node.is_carried && !node.is_scaled; };
  if (plan.scales_products() || !std::ranges::all_of(plan.nodes, is_plain)) return std::nullopt;
  std::vector<HighestExponents> each;
  int highest = 0, lowest = 0;
  for (const PlannedNode& node : plan.nodes) {
    each.push_back(highest_exponents(plan, node, each));
    highest = std::max(highest, each.back().operand);
    lowest = std::min(lowest, node.bits.lowest);
  }
  return highest - lowest;
}

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

PlanWidths::PlanWidths(const Signature& formats, int count, const OperandPaths& paths)
    : PlanWidths(computed(formats.a, paths.a), computed(formats.b, paths.b),
                 computed(room_for_c(formats), paths.c), info(formats.d), count) {
  const auto from = [](Format container, const OperandPath& path) {
    return path ? Container{info(container), path->conversion} : Container{info(container)};
  };
  from_a = from(formats.a, paths.a);
  from_b = from(formats.b, paths.b);
  from_c = from(room_for_c(formats), paths.c);
  places = count + (formats.c ? 1 : 0);
  const auto planned_scales = [](const std::optional<Scales>& given) {
    return given ? std::optional(PlannedScales{info(given->format), given->per}) : std::nullopt;
  };
  scales = {planned_scales(formats.sa), planned_scales(formats.sb)};
}

namespace {

bool adds_scaled_products(const Node& node) {
  return !node.result.is_scaled() && std::ranges::any_of(node.operands, [](const Leaf& leaf) {
    return std::holds_alternative<ProductLeaf>(leaf);
  });
}

}  // namespace

Plan::Plan(const Signature& formats, int count, const Skeleton& skeleton)
    : Plan(PlanWidths(formats, count, skeleton.paths), skeleton.tree) {}

Plan::Plan(const PlanWidths& widths, const Tree& tree) : PlanWidths(widths) {
  for (const Node& node : tree.nodes)
    if (const auto format = node.result.format()) include_result(info(*format));
  if (scales.any() && std::ranges::any_of(tree.nodes, adds_scaled_products)) include_scaled_products();
  for (const Node& node : tree.nodes) {
    nodes.push_back(planned(node, *this));
    nodes.back().bits = bits_of_operands(*this, nodes.back());
    const int largest = node.result.is_carried() ? largest_sum_of(nodes.back(), *this) : 0;
    if (node.result.is_scaled())
      include_scaled_sums(largest);
    else if (node.result.is_carried())
      include_carried(largest);
  }
  if (const auto bits = bits_that_keep_all(*this)) limit_exact_fraction_bits(*bits);
  if (d.is_integer()) integers = integer_sums(*this);
}

}  // namespace mmaprint
