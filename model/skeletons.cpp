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

}  // namespace

std::vector<OperandPaths> operand_paths(const Signature& formats) {
  const auto of_a = paths_from(formats.a);
  const auto of_b = paths_from(formats.b);
  std::vector<OperandPaths> all;
  for (std::size_t i = 0; i < std::max(of_a.size(), of_b.size()); ++i)
    all.push_back({of_a[std::min(i, of_a.size() - 1)], of_b[std::min(i, of_b.size() - 1)], std::nullopt});
  return all;
}

namespace {

/// Chains of these blocks whose results are FP32 until one conversion, or one addition of c, at the end.
std::vector<Skeleton> chains_inside(const std::vector<std::vector<int>>& blocks, const OperandPaths& paths,
                                    const Signature& formats) {
  const FormatInfo& wide = info(Format::fp32);
  if (!formats.c) return {{paths, tree_of(Chain{blocks, std::nullopt, Inside{wide.id, true}})}};
  std::vector<Skeleton> all;
  for (const bool c_joins : {true, false})
    all.push_back({paths, tree_of(Chain{blocks, CEnters::last, Inside{wide.id, c_joins}})});
  const Tree first = tree_of(Chain{blocks, CEnters::first, Inside{wide.id, true}});
  all.push_back({paths, first});
  // As FP32 a subnormal c is aligned by its own leading bit.
  if (info(*formats.c).emin() > wide.emin())
    all.push_back({{paths.a, paths.b, Converted{wide.id, Conversion::exact}}, first});
  return all;
}

/// Adds a node and gives its place.
Leaf add_node(Tree& tree, std::vector<Leaf> operands, int adder, NodeResult result) {
  tree.nodes.push_back({std::move(operands), adder, result});
  return NodeLeaf{static_cast<int>(tree.nodes.size()) - 1};
}

/// How a group adds its products.
enum class Within : std::uint8_t { at_once, one_by_one, pairwise };

/// Two at a time, then their sums two at a time; what is left over joins the next round.
Leaf add_pairwise(Tree& tree, std::vector<Leaf> operands, std::optional<Format> result) {
  while (operands.size() > 1) {
    std::vector<Leaf> sums;
    for (std::size_t i = 0; i + 1 < operands.size(); i += 2)
      sums.push_back(add_node(tree, {operands[i], operands[i + 1]}, 0, result));
    if (operands.size() % 2 == 1) sums.push_back(operands.back());
    operands = std::move(sums);
  }
  return operands.front();
}

struct Grouping {
  int width;
  Within within;
  bool with_c;
};
/// Groups of neighbours, each summed apart and then added to c, or to the first group where there is none:
/// (c + (p0 + p1)) + (p2 + p3). Results are of format `inside`, and D at the end.
Tree groups(int k, const Grouping& how, std::optional<Format> inside) {
  const auto [width, within, with_c] = how;
  Tree tree;
  std::optional<Leaf> sum;
  if (with_c) sum = CLeaf{};
  for (int first = 0; first < k; first += width) {
    std::vector<Leaf> products;
    for (int i = first; i < first + width; ++i) products.emplace_back(ProductLeaf{i});
    Leaf group = ZeroLeaf{};
    switch (within) {
      case Within::at_once:
        group = add_node(tree, std::move(products), 0, inside);
        break;
      case Within::one_by_one:  // from +0
        for (const Leaf& product : products) group = add_node(tree, {group, product}, 0, inside);
        break;
      case Within::pairwise:
        group = add_pairwise(tree, std::move(products), inside);
        break;
    }
    sum = sum ? add_node(tree, {*sum, group}, 1, inside) : group;
  }
  if (inside) (void)add_node(tree, {*sum}, classes_of(tree), {});
  return tree;
}

/// Chains side by side, of every n-th product each, one by one from +0; their sums are added pairwise, and
/// then c: c + (((0 + p0) + p2) + ((0 + p1) + p3)). So do tiles of BF16 (Intel SDM, volume 2, TDPBF16PS), and
/// loops of SIMD FMAs with n accumulators.
Tree side_by_side(int k, int n, bool with_c) {
  Tree tree;
  std::vector<Leaf> sums;
  for (int chain = 0; chain < n; ++chain) {
    Leaf sum = ZeroLeaf{};
    for (int i = chain; i < k; i += n) sum = add_node(tree, {sum, ProductLeaf{i}}, 0, {});
    sums.push_back(sum);
  }
  const Leaf all = add_pairwise(tree, std::move(sums), {});
  if (with_c) (void)add_node(tree, {CLeaf{}, all}, 0, {});
  return tree;
}

/// A chain of a unit without c that starts from +0, as in a unit whose c is held at +0.
Tree from_zero(const Chain& chain) {
  Tree tree = tree_of(chain);
  auto& first = tree.nodes.front().operands;
  first.insert(first.begin(), ZeroLeaf{});
  return tree;
}

std::vector<Tree> all_groups(int k, bool with_c, std::optional<Format> inside) {
  std::vector<Tree> all;
  for (int width = k; width >= 2; --width) {
    if (k % width != 0) continue;
    // All in one group, one by one, is a chain that c enters last; or that has none and starts from +0.
    for (const Within within : {Within::at_once, Within::one_by_one})
      if (within == Within::at_once || width < k) all.push_back(groups(k, {width, within, with_c}, inside));
  }
  return all;
}

/// A chain of blocks of `width` neighbours whose last one is shorter, and padded to be as long as the others
/// or not.
Tree with_short_block(int k, int width, std::optional<CEnters> c, bool padded) {
  Chain chain{{}, c};
  for (int i = 0; i < k; ++i) {
    if (i % width == 0) chain.blocks.emplace_back();
    chain.blocks.back().push_back(i);
  }
  Tree tree = tree_of(chain);
  if (padded)
    tree.nodes[chain.blocks.size() - 1].operands.insert(tree.nodes[chain.blocks.size() - 1].operands.end(),
                                                        static_cast<std::size_t>(width - k % width),
                                                        PaddingLeaf{});
  return tree;
}

/// The same, but each product is rounded first: by a node of its own, of one more class, to `format`.
Tree with_rounded_products(const Tree& tree, std::optional<Format> format) {
  const int rounding = classes_of(tree);
  Tree result;
  std::vector<int> place;  // of each node
  for (Node node : tree.nodes) {
    for (Leaf& leaf : node.operands) {
      if (const auto* earlier = std::get_if<NodeLeaf>(&leaf))
        leaf = NodeLeaf{place[static_cast<std::size_t>(earlier->node)]};
      else if (std::holds_alternative<ProductLeaf>(leaf))
        leaf = add_node(result, {leaf}, rounding, format);
    }
    place.push_back(static_cast<int>(result.nodes.size()));
    result.nodes.push_back(std::move(node));
  }
  return result;
}

}  // namespace

