#include "inference/nodes_first.h"

#include <algorithm>
#include <vector>

#include "solver/by_nodes.h"

namespace mmaprint {
namespace {

/// The last block's result is the unit's, or goes into it; the first one's operands are free. Factors that
/// are powers of two need no multiplier.
std::optional<Distinction> by_one_block(const EquivalenceChecker& checker, const Side& left,
                                        const Side& right, Allowance& allowance,
                                        std::optional<std::int64_t> most) {
  const Plan plan = plan_of(left);
  std::vector<std::vector<bool>> blocks;
  for (const PlannedNode& node : plan.nodes) {
    std::vector<bool> products(static_cast<std::size_t>(products_of(left)), false);
    for (const OperandRun& run : node.runs)
      for (const std::size_t k : run.products) products[k] = true;
    if (std::ranges::find(products, true) != products.end()) blocks.push_back(std::move(products));
  }
  if (blocks.size() < 2 || plan.d.is_integer()) return std::nullopt;
  const std::int64_t steps = most ? *most / 16 : kLeastForUnit / 2;
  for (const auto& products : {blocks.back(), blocks.front()})
    for (const bool powers : {true, false}) {
      Restriction where;
      where.products = products;
      where.b_power_of_two = powers;
      auto answer = checker.distinguish(left, right, where, allowance.rest(steps));
      if (std::holds_alternative<Witness>(answer)) return answer;
    }
  return std::nullopt;
}

}  // namespace

Distinction nodes_first(const EquivalenceChecker& checker, const Side& left, const Side& right,
                        Allowance& allowance, std::optional<std::int64_t> most, Inputs inputs) {
  const Limits limits = allowance.rest(most);
  const auto steps = limits.steps;
  const std::int64_t before = allowance.spent();
  auto answer = compare_by_nodes(checker, left, right, limits, inputs);
  const std::int64_t spent = allowance.spent() - before;
  const bool enough = !steps || (*steps >= kLeastForUnit && spent <= *steps / 2);
  if (!std::holds_alternative<Unknown>(answer) || !enough) return answer;
  const auto left_over = [&]() -> std::optional<std::int64_t> {
    return steps ? std::optional(std::max<std::int64_t>(0, *steps - (allowance.spent() - before)))
                 : std::nullopt;
  };
  if (auto witness = by_one_block(checker, left, right, allowance, left_over())) return *std::move(witness);
  return checker.distinguish(left, right, {}, allowance.rest(left_over()));
}

}  // namespace mmaprint
