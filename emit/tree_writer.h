// The unit's function: calls of nodes' functions, in their order. A chain of such calls over neighbouring
// products is a loop.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "emit/scale_steps.h"

namespace mmaprint::emit {

/// A node's function, and the call's arguments.
struct PlannedCall {
  Callee function;
  std::vector<int> products;
  std::optional<NodeScales> scales = {};  ///< of the products, as the function takes them
  std::vector<Expr> others = {};
  int earlier = -1;  ///< the node that is its only other operand; -1: there is none, or more
};

class TreeWriter {
 public:
  /// Reads a_values and b_values, K elements of these types, and the scales if there are any.
  TreeWriter(const Type& a, const Type& b, int k, std::optional<UnitScales> scales = {});

  /// Gives the last call's result.
  [[nodiscard]] Expr write(Body& body, const std::vector<PlannedCall>& calls);
  /// Of a node that is announced: these are, in their order.
  [[nodiscard]] Expr result(int node) const {
    return variable(names_.at(static_cast<std::size_t>(node)), types_.at(static_cast<std::size_t>(node)));
  }
  void announce(const Type& type);

 private:
  static std::size_t end_of_loop(const std::vector<PlannedCall>& calls, std::size_t n);
  void append_each_scale(Body& body, const std::vector<PlannedCall>& calls);
  std::vector<Expr> arguments(Body& body, const PlannedCall& x, std::size_t n);
  Expr one(Body& body, const PlannedCall& x, std::size_t n);
  Expr loop(Body& body, const std::vector<PlannedCall>& calls, std::size_t n, std::size_t end);

  int k_;
  Expr a_, b_;
  std::optional<UnitScales> scales_;
  Expr each_scale_;  ///< of each product, where a node takes more than one
  std::vector<std::string> names_;
  std::vector<Type> types_;
};

}  // namespace mmaprint::emit