bool may_scale_products(const Signature& formats) {
  const auto is_power = [](const std::optional<Scales>& s) { return !s || s->format == Format::ue8m0; };
  return is_power(formats.sa) && is_power(formats.sb);
}

Tree chain_of_scaled_groups(int k, int width, int together, std::optional<CEnters> c) {
  Tree tree;
  std::vector<Leaf> groups;
  std::optional<Leaf> running;
  if (c) running = c == CEnters::first ? Leaf(CLeaf{}) : Leaf(ZeroLeaf{});
  for (int first = 0; first < k; first += width) {
    std::vector<Leaf> products;
    for (int i = first; i < first + width; ++i) products.emplace_back(ProductLeaf{i});
    groups.push_back(add_node(tree, std::move(products), 0, NodeResult::scaled()));
    if (std::ssize(groups) < together) continue;
    if (running) groups.insert(groups.begin(), *running);
    running = add_node(tree, std::exchange(groups, {}), 1, {});
  }
  if (c == CEnters::last) (void)add_node(tree, {*running, CLeaf{}}, 2, {});
  return tree;
}

std::vector<Skeleton> scaled_groups(int k, const Signature& formats) {
  std::vector<Skeleton> all;
  const int per_a = formats.sa ? formats.sa->per : k, per_b = formats.sb ? formats.sb->per : k;
  if (!formats.has_scales() ||
      std::max(info(formats.a).emax(), info(formats.b).emax()) > kLargestExponentOfScaledSums)
    return all;
  for (int width = std::min({per_a, per_b, k}); width >= 2; --width) {
    if (per_a % width != 0 || per_b % width != 0 || k % width != 0) continue;
    for (int together = k / width; together >= 1; --together)
      if (k / width % together == 0)
        for (const auto c : ways_of_c(formats))
          all.push_back({{}, chain_of_scaled_groups(k, width, together, c)});
  }
  return all;
}

