#include "solver/node_input.h"

#include <algorithm>
#include <bit>

#include "model/value.h"
#include "model/zero_input.h"
#include "solver/relays.h"

namespace mmaprint {
namespace {

/// The pattern of ±significand·2^exponent; nullopt if it has none.
std::optional<Pattern> encoded(const FormatInfo& f, bool negative, std::uint64_t significand, int exponent) {
  if (significand == 0 || (negative && !f.has_sign)) return std::nullopt;
  const int length = static_cast<int>(std::bit_width(significand));
  const int leading = exponent + length - 1;
  const int last_place = std::max(leading, f.emin()) - f.fraction_bits;
  if (leading > f.emax() || exponent < last_place) return std::nullopt;
  const std::uint64_t at_hidden_bit = significand << (f.fraction_bits + 1 - length);
  if (leading == f.emax() && at_hidden_bit > f.largest_significand()) return std::nullopt;
  return floating_pattern(f, negative, leading, at_hidden_bit);
}

struct UnitFormats {
  FormatInfo a, b, d;  ///< d: the result's
};

/// Products of the given positions that add up to a result; as many of them as it takes.
void add_products(const UnitFormats& f, Pattern result, const std::vector<int>& positions, DotInput& input) {
  const Value sum = decode(f.d.id, result);
  std::uint64_t significand = sum.significand;
  const int exponent = sum.exponent - f.d.fraction_bits;
  for (std::size_t n = 0; n < positions.size() && significand != 0; ++n) {
    const int length = static_cast<int>(std::bit_width(significand));
    const int drop = std::max(0, length - (f.a.fraction_bits + 1));
    const std::uint64_t part = significand >> drop;
    significand -= part << drop;
    const int leading = exponent + length - 1;
    const int lowest = std::max(f.b.emin(), leading - f.a.emax());
    const int highest = std::min(f.b.emax(), leading - f.a.emin());
    if (lowest > highest) return;  // no product is as large, or as small
    const int eb = std::clamp(leading / 2, lowest, highest);
    const auto a = encoded(f.a, sum.negative, part, exponent + drop - eb);
    const auto b = encoded(f.b, false, 1, eb);
    if (!a || !b) return;
    input.a[static_cast<std::size_t>(positions[n])] = *a;
    input.b[static_cast<std::size_t>(positions[n])] = *b;
  }
}

/// What a node adds, itself, by carried sums or by relays: products, c and the rounded results of other
/// nodes.
void collect_leaves(const Tree& tree, const Node& node, const std::vector<bool>& relays,
                    std::vector<Leaf>& leaves) {
  for (const Leaf& leaf : node.operands) {
    const auto* child = std::get_if<NodeLeaf>(&leaf);
    const Node* its = child == nullptr ? nullptr : &tree.nodes[static_cast<std::size_t>(child->node)];
    if (its != nullptr && (its->result.is_carried() || relays[static_cast<std::size_t>(child->node)]))
      collect_leaves(tree, *its, relays, leaves);
    else
      leaves.push_back(leaf);
  }
}

/// What comes to a result by way of its node and earlier ones: places of products, and whether c is there.
struct LeavesBelow {
  std::vector<int> products;
  bool c = false;
};
void collect_below(const Tree& tree, const Node& node, LeavesBelow& below) {
  for (const Leaf& leaf : node.operands) {
    if (const auto* product = std::get_if<ProductLeaf>(&leaf)) below.products.push_back(product->index);
    if (std::holds_alternative<CLeaf>(leaf)) below.c = true;
    if (const auto* child = std::get_if<NodeLeaf>(&leaf))
      collect_below(tree, tree.nodes[static_cast<std::size_t>(child->node)], below);
  }
}

}  // namespace

DotInput unit_input(const Side& side, std::size_t node, const DotInput& found,
                    std::span<const Pattern> earlier) {
  DotInput input = zero_input(products_of(side));
  const Tree tree = tree_of(side);
  const Plan plan = plan_of(side);
  std::vector<Leaf> leaves;
  collect_leaves(tree, tree.nodes[node], relays_to(side, plan, node), leaves);
  const Signature& formats = formats_of(side);
  input.sa = found.sa;
  input.sb = found.sb;
  for (const Leaf& leaf : leaves) {
    if (const auto* product = std::get_if<ProductLeaf>(&leaf)) {
      const auto k = static_cast<std::size_t>(product->index);
      input.a[k] = found.a[k];
      input.b[k] = found.b[k];
    } else if (std::holds_alternative<CLeaf>(leaf)) {
      input.c = found.c;
    } else if (const auto* child = std::get_if<NodeLeaf>(&leaf)) {
      const auto n = static_cast<std::size_t>(child->node);
      LeavesBelow below;
      collect_below(tree, tree.nodes[n], below);
      if (below.c && formats.c == plan.nodes[n].result.id)
        input.c = earlier[n];
      else
        add_products({info(formats.a), info(formats.b), plan.nodes[n].result}, earlier[n], below.products,
                     input);
    }
  }
  return input;
}

}  // namespace mmaprint
