// What a unit is made of before any parameter: how operands come in, a tree of multi-operand adders, which
// nodes are of one class and so share their parameters, and the format of each node's result.
#pragma once

#include <optional>
#include <utility>
#include <variant>
#include <vector>

#include "model/format.h"
#include "model/signature.h"

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
/// A product of +0 and +0, by which a block is as long as its unit.
struct PaddingLeaf {
  friend auto operator<=>(const PaddingLeaf&, const PaddingLeaf&) = default;
};
/// The result of an earlier node, in that node's format, or carried.
struct NodeLeaf {
  int node;
  friend auto operator<=>(const NodeLeaf&, const NodeLeaf&) = default;
};
using Leaf = std::variant<ProductLeaf, CLeaf, ZeroLeaf, NodeLeaf, PaddingLeaf>;

/// What becomes of a node's sum: it is rounded to D's format, or to another, or carried on as it is, aligned
/// and with its E, to the one node that it joins; or it is scaled and carried on: multiplied by the scales of
/// its products, which are the same for all of them, with the sum of the scales' exponents for E.
class NodeResult {
 public:
  constexpr NodeResult() = default;
  constexpr NodeResult(Format format) : kind_(format) {}  // NOLINT(google-explicit-constructor)
  constexpr NodeResult(std::optional<Format> format) {    // NOLINT(google-explicit-constructor): none: D's
    if (format) kind_ = *format;
  }
  constexpr NodeResult(std::nullopt_t /*none*/) {}  // NOLINT(google-explicit-constructor)
  static constexpr NodeResult carried() {
    NodeResult result;
    result.kind_ = Carried{};
    return result;
  }
  static constexpr NodeResult scaled() {
    NodeResult result;
    result.kind_ = Scaled{};
    return result;
  }
  /// Scaled or not.
  [[nodiscard]] constexpr bool is_carried() const {
    return std::holds_alternative<Carried>(kind_) || is_scaled();
  }
  [[nodiscard]] constexpr bool is_scaled() const { return std::holds_alternative<Scaled>(kind_); }
  /// The format, if it is stated.
  [[nodiscard]] constexpr std::optional<Format> format() const {
    const auto* stated = std::get_if<Format>(&kind_);
    return stated != nullptr ? std::optional(*stated) : std::nullopt;
  }
  /// The format that it is rounded to where D's is `d`.
  [[nodiscard]] constexpr Format value_or(Format d) const { return format().value_or(d); }
  friend auto operator<=>(const NodeResult&, const NodeResult&) = default;

 private:
  struct OfD {
    friend auto operator<=>(const OfD&, const OfD&) = default;
  };
  struct Carried {
    friend auto operator<=>(const Carried&, const Carried&) = default;
  };
  struct Scaled {
    friend auto operator<=>(const Scaled&, const Scaled&) = default;
  };
  std::variant<OfD, Format, Carried, Scaled> kind_;
};

/// One multi-operand adder: its operands in the order in which they join, which class of adders it is of, and
/// what becomes of its sum. A node of one operand converts.
struct Node {
  std::vector<Leaf> operands;
  int adder = 0;
  NodeResult result = {};
  friend auto operator<=>(const Node&, const Node&) = default;
};

/// Calls one of the functions for each run of a node's operands, in their order: with the indices of
/// neighbouring products, or with a leaf of another kind.
template <class Products, class Other>
void visit_runs(const Node& node, Products&& on_products, Other&& on_other) {
  std::vector<int> products;
  const auto flush = [&] {
    if (!products.empty()) on_products(std::as_const(products));
    products.clear();
  };
  for (const Leaf& leaf : node.operands) {
    if (const auto* product = std::get_if<ProductLeaf>(&leaf)) {
      products.push_back(product->index);
      continue;
    }
    flush();
    on_other(leaf);
  }
  flush();
}

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

/// Where c joins a chain that has one.
enum class CEnters : std::uint8_t { first, last };

/// Nodes whose results have another format than D.
struct Inside {
  Format format;
  /// Of chains that c enters last: does c join in that format, too? A last node then converts to D, as it
  /// does in all other chains. If not, the root that adds c rounds to D.
  bool c_joins = true;
  friend auto operator<=>(const Inside&, const Inside&) = default;
};
/// Blocks of product indices in the order in which they are added, and where c joins; without c, the first
/// block's products are added to nothing.
struct Chain {
  std::vector<std::vector<int>> blocks;
  std::optional<CEnters> c_enters = CEnters::first;
  std::optional<Inside> inside = {};
  friend auto operator<=>(const Chain&, const Chain&) = default;
};
/// The tree of a chain. Class 0 is the blocks'; each node after them is of a class of its own.
[[nodiscard]] Tree tree_of(const Chain& chain);
/// The chain whose tree this is, if it is one.
[[nodiscard]] std::optional<Chain> chain_of(const Tree& tree);
/// The ways in which chains of a unit with such a c, or without one, are built.
[[nodiscard]] std::vector<std::optional<CEnters>> ways_of_c(const Signature& formats);
/// The balanced binary tree over k products, c joining at its root (class 0 throughout).
[[nodiscard]] Tree pairwise_tree(int k);
/// The same of a unit without c.
[[nodiscard]] Tree pairwise_tree_without_c(int k);

}  // namespace mmaprint
