// What a unit is made of before any parameter: how operands come in, a tree of multi-operand adders, which
// nodes are of one class and so share their parameters, and the format of each node's result.
#pragma once

#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "model/format.h"

namespace mmaprint {

/// From a container's format to that in which the datapath computes (docs/semantics.md, operand paths).
enum class Conversion : std::uint8_t {
  exact,         ///< into a format that holds every value
  chop,          ///< the low bits are not read; a NaN whose payload lies only there becomes an infinity
  nearest_even,  ///< beyond the range an infinity, or the largest finite value where there is none
  nearest_away,
};
struct Converted {
  Format compute;
  Conversion conversion = Conversion::exact;
  friend auto operator<=>(const Converted&, const Converted&) = default;
};
/// None: the datapath computes in the container's format.
using OperandPath = std::optional<Converted>;
struct OperandPaths {
  OperandPath a, b, c;
  friend auto operator<=>(const OperandPaths&, const OperandPaths&) = default;
};

/// Leaves and inner nodes that an adder node sums. Products have indices 0 .. K-1.
struct ProductLeaf {
  int index;
  friend auto operator<=>(const ProductLeaf&, const ProductLeaf&) = default;
};
struct CLeaf {
  friend auto operator<=>(const CLeaf&, const CLeaf&) = default;
};
/// +0, from which a chain starts that receives c last.
struct ZeroLeaf {
  friend auto operator<=>(const ZeroLeaf&, const ZeroLeaf&) = default;
};
/// The result of an earlier node, in that node's format.
struct NodeLeaf {
  int node;
  friend auto operator<=>(const NodeLeaf&, const NodeLeaf&) = default;
};
using Leaf = std::variant<ProductLeaf, CLeaf, ZeroLeaf, NodeLeaf>;

/// One multi-operand adder: its operands in the order in which they join, which class of adders it is of, and
/// the format that its result is rounded to. A node of one operand converts.
struct Node {
  std::vector<Leaf> operands;
  int adder = 0;
  std::optional<Format> result = {};  ///< none: D's
  friend auto operator<=>(const Node&, const Node&) = default;
};

/// Nodes in an order in which each comes after those that it uses; the last is the root, whose result is d.
struct Tree {
  std::vector<Node> nodes;
  friend auto operator<=>(const Tree&, const Tree&) = default;
};
/// How many classes the nodes are of.
[[nodiscard]] int classes_of(const Tree& tree);

/// The format of the results of a class's nodes, `d` where nothing else is said.
[[nodiscard]] Format result_format(const Tree& tree, int of_class, Format d);

/// Formats, structure and classes: all of a unit but its parameters.
struct Skeleton {
  OperandPaths paths;
  Tree tree;
  friend auto operator<=>(const Skeleton&, const Skeleton&) = default;
};

enum class CEnters : std::uint8_t { first, last };

/// Nodes whose results have another format than D.
struct Inside {
  Format format;
  /// Of chains that c enters last: does c join in that format, too? A last node then converts to D, as it
  /// does where c enters first. If not, the root that adds c rounds to D.
  bool c_joins = true;
  friend auto operator<=>(const Inside&, const Inside&) = default;
};
/// Blocks of product indices in the order in which they are added, and where c joins.
struct Chain {
  std::vector<std::vector<int>> blocks;
  CEnters c_enters = CEnters::first;
  std::optional<Inside> inside = {};
  friend auto operator<=>(const Chain&, const Chain&) = default;
};
/// The tree of a chain. Class 0 is the blocks'; each node after them is of a class of its own.
[[nodiscard]] Tree tree_of(const Chain& chain);
/// The chain whose tree this is, if it is one.
[[nodiscard]] std::optional<Chain> chain_of(const Tree& tree);
/// The balanced binary tree over k products, c joining at its root (class 0 throughout).
[[nodiscard]] Tree pairwise_tree(int k);

}  // namespace mmaprint
