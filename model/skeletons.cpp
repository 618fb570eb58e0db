#include "model/skeletons.h"

#include <algorithm>
#include <utility>

namespace mmaprint {

std::vector<std::vector<std::vector<int>>> block_patterns(int k) {
  std::vector<std::vector<std::vector<int>>> patterns;
  const auto add = [&](const std::vector<std::vector<int>>& blocks) {
    if (std::ranges::find(patterns, blocks) == patterns.end()) patterns.push_back(blocks);
  };
  for (int width = k; width >= 1; --width) {
    if (k % width != 0) continue;
    const int n = k / width;
    // Group size g: product i goes to block floor(i/g) mod n. g = width is contiguous, g = 1 strided.
    for (int g = width; g >= 1; --g) {
      std::vector<std::vector<int>> blocks(static_cast<std::size_t>(n));
      for (int i = 0; i < k; ++i) blocks[static_cast<std::size_t>((i / g) % n)].push_back(i);
      const bool even =
          std::ranges::all_of(blocks, [&](const auto& b) { return static_cast<int>(b.size()) == width; });
      if (!even) continue;
      add(blocks);
      std::ranges::reverse(blocks);
      add(blocks);
    }
  }
  return patterns;
}

namespace {

/// What factors may be converted to: FP16 from eight bits and less, TF32 and BF16 from FP32.
std::vector<OperandPath> paths_from(Format container) {
  std::vector<OperandPath> paths{std::nullopt};
  const FormatInfo& f = info(container);
  // With FP16's exponents a number is what it was.
  if (f.is_floating() && f.container_bits <= 8 && f.emin() != info(Format::fp16).emin())
    paths.emplace_back(Converted{Format::fp16, Conversion::exact});
  if (container == Format::fp32)
    for (const Format compute : {Format::tf32, Format::bf16})
      for (const Conversion how : {Conversion::chop, Conversion::nearest_even, Conversion::nearest_away})
        paths.emplace_back(Converted{compute, how});
  return paths;
}

/// Both factors are treated alike, as far as their formats let them.
std::vector<OperandPaths> all_paths(const OperandFormats& formats) {
  const auto of_a = paths_from(formats.a);
  const auto of_b = paths_from(formats.b);
  std::vector<OperandPaths> all;
  for (std::size_t i = 0; i < std::max(of_a.size(), of_b.size()); ++i)
    all.push_back({of_a[std::min(i, of_a.size() - 1)], of_b[std::min(i, of_b.size() - 1)], std::nullopt});
  return all;
}

/// Chains of these blocks whose results are FP32 until one conversion, or one addition of c, at the end.
std::vector<Skeleton> chains_inside(const std::vector<std::vector<int>>& blocks, const OperandPaths& paths,
                                    Format c) {
  const FormatInfo& wide = info(Format::fp32);
  std::vector<Skeleton> all;
  for (const bool c_joins : {true, false})
    all.push_back({paths, tree_of(Chain{blocks, CEnters::last, Inside{wide.id, c_joins}})});
  const Tree first = tree_of(Chain{blocks, CEnters::first, Inside{wide.id, true}});
  all.push_back({paths, first});
  // As FP32 a subnormal c is aligned by its own leading bit.
  if (info(c).emin() > wide.emin())
    all.push_back({{paths.a, paths.b, Converted{wide.id, Conversion::exact}}, first});
  return all;
}

/// Adds a node and gives its place.
Leaf add_node(Tree& tree, std::vector<Leaf> operands, int adder, std::optional<Format> result) {
  tree.nodes.push_back({std::move(operands), adder, result});
  return NodeLeaf{static_cast<int>(tree.nodes.size()) - 1};
}

/// Groups of neighbours, each summed apart and then added to c: (c + (p0 + p1)) + (p2 + p3). A group is one
/// node, or a chain from +0 of one product each. Results are of format `inside`, and D at the end.
Tree groups(int k, int width, bool one_by_one, std::optional<Format> inside) {
  Tree tree;
  Leaf sum = CLeaf{};
  for (int first = 0; first < k; first += width) {
    std::vector<Leaf> products;
    for (int i = first; i < first + width; ++i) products.emplace_back(ProductLeaf{i});
    Leaf group = ZeroLeaf{};
    if (one_by_one)
      for (const Leaf& product : products) group = add_node(tree, {group, product}, 0, inside);
    else
      group = add_node(tree, std::move(products), 0, inside);
    sum = add_node(tree, {sum, group}, 1, inside);
  }
  if (inside) (void)add_node(tree, {sum}, 2, std::nullopt);
  return tree;
}

std::vector<Tree> all_groups(int k, std::optional<Format> inside) {
  std::vector<Tree> all;
  for (int width = k; width >= 2; --width) {
    if (k % width != 0) continue;
    // All in one group, one by one, is a chain that c enters last.
    for (const bool one_by_one : {false, true})
      if (!one_by_one || width < k) all.push_back(groups(k, width, one_by_one, inside));
  }
  return all;
}

}  // namespace

std::vector<Skeleton> wider_skeletons(int k, const OperandFormats& formats) {
  const FormatInfo& d = info(formats.d);
  std::vector<Skeleton> all;
  if (d.is_integer()) return all;
  const auto patterns = block_patterns(k);
  const bool narrow = d.fraction_bits < info(Format::fp32).fraction_bits;
  for (const OperandPaths& paths : all_paths(formats)) {
    for (const auto& blocks : patterns) {
      for (const CEnters c : {CEnters::first, CEnters::last})
        all.push_back({paths, tree_of(Chain{blocks, c})});
      if (narrow) std::ranges::move(chains_inside(blocks, paths, formats.c), std::back_inserter(all));
    }
    all.push_back({paths, pairwise_tree(k)});
    for (Tree& tree : all_groups(k, std::nullopt)) all.push_back({paths, std::move(tree)});
    if (narrow)
      for (Tree& tree : all_groups(k, Format::fp32)) all.push_back({paths, std::move(tree)});
  }
  return all;
}

}  // namespace mmaprint
