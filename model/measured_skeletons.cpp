#include "model/measured_skeletons.h"

#include <algorithm>
#include <iterator>
#include <map>
#include <utility>

#include "model/skeletons.h"

namespace mmaprint {
namespace {

/// Searches among more classes than this take too long.
constexpr int kMostMeasuredClasses = 3;

/// The class of each node.
using Classes = std::vector<int>;

bool adds_products(const Node& node) {
  return std::ranges::any_of(node.operands,
                             [](const Leaf& leaf) { return std::holds_alternative<ProductLeaf>(leaf); });
}
bool adds_c(const Node& node) {
  return std::ranges::any_of(node.operands,
                             [](const Leaf& leaf) { return std::holds_alternative<CLeaf>(leaf); });
}
bool adds_sums(const Node& node) {
  return std::ranges::any_of(node.operands,
                             [](const Leaf& leaf) { return std::holds_alternative<NodeLeaf>(leaf); });
}

/// How many nodes lie below each on its longest way to a leaf.
Classes levels_of(const Tree& tree) {
  Classes levels;
  for (const Node& node : tree.nodes) {
    int level = 0;
    for (const Leaf& leaf : node.operands)
      if (const auto* sum = std::get_if<NodeLeaf>(&leaf))
        level = std::max(level, levels[static_cast<std::size_t>(sum->node)] + 1);
    levels.push_back(level);
  }
  return levels;
}

/// Numbered in the order in which the tree's nodes first have them.
Classes renumbered(const Classes& classes) {
  std::map<int, int> numbers;
  Classes all;
  for (const int of_class : classes)
    all.push_back(numbers.try_emplace(of_class, static_cast<int>(numbers.size())).first->second);
  return all;
}

/// Which nodes may be of one class.
std::vector<Classes> all_classes(const Tree& tree) {
  const std::size_t n = tree.nodes.size();
  std::vector<Classes> all;
  const auto add = [&](const auto& class_of) {
    Classes classes;
    for (std::size_t i = 0; i < n; ++i) classes.push_back(class_of(i));
    classes = renumbered(classes);
    if (*std::ranges::max_element(classes) < kMostMeasuredClasses &&
        std::ranges::find(all, classes) == all.end())
      all.push_back(std::move(classes));
  };
  const auto is_root = [&](std::size_t i) { return i + 1 == n; };
  const auto node = [&](std::size_t i) -> const Node& { return tree.nodes[i]; };
  const Classes levels = levels_of(tree);
  add([](std::size_t) { return 0; });
  add([&](std::size_t i) { return adds_products(node(i)) ? 0 : 1; });
  add([&](std::size_t i) { return is_root(i) ? 1 : 0; });
  add([&](std::size_t i) { return adds_c(node(i)) ? 1 : 0; });
  add([&](std::size_t i) { return adds_sums(node(i)) ? 1 : 0; });
  add([&](std::size_t i) { return is_root(i) ? 2 : adds_products(node(i)) ? 0 : 1; });
  add([&](std::size_t i) { return is_root(i) ? 2 : adds_sums(node(i)) ? 1 : 0; });
  add([&](std::size_t i) { return adds_c(node(i)) ? 2 : adds_products(node(i)) ? 0 : 1; });
  add([&](std::size_t i) { return levels[i]; });
  add([&](std::size_t i) { return std::min(levels[i], 2); });
  return all;
}

Tree with_classes(Tree tree, const Classes& classes) {
  for (std::size_t i = 0; i < tree.nodes.size(); ++i) tree.nodes[i].adder = classes[i];
  return tree;
}

/// Sums of products alone start from +0.
std::optional<Tree> from_zero(Tree tree) {
  bool any = false;
  for (Node& node : tree.nodes)
    if (!adds_sums(node) && !adds_c(node) && !node.result.is_carried()) {
      node.operands.insert(node.operands.begin(), ZeroLeaf{});
      any = true;
    }
  return any ? std::optional(std::move(tree)) : std::nullopt;
}

/// Of the root's class no other node is, as their results are of another format.
void round_to_d(Tree& tree) {
  Node& root = tree.nodes.back();
  root.result = {};
  if (std::ranges::count(tree.nodes, root.adder, &Node::adder) > 1) root.adder = classes_of(tree);
}

/// Sums are of another format until the end: a conversion, or the last addition.
Tree inside(Tree tree, Format format, bool converts) {
  for (Node& node : tree.nodes)
    if (!node.result.is_carried()) node.result = format;
  if (converts)
    tree.nodes.push_back({{NodeLeaf{static_cast<int>(tree.nodes.size()) - 1}}, classes_of(tree), {}});
  else
    round_to_d(tree);
  return tree;
}

/// What a node adds of products, or of sums that are carried on, besides c or other sums is summed apart and
/// carried on to these.
Tree with_products_apart(const Tree& tree) {
  Tree result;
  std::vector<int> place;
  for (const Node& node : tree.nodes) {
    Node products{{}, 0, NodeResult::carried()};
    Node rest{{}, node.result.is_carried() ? 0 : 1, node.result};
    for (Leaf leaf : node.operands) {
      bool is_of_products = std::holds_alternative<ProductLeaf>(leaf);
      if (auto* sum = std::get_if<NodeLeaf>(&leaf)) {
        sum->node = place[static_cast<std::size_t>(sum->node)];
        is_of_products = result.nodes[static_cast<std::size_t>(sum->node)].result.is_carried();
      }
      (is_of_products ? products : rest).operands.push_back(leaf);
    }
    if (rest.operands.empty()) {
      rest.operands = std::move(products.operands);
    } else if (!products.operands.empty()) {
      result.nodes.push_back(std::move(products));
      rest.operands.insert(rest.operands.begin(), NodeLeaf{static_cast<int>(result.nodes.size()) - 1});
    }
    result.nodes.push_back(std::move(rest));
    place.push_back(static_cast<int>(result.nodes.size()) - 1);
  }
  return result;
}

/// Does another sum of products join this one, as the next block of a chain does?
bool begins_chain(const Tree& tree, std::size_t node) {
  for (const Node& next : tree.nodes) {
    const auto place = std::ranges::find(next.operands, Leaf(NodeLeaf{static_cast<int>(node)}));
    if (place != next.operands.end()) return place == next.operands.begin() && next.operands.size() > 1;
  }
  return false;
}

enum class WhichCarry : std::uint8_t { products, products_but_first, all };
/// Sums that are not the last are carried on: all, those of products alone, or these but for what a chain
/// begins with.
std::optional<Tree> carrying(Tree tree, WhichCarry what) {
  const Tree before = tree;
  bool any = false;
  for (std::size_t i = 0; i + 1 < tree.nodes.size(); ++i) {
    Node& node = tree.nodes[i];
    const bool of_products = !adds_sums(node) && !adds_c(node);
    const bool carries = what == WhichCarry::all ||
                         (of_products && (what == WhichCarry::products || !begins_chain(before, i)));
    if (carries) node.result = NodeResult::carried();
    node.adder = carries ? 0 : 1;
    any = any || carries;
  }
  tree.nodes.back().adder = 1;
  return any ? std::optional(std::move(tree)) : std::nullopt;
}

/// Distinct trees, with all their conversions.
class Skeletons {
 public:
  explicit Skeletons(const Signature& formats) : paths_(operand_paths(formats)) {}
  void add(const Tree& tree) {
    for (const OperandPaths& paths : paths_)
      if (Skeleton one{paths, tree}; std::ranges::find(all_, one) == all_.end())
        all_.push_back(std::move(one));
  }
  [[nodiscard]] std::vector<Skeleton> all() && { return std::move(all_); }

