#include "skeleton_units/skeleton_unit.h"

#include <algorithm>
#include <span>

#include "model/hypotheses.h"
#include "model/skeletons.h"
#include "skeleton_units/draw_values.h"
#include "skeleton_units/joinings.h"

namespace mmaprint::test {
namespace {

Signature any_formats(Random& random) {
  const Format factor = random.pick(
      {Format::fp16, Format::fp16, Format::bf16, Format::tf32, Format::e4m3, Format::e5m2, Format::fp32});
  Format result = Format::fp32;
  if (random.chance(1, 4) && (factor == Format::fp16 || info(factor).container_bits == 8))
    result = Format::fp16;
  if (random.chance(1, 4) && factor == Format::bf16) result = Format::bf16;
  Signature formats{factor, factor, result, result};
  if (random.chance(1, 4)) formats.c = std::nullopt;
  return formats;
}

bool adds(const Node& node, bool (*is)(const Leaf&)) { return std::ranges::any_of(node.operands, is); }
bool is_product(const Leaf& leaf) { return std::holds_alternative<ProductLeaf>(leaf); }
bool is_sum(const Leaf& leaf) { return std::holds_alternative<NodeLeaf>(leaf); }

/// Which nodes are alike: all, or those with products, those that add sums, the root, or several of these.
void draw_classes(Random& random, Tree& tree) {
  const int kind = random.between(0, 4);
  const bool root_apart = kind == 2 || kind == 4;
  std::vector<int> seen;
  for (std::size_t i = 0; i < tree.nodes.size(); ++i) {
    Node& node = tree.nodes[i];
    int of_class = 0;
    if (kind == 1) of_class = adds(node, is_product) ? 0 : 1;
    if (kind >= 3) of_class = adds(node, is_sum) ? 1 : 0;
    if (root_apart && i + 1 == tree.nodes.size()) of_class = 2;
    // Numbered as they come.
    const auto place = std::ranges::find(seen, of_class);
    node.adder = static_cast<int>(place - seen.begin());
    if (place == seen.end()) seen.push_back(of_class);
  }
}

/// Blocks' products apart, carried on to what they join.
Tree carrying(const Tree& tree) {
  Tree result;
  std::vector<int> place;
  for (const Node& node : tree.nodes) {
    Node products{{}, 0, NodeResult::carried()}, rest{{}, 1, {}};
    for (Leaf leaf : node.operands) {
      if (auto* sum = std::get_if<NodeLeaf>(&leaf)) sum->node = place[static_cast<std::size_t>(sum->node)];
      (is_product(leaf) ? products : rest).operands.push_back(leaf);
    }
    if (!products.operands.empty() && !(rest.operands.empty() && &node != &tree.nodes.back())) {
      result.nodes.push_back(std::move(products));
      rest.operands.insert(rest.operands.begin(), NodeLeaf{static_cast<int>(result.nodes.size()) - 1});
    } else if (rest.operands.empty()) {
      rest.operands = std::move(products.operands);
    }
    result.nodes.push_back(std::move(rest));
    place.push_back(static_cast<int>(result.nodes.size()) - 1);
  }
  return result;
}

/// Results are FP32 until the root, or until a conversion after it.
void draw_inside(Random& random, Tree& tree) {
  for (Node& node : tree.nodes)
    if (!node.result.is_carried()) node.result = Format::fp32;
  if (random.chance(1, 2)) {
    tree.nodes.push_back({{NodeLeaf{static_cast<int>(tree.nodes.size()) - 1}}, classes_of(tree), {}});
    return;
  }
  tree.nodes.back().result = {};
  // Nodes of one class have results of one format.
  const int of_root = tree.nodes.back().adder;
  if (std::ranges::count(tree.nodes, of_root, &Node::adder) > 1) tree.nodes.back().adder = classes_of(tree);
}

}  // namespace

UnitModel skeleton_unit(SkeletonFamily family, std::uint64_t seed) {
  Random random(seed * kSkeletonFamilyWords.size() + static_cast<std::uint64_t>(family));
  const int k = random.pick({4, 6, 8, 8, 12, 16, 16, 32, 32, 64});
  const Signature formats = any_formats(random);
  Joining structure = random_joining(random, family, k);
  if (formats.c) structure = with_c(random, std::move(structure));
  Tree tree = tree_of(structure);
  if (family == SkeletonFamily::carried)
    tree = carrying(tree);
  else
    draw_classes(random, tree);
  if (info(formats.d).fraction_bits < info(Format::fp32).fraction_bits && random.chance(1, 2))
    draw_inside(random, tree);
  Skeleton skeleton{{}, std::move(tree)};
  const auto paths = operand_paths(formats);
  if (random.chance(1, 3)) skeleton.paths = random.pick(std::span<const OperandPaths>(paths));
  const Space space =
      measured_space("skeleton", k, formats, {std::move(skeleton)}, LaterClasses::free, Values::usual);
  const ParameterValues values =
      random.chance(1, 2) ? realistic_values(random, space) : any_values(random, space);
  UnitModel unit = space.model(0, values, canonical_nan(formats.d));
  validate(unit);
  return unit;
}

}  // namespace mmaprint::test
