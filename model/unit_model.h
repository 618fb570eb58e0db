// A unit as a comparable value: operand formats, a tree of multi-operand adders, their parameters, specials.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "model/format.h"
#include "model/parameters.h"

namespace mmaprint {

/// Leaves and inner nodes that an adder node sums. Products have indices 0 .. K-1.
struct ProductLeaf {
  int index;
  friend bool operator==(const ProductLeaf&, const ProductLeaf&) = default;
};
struct CLeaf {
  friend bool operator==(const CLeaf&, const CLeaf&) = default;
};
/// +0, from which a chain starts that receives c last.
struct ZeroLeaf {
  friend bool operator==(const ZeroLeaf&, const ZeroLeaf&) = default;
};
/// The result of an earlier node, in D's format.
struct NodeLeaf {
  int node;
  friend bool operator==(const NodeLeaf&, const NodeLeaf&) = default;
};
using Leaf = std::variant<ProductLeaf, CLeaf, ZeroLeaf, NodeLeaf>;

/// One multi-operand adder: its operands in the order in which they join, and which of the unit's adders it
/// is.
struct Node {
  std::vector<Leaf> operands;
  int adder = 0;
  friend bool operator==(const Node&, const Node&) = default;
};

/// Nodes in an order in which each comes after those that it uses; the last is the root, whose result is d.
struct Tree {
  std::vector<Node> nodes;
  friend bool operator==(const Tree&, const Tree&) = default;
};

enum class CEnters : std::uint8_t { first, last };

/// Blocks of product indices in the order in which they are added, and where c joins.
struct Chain {
  std::vector<std::vector<int>> blocks;
  CEnters c_enters = CEnters::first;
  friend bool operator==(const Chain&, const Chain&) = default;
};
/// The tree of a chain. Adder 0 is the block's; where c enters last, adder 1 is the root's.
[[nodiscard]] Tree tree_of(const Chain& chain);
/// The chain whose tree this is, if it is one.
[[nodiscard]] std::optional<Chain> chain_of(const Tree& tree);
/// The balanced binary tree over k products, c joining at its root (adder 0 throughout).
[[nodiscard]] Tree pairwise_tree(int k);

struct UnitModel {
  std::string instruction;
  int k = 0;
  OperandFormats formats{};
  Tree tree;
  std::vector<Adder> adders;  ///< by Node::adder
  Conventions conventions;
  /// The pattern that stands for every NaN result; none where NaN results have several patterns, of which the
  /// model says nothing more, and for integers.
  std::optional<Pattern> nan;
  friend bool operator==(const UnitModel&, const UnitModel&) = default;
};

/// What was expected of the formats and what was found, where no unit can be modelled with them: all have to
/// be floating, D's with infinities, or all integers.
[[nodiscard]] std::optional<std::string> not_modelled(const OperandFormats& formats);

/// Throws std::invalid_argument with one line (what, where, what was expected) if the model is illegal:
/// a product missing or twice, c not exactly once, an adder out of range, bits outside the format, a NaN that
/// is none.
void validate(const UnitModel& model);

/// The root that adds the chain's result and c exactly: everything kept, rounded once to D's full precision.
[[nodiscard]] Adder root_adder(Format d, Rounding final_rounding);
/// A chain of blocks with the given parameters.
[[nodiscard]] UnitModel chain_model(std::string instruction, int k, OperandFormats formats,
                                    const Chain& chain, const ParameterValues& values,
                                    std::optional<Pattern> nan);
/// The parameters of a model whose tree is a chain (nullopt otherwise).
[[nodiscard]] std::optional<ParameterValues> parameter_values(const UnitModel& model);

/// One dot product's operands, as raw bit patterns: a_1..a_K, b_1..b_K, c.
struct DotInput {
  std::vector<Pattern> a, b;
  Pattern c = 0;
  friend auto operator<=>(const DotInput&, const DotInput&) = default;
};
/// An input and the result that a unit gave for it.
struct Observation {
  DotInput input;
  Pattern d = 0;
  friend auto operator<=>(const Observation&, const Observation&) = default;
};

/// A result of the unit as the model tells results apart: where it has no pattern for NaN, each is the
/// canonical one.
[[nodiscard]] Pattern as_modelled(const UnitModel& model, Pattern d);

/// d for each input, as `as_modelled` gives it. Requires a valid model and inputs of K entries within the
/// formats' widths.
[[nodiscard]] Pattern evaluate(const UnitModel& model, const DotInput& input);

}  // namespace mmaprint
