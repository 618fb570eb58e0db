#include "inference/rounded_again.h"

#include "solver/rounded_to_odd.h"

namespace mmaprint {
namespace {

const Adder& adder_of(const UnitModel& model, std::size_t n) {
  return model.adders[static_cast<std::size_t>(model.tree.nodes[n].adder)];
}

}  // namespace

const FormatInfo& result_of(const UnitModel& model, const Node& node) {
  return info(node.result.value_or(model.formats.d));
}

const NodeLeaf* only_operand(const Node& node) {
  const NodeLeaf* only = nullptr;
  for (const Leaf& leaf : node.operands) {
    if (std::holds_alternative<ZeroLeaf>(leaf)) continue;
    const auto* of = std::get_if<NodeLeaf>(&leaf);
    if (only != nullptr || of == nullptr) return nullptr;
    only = of;
  }
  return only;
}

bool rounds_nothing(const UnitModel& model, std::size_t node, std::size_t operand) {
  return model.tree.nodes[node].result == model.tree.nodes[operand].result &&
         adder_of(model, operand).output_fraction_bits <= adder_of(model, node).output_fraction_bits;
}

bool rounds_at_once(const UnitModel& model, std::size_t node, std::size_t operand) {
  const Adder &to = adder_of(model, node), &from = adder_of(model, operand);
  const FormatInfo& own = result_of(model, model.tree.nodes[node]);
  const FormatInfo& its = result_of(model, model.tree.nodes[operand]);
  return from.rounding == Rounding::odd && to.rounding != Rounding::down &&
         suffices_to_round_again(its, from.output_fraction_bits, own, to.output_fraction_bits) &&
         model.conventions.output_subnormals == Subnormals::kept;
}

}  // namespace mmaprint
