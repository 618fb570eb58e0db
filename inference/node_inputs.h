// Inputs whose operands meet at one node of a structure, all others being zeros.
//
// Of a structure whose nodes are of several classes, an input that meets in one node asks that node's
// parameters alone, as long as later nodes hand its result on as it is: it splits one class's hypotheses,
// not the product of all. Of operands drawn anywhere two rarely are neighbours, and most meet at the root.
#pragma once

#include <map>
#include <set>

#include "inference/inputs.h"
#include "model/skeleton.h"

namespace mmaprint {

class InputsAtNodes : RandomDraws {
 public:
  InputsAtNodes(int k, const Signature& formats, std::uint64_t seed);

  /// Two operands or more of a node of the tree, as the generator draws units' of so many. An operand that is
  /// an earlier node's result is a product or c that comes to it. What later nodes round to fewer bits shows
  /// where the node that the result joins takes one of its operands away again: so it is in some inputs.
  [[nodiscard]] DotInput next(const Tree& tree, InputFamily family);

 private:
  enum class Where : std::uint8_t { anywhere, by_few_nodes };
  [[nodiscard]] std::size_t any_node(const Tree& tree, Where where);
  /// A product or c by way of a leaf; nothing where only zeros come.
  [[nodiscard]] std::optional<Leaf> any_source(const Tree& tree, Leaf leaf, Where where);
  [[nodiscard]] std::set<Leaf> any_operands(const Tree& tree, const Node& node, Where where);
  void cancel_later(const Tree& tree, std::size_t node, const std::vector<int>& products, Where where,
                    DotInput& input);
  /// For a unit of so many products, with a c or without.
  [[nodiscard]] InputGenerator& small(int products, bool has_c);

  int k_;
  Signature formats_;
  std::map<std::pair<int, bool>, InputGenerator> small_;
  ScaleDraws scales_;
};

}  // namespace mmaprint
