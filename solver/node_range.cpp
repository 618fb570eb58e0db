#include "solver/node_range.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "solver/node_bounds.h"

namespace mmaprint {
namespace {

NodeRange range_of(const Plan& plan, const PlannedNode& node, const std::vector<NodeRange>& earlier) {
  // A clamp may raise the alignment exponent up to 0.
  NodeRange range{node.bits.lowest, node.bits.lowest, 0};
  const auto at_most = [&](int exponent) {
    range.largest_exponent = std::max(range.largest_exponent, exponent);
  };
  node.visit(
      plan,
      [&](const auto& /*products*/) {
        at_most(node.is_scaled
                    ? plan.scales.highest() + plan.scales.integer_bits() + plan.a.emax() + plan.b.emax() + 2
                    : plan.highest_exponent_of_product());
      },
      [&](std::size_t i, const FormatInfo& /*format*/) { at_most(earlier[i].largest_exponent); },
      [&](std::size_t, const PlannedNode& carried) {
        at_most(range_of(plan, carried, earlier).largest_exponent);
      },
      [&] { at_most(plan.c.emax()); }, [](ZeroOperand) {});
  // Rounding a partial sum away from zero at most doubles it.
  const int addends = static_cast<int>(node.operands);
  range.largest_exponent += 2 * addends + 2;
  if (node.is_carried) return range;
  range.largest_exponent = std::min(node.result.emax(), range.largest_exponent);
  // What overflows may be saturated to the largest number, whose bits are all set.
  range.lowest_bit = std::min(range.lowest_bit, node.result.emax() - node.result.fraction_bits);
  range.smallest = std::min(range.smallest, range.lowest_bit);
  return range;
}

/// What holds for both.
NodeRange joined(const NodeRange& x, const NodeRange& y) {
  return {std::min(x.lowest_bit, y.lowest_bit), std::min(x.smallest, y.smallest),
          std::max(x.largest_exponent, y.largest_exponent)};
}

}  // namespace

std::optional<Box> box_of(const Side& side) {
  if (const auto* hypotheses = std::get_if<Hypotheses>(&side)) return hypotheses->set.box;
  const auto& model = std::get<UnitModel>(side);
  if (std::cmp_greater(model.adders.size(), kMostClasses)) return std::nullopt;
  return Box(values_of(model));
}

std::vector<bool> have_c(const Tree& tree) {
  std::vector<bool> have;
  have.reserve(tree.nodes.size());
  for (const Node& node : tree.nodes)
    have.push_back(std::ranges::any_of(node.operands, [&](const Leaf& leaf) {
      const auto* earlier = std::get_if<NodeLeaf>(&leaf);
      return earlier != nullptr ? have[static_cast<std::size_t>(earlier->node)]
                                : std::holds_alternative<CLeaf>(leaf);
    }));
  return have;
}

std::vector<NodeRange> node_ranges(const Side& side) {
  std::vector<NodeRange> ranges;
  const Plan plan = plan_of(side);
  ranges.reserve(plan.nodes.size());
  for (const PlannedNode& node : plan.nodes) ranges.push_back(range_of(plan, node, ranges));
  const auto box = box_of(side);
  const auto bounds = box ? node_bounds(plan, *box) : std::nullopt;
  for (std::size_t n = 0; bounds && n < ranges.size(); ++n) {
    ranges[n].lowest_bit = std::max(ranges[n].lowest_bit, (*bounds)[n].lowest_bit);
    ranges[n].smallest = std::max(ranges[n].smallest, (*bounds)[n].smallest);
    ranges[n].largest_exponent = std::min(ranges[n].largest_exponent, (*bounds)[n].largest_exponent);
  }
  const std::vector<bool> with_c = have_c(tree_of(side));
  const std::size_t operands = std::max<std::size_t>(1, ranges.size() - 1);  // all but the root
  for (const bool kind : {false, true}) {
    std::optional<NodeRange> all;
    for (std::size_t n = 0; n < operands; ++n)
      if (with_c[n] == kind) all = all ? joined(*all, ranges[n]) : ranges[n];
    for (std::size_t n = 0; all && n < operands; ++n)
      if (with_c[n] == kind) ranges[n] = *all;
  }
  return ranges;
}

}  // namespace mmaprint