std::vector<Skeleton> wider_skeletons(int k, const Signature& formats) {
  const FormatInfo& d = info(formats.d);
  std::vector<Skeleton> all;
  if (d.is_integer() || !may_scale_products(formats)) return all;
  const auto patterns = block_patterns(k);
  const bool with_c = formats.c.has_value();
  const bool narrow = d.fraction_bits < info(Format::fp32).fraction_bits;
  for (const OperandPaths& paths : operand_paths(formats)) {
    for (const auto& blocks : patterns) {
      for (const auto c : ways_of_c(formats)) all.push_back({paths, tree_of(Chain{blocks, c})});
      if (!with_c) all.push_back({paths, from_zero(Chain{blocks, std::nullopt})});
      if (narrow) std::ranges::move(chains_inside(blocks, paths, formats), std::back_inserter(all));
    }
    if (k > 1) all.push_back({paths, with_c ? pairwise_tree(k) : pairwise_tree_without_c(k)});
    for (Tree& tree : all_groups(k, with_c, std::nullopt)) all.push_back({paths, std::move(tree)});
    for (int n = 2; 2 * n <= k; n *= 2)
      if (k % n == 0) all.push_back({paths, side_by_side(k, n, with_c)});
    if (narrow)
      for (Tree& tree : all_groups(k, with_c, Format::fp32)) all.push_back({paths, std::move(tree)});
  }
  return all;
}

std::vector<Skeleton> widest_skeletons(int k, const Signature& formats) {
  const FormatInfo& d = info(formats.d);
  if (d.is_integer() || !may_scale_products(formats)) return {};
  const bool with_c = formats.c.has_value();
  std::vector<std::optional<Format>> insides{std::nullopt};
  if (d.fraction_bits < info(Format::fp32).fraction_bits) insides.emplace_back(Format::fp32);
  std::vector<Skeleton> all;
  const auto add = [&](const Tree& tree) {
    Skeleton skeleton{{}, tree};
    if (std::ranges::find(all, skeleton) == all.end()) all.push_back(std::move(skeleton));
  };
  for (const std::optional<Format> inside : insides) {
    std::vector<Tree> trees;
    for (int width = k; width >= 2; --width) {
      if (k % width != 0) continue;
      trees.push_back(groups(k, {width, Within::pairwise, with_c}, inside));
      add(trees.back());
      trees.push_back(groups(k, {width, Within::at_once, with_c}, inside));
    }
    if (!inside) {
      if (k > 1) trees.push_back(with_c ? pairwise_tree(k) : pairwise_tree_without_c(k));
      for (const auto& blocks : block_patterns(k))
        for (const auto c : ways_of_c(formats)) trees.push_back(tree_of(Chain{blocks, c}));
    }
    for (const Tree& tree : trees) add(with_rounded_products(tree, inside));
  }
  // Units of other widths than a power of two are not known. One may be wider than K.
  for (int width = 1; width < 2 * k; width *= 2)
    if (k % width != 0)
      for (const auto c : ways_of_c(formats))
        for (const bool padded : {false, true})
          if (padded || width < k) add(with_short_block(k, width, c, padded));
  return all;
}

Tree carrying_tree(int k, const Carrying& how, bool with_c) {
  Tree tree;
  std::optional<Leaf> running;
  if (with_c) running = CLeaf{};
  const int joining = how.by_parity ? 2 : 1;
  for (int first = 0; first < k; first += how.width) {
    std::vector<Leaf> halves[2];
    for (int i = first; i < std::min(k, first + how.width); ++i)
      halves[how.by_parity ? i % 2 : 0].emplace_back(ProductLeaf{i});
    Leaf block = add_node(tree, std::move(halves[0]), 0, NodeResult::carried());
    if (how.by_parity) {
      const Leaf odd = add_node(tree, std::move(halves[1]), 0, NodeResult::carried());
      block = add_node(tree, {block, odd}, 1, NodeResult::carried());
    }
    std::vector<Leaf> operands{block};
    if (running) operands.push_back(*running);
    running = add_node(tree, std::move(operands), joining, how.inside);
    if (how.inside) running = add_node(tree, {*running}, joining + 1, {});
  }
  return tree;
}

std::vector<Skeleton> carrying_skeletons(int k, const Signature& formats) {
  std::vector<Skeleton> all;
  if (info(formats.d).is_integer() || !may_scale_products(formats)) return all;
  for (int width = k; width >= 1; --width) {
    if (k % width == 0)
      for (const bool by_parity : {false, true})
        for (const std::optional<Format> inside : {std::optional<Format>(), std::optional(Format::e8m31)})
          if ((!by_parity || (width > 2 && width % 2 == 0)) && (!inside || formats.d == Format::fp32))
            all.push_back({{}, carrying_tree(k, {width, by_parity, inside}, formats.c.has_value())});
  }
  return all;
}

void add_new(std::vector<Skeleton>& to, std::vector<Skeleton> skeletons) {
  for (Skeleton& skeleton : skeletons)
    if (std::ranges::find(to, skeleton) == to.end()) to.push_back(std::move(skeleton));
}

}  // namespace mmaprint
