// The operands of a model's nodes, and mutants that treat one of them otherwise than the others.
#pragma once

#include "inference/mutant_kinds.h"
#include "model/deviating_evaluator.h"

namespace mmaprint::mutants {

/// An operand of a node.
struct NodeOperand {
  std::size_t node, place;
  Leaf leaf;
  Adder adder;  ///< of the node
};
/// All but zeros, and operands of sums that are scaled.
[[nodiscard]] std::vector<NodeOperand> all_operands(const UnitModel& model);

[[nodiscard]] inline bool is_product(const NodeOperand& x) {
  return std::holds_alternative<ProductLeaf>(x.leaf);
}
/// "product 5", "c".
[[nodiscard]] std::string name_of(const NodeOperand& x);

/// The operand has to take part, and something else.
[[nodiscard]] Aim aim_at(const UnitModel& model, const NodeOperand& x);

/// Appends the model with a deviation. `may_differ`: it computes as the model does on all other inputs;
/// nullptr: on none for sure.
void add_deviating(UnitModel model, const Deviation& deviation, std::string name, Aim aim,
                   std::function<bool(const DotInput&)> may_differ, Mutants& mutants);

using How = decltype(deviation::OfOperand::how);
/// The same where the deviation is an operand's.
void add_at(const Original& original, const NodeOperand& x, const How& how, std::string name, Aim aim,
            std::function<bool(const DotInput&)> may_differ, Mutants& mutants);

}  // namespace mmaprint::mutants
