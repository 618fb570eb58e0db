#include "inference/node_operands.h"

#include <fmt/format.h>

namespace mmaprint::mutants {

std::vector<NodeOperand> all_operands(const UnitModel& model) {
  std::vector<NodeOperand> all;
  for (std::size_t n = 0; n < model.tree.nodes.size(); ++n) {
    const Node& node = model.tree.nodes[n];
    if (node.result.is_scaled()) continue;  // nothing is aligned there
    for (std::size_t i = 0; i < node.operands.size(); ++i)
      if (!std::holds_alternative<ZeroLeaf>(node.operands[i]) &&
          !std::holds_alternative<PaddingLeaf>(node.operands[i]))
        all.push_back({n, i, node.operands[i], model.adders[static_cast<std::size_t>(node.adder)]});
  }
  return all;
}

std::string name_of(const NodeOperand& x) {
  if (const auto* product = std::get_if<ProductLeaf>(&x.leaf))
    return fmt::format("product {}", product->index);
  if (const auto* node = std::get_if<NodeLeaf>(&x.leaf))
    return fmt::format("the result of node {}", node->node);
  return "c";
}

Aim aim_at(const UnitModel& model, const NodeOperand& x) {
  Aim aim{.places = places_of(model, x.node)};
  if (const auto* product = std::get_if<ProductLeaf>(&x.leaf)) aim.least = product->index;
  if (std::holds_alternative<CLeaf>(x.leaf)) aim.least = model.k;
  if (const auto* node = std::get_if<NodeLeaf>(&x.leaf)) {
    const std::vector<int> below = places_of(model, static_cast<std::size_t>(node->node));
    if (!below.empty()) aim.least = below.back();
  }
  return aim;
}

void add_deviating(UnitModel model, const Deviation& deviation, std::string name, Aim aim,
                   std::function<bool(const DotInput&)> may_differ, Mutants& mutants) {
  const auto evaluator = std::make_shared<DeviatingEvaluator>(std::move(model), deviation);
  mutants.push_back({std::move(name),
                     [evaluator, may_differ = std::move(may_differ)](const DotInput& input, Pattern d) {
                       return may_differ && !may_differ(input) ? d : (*evaluator)(input);
                     },
                     std::nullopt, std::move(aim)});
}

void add_at(const Original& original, const NodeOperand& x, const How& how, std::string name, Aim aim,
            std::function<bool(const DotInput&)> may_differ, Mutants& mutants) {
  UnitModel split = with_own_class(original.model, x.node);
  const int own = static_cast<int>(split.adders.size()) - 1;
  add_deviating(std::move(split), {own, deviation::OfOperand{x.place, how}}, std::move(name), std::move(aim),
                std::move(may_differ), mutants);
}

}  // namespace mmaprint::mutants
