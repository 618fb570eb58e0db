// One node of the tree as a function of its operands (docs/semantics.md, steps 2 to 9).
#pragma once

#include <optional>
#include <vector>

#include "emit/alignment_plan.h"
#include "emit/operand_steps.h"

namespace mmaprint::emit {

/// A carried sum: ±magnitude·2^(exponent - fraction_bits), of zeros alone or not, or no number.
struct Carried {
  Type type;
  int fraction_bits = 0, width = 0;
  bool has_infinity = true;
};
/// What a node gives.
using NodeValue = std::variant<Number, Carried>;
[[nodiscard]] inline const Type& type_of(const NodeValue& value) {
  return std::visit([](const auto& x) -> const Type& { return x.type; }, value);
}

/// Neighbours among a node's operands.
struct NodeOperand {
  enum class What : std::uint8_t { products, padding, value } what = What::value;
  int first = 0, count = 1;  ///< of products: which of those that the node adds; of padding: how many
  std::optional<NodeValue> value = {};
  bool running_sum = false;  ///< for the rule which NaN goes on
};

/// A node's function takes its products' factors as two arrays, a and b, if it has any, and their scales if
/// these have any, and then its other operands in their order.
struct NodeFunction {
  Callee function;
  NodeValue result;
};
/// `scales`: of products that are scaled one by one.
[[nodiscard]] NodeFunction node_function(Context& context, const std::string& name, const PlannedNode& node,
                                         const std::vector<NodeOperand>& operands, const Number& a,
                                         const Number& b, const std::optional<NodeScales>& scales);
/// The same of a node whose sum is scaled.
[[nodiscard]] NodeFunction scaled_sum_function(Context& context, const std::string& name,
                                               const PlannedNode& node, const Number& a, const Number& b,
                                               const Scale& scale);

/// Which NaN a node lets through: a function of the node's operands that gives a NaN as a record
/// (Context::travelling_nan).
[[nodiscard]] Callee nan_function(Context& context, const std::string& name,
                                  const std::vector<NodeOperand>& operands,
                                  const std::vector<Parameter>& parameters, const FormatInfo& result,
                                  const Number& a, const Number& b);

/// What the parameters of a node's operands other than products are called, in their order.
[[nodiscard]] std::vector<std::string> operand_names(const std::vector<NodeOperand>& operands);

}  // namespace mmaprint::emit