 private:
  std::vector<OperandPaths> paths_;
  std::vector<Skeleton> all_;
};

bool is_narrow(Format d) { return info(d).fraction_bits < info(Format::fp32).fraction_bits; }

void add_rounded(Skeletons& to, const Tree& plain, const Signature& formats) {
  for (const Classes& classes : all_classes(plain)) {
    const Tree tree = with_classes(plain, classes);
    for (const auto& one : {std::optional(tree), from_zero(tree)}) {
      if (!one) continue;
      to.add(*one);
      if (is_narrow(formats.d))
        for (const bool converts : {true, false}) to.add(inside(*one, Format::fp32, converts));
    }
  }
}

void add_carried(Skeletons& to, const Tree& plain, const Signature& formats) {
  std::vector<Tree> trees{with_products_apart(plain)};
  for (const WhichCarry what : {WhichCarry::products, WhichCarry::products_but_first, WhichCarry::all})
    if (auto tree = carrying(plain, what)) trees.push_back(*std::move(tree));
  for (const Tree& tree : trees) {
    if (std::ranges::none_of(tree.nodes, [](const Node& node) { return node.result.is_carried(); })) continue;
    to.add(tree);
    if (formats.d == Format::fp32) to.add(inside(tree, Format::e8m31, true));
    if (is_narrow(formats.d)) to.add(inside(tree, Format::fp32, true));
  }
}

/// The sums in it that are carried on.
void collect_carried(const Joining& sum, std::vector<Joining>& all) {
  for (const Joining& inner : sum.sums) {
    collect_carried(inner, all);
    if (inner.is_carried) all.push_back(inner);
  }
}

/// The same, but what is carried on is added where it is carried to, except for these sums.
Joining with_carried_joined(Joining sum, const std::vector<Joining>& except) {
  std::vector<Joining> kept;
  bool any = false;
  for (Joining& before : sum.sums) {
    Joining inner = with_carried_joined(std::move(before), except);
    if (!inner.is_carried || std::ranges::find(except, inner) != except.end()) {
      kept.push_back(std::move(inner));
      continue;
    }
    any = true;
    sum.c = sum.c || inner.c;
    sum.products.insert(sum.products.end(), inner.products.begin(), inner.products.end());
    std::ranges::move(inner.sums, std::back_inserter(kept));
  }
  sum.sums = std::move(kept);
  return any ? joining_of(tree_of(sum)) : sum;
}

/// What is added where, as masks show it.
Joining shown_by_masks(const Tree& tree) { return with_carried_joined(joining_of(tree), {}); }

/// Those of the skeletons that are of this structure.
std::vector<Skeleton> of_structure(std::vector<Skeleton> skeletons, const Joining& structure) {
  std::erase_if(skeletons, [&](const Skeleton& one) { return shown_by_masks(one.tree) != structure; });
  return skeletons;
}

/// Structures of which these may be the skeletons: as they are, as masks show them, and with what products
/// alone add as the only sums that are known to be carried on.
std::vector<Joining> structures_shown_as(const std::vector<Skeleton>& skeletons) {
  std::vector<Joining> all;
  const auto add = [&](Joining structure) {
    if (std::ranges::find(all, structure) == all.end()) all.push_back(std::move(structure));
  };
  for (const Skeleton& one : skeletons) {
    Joining whole = joining_of(one.tree);
    std::vector<Joining> carried;
    collect_carried(whole, carried);
    std::erase_if(carried, [](const Joining& sum) { return sum.c || !sum.sums.empty(); });
    add(with_carried_joined(whole, {}));
    add(with_carried_joined(whole, carried));
    add(std::move(whole));
  }
  return all;
}

/// Those that carry these sums on, among others.
std::vector<Skeleton> carrying_as(const Joining& known, std::vector<Skeleton> skeletons) {
  std::vector<Joining> carried;
  collect_carried(known, carried);
  std::erase_if(skeletons, [&](const Skeleton& one) {
    return with_carried_joined(joining_of(one.tree), carried) != known;
  });
  return skeletons;
}

}  // namespace

std::vector<MeasuredSkeletons> measured_skeletons(const Joining& structure, int k, const Signature& formats) {
  if (info(formats.d).is_integer() || !may_scale_products(formats)) return {};
  // Of the structure as it is, if it is known to carry sums on; then of what else masks show as this one.
  const Joining known = joining_of(tree_of(structure));
  const Joining shown = shown_by_masks(tree_of(structure));
  const Tree plain = tree_of(shown);
  std::vector<MeasuredSkeletons> all;
  if (known != shown) {
    Skeletons carried(formats);
    add_carried(carried, tree_of(known), formats);
    all = {{carrying_as(known, carrying_skeletons(k, formats)), LaterClasses::exact, Values::rare_too},
           {carrying_as(known, std::move(carried).all()), LaterClasses::free, Values::rare_too}};
  }
  std::vector<Skeleton> named;
  add_new(named, of_structure(wider_skeletons(k, formats), shown));
  add_new(named, of_structure(widest_skeletons(k, formats), shown));
  Skeletons rounded(formats), carried(formats);
  add_rounded(rounded, plain, formats);
  add_carried(carried, plain, formats);
  const std::vector<Skeleton> all_rounded = std::move(rounded).all();
  // Together: what explains a unit among the named ones alone may differ from it where masks show nothing.
  add_new(named, all_rounded);
  const std::vector<MeasuredSkeletons> all_shown{
      {named, LaterClasses::exact},
      {of_structure(carrying_skeletons(k, formats), shown), LaterClasses::exact, Values::rare_too},
      {std::move(named), LaterClasses::exact, Values::flushed_positive_too},
      {all_rounded, LaterClasses::free},
      {std::move(carried).all(), LaterClasses::free, Values::rare_too}};
  all.insert(all.end(), all_shown.begin(), all_shown.end());
  std::erase_if(all, [](const MeasuredSkeletons& one) { return one.skeletons.empty(); });
  return all;
}

std::vector<MeasuredSkeletons> measured_like(const std::vector<Skeleton>& skeletons, int k,
                                             const Signature& formats) {
  for (const Joining& structure : structures_shown_as(skeletons)) {
    auto all = measured_skeletons(structure, k, formats);
    std::erase_if(all, [&](const MeasuredSkeletons& one) { return one.skeletons != skeletons; });
    if (!all.empty()) return all;
  }
  return {};
}

}  // namespace mmaprint
