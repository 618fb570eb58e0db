// Trees that are no chains of equal, regular blocks.
#include <algorithm>
#include <functional>
#include <numeric>

#include "model/pattern.h"
#include "outside_units/steps.h"

namespace mmaprint::test {
namespace {

using Blocks = std::vector<std::vector<int>>;

/// As it is stored.
Pattern exponent_of(Format format, Pattern p) {
  return magnitude_pattern(info(format), p) >> info(format).fraction_bits;
}

/// The base's tree over other blocks, c entering where it does.
bool with_blocks(Deviant& unit, Blocks blocks) {
  unit.tree = tree_of({std::move(blocks), chain_of(unit.base.tree)->c_enters});
  return true;
}

}  // namespace

bool products_swapped(Deviant& unit, Random& random) {
  Blocks blocks = chain_of(unit.base.tree)->blocks;
  // Two of one product each would only be another order; two of two, another pattern.
  if (blocks.size() < 2 || unit.base.k < 8) return false;
  const int x = random.between(0, static_cast<int>(blocks.size()) - 1);
  const int y =
      (x + random.between(1, static_cast<int>(blocks.size()) - 1)) % static_cast<int>(blocks.size());
  auto& from = blocks[static_cast<std::size_t>(x)];
  auto& to = blocks[static_cast<std::size_t>(y)];
  std::swap(from[static_cast<std::size_t>(random.between(0, static_cast<int>(from.size()) - 1))],
            to[static_cast<std::size_t>(random.between(0, static_cast<int>(to.size()) - 1))]);
  return with_blocks(unit, std::move(blocks));
}

bool unequal_blocks(Deviant& unit, Random& random) {
  Blocks blocks = chain_of(unit.base.tree)->blocks;
  if (blocks.size() < 2 || blocks.front().size() < 2) return false;
  const int x = random.between(1, static_cast<int>(blocks.size()) - 1);
  auto& from = blocks[static_cast<std::size_t>(x)];
  blocks[static_cast<std::size_t>(x - 1)].push_back(from.front());
  from.erase(from.begin());
  return with_blocks(unit, std::move(blocks));
}

bool pairwise(Deviant& unit, Random& /*random*/) {
  unit.base.adders.resize(1);
  unit.base.tree = tree_of({chain_of(unit.base.tree)->blocks, CEnters::first});
  unit.tree = pairwise_tree(unit.base.k);
  return true;
}

bool c_in_the_middle(Deviant& unit, Random& random) {
  Chain chain = *chain_of(unit.base.tree);
  if (chain.blocks.size() < 2) return false;
  unit.base.adders.resize(1);
  chain.c_enters = CEnters::first;
  unit.base.tree = tree_of(chain);
  Tree tree = unit.base.tree;
  tree.nodes.front().operands.front() = ZeroLeaf{};
  const int node = random.between(1, static_cast<int>(tree.nodes.size()) - 1);
  tree.nodes[static_cast<std::size_t>(node)].operands.emplace_back(CLeaf{});
  unit.tree = std::move(tree);
  return true;
}

bool largest_first(Deviant& unit, Random& /*random*/) {
  if (node_count(unit) < 2) return false;
  unit.answer = [unit_of = unit.base](Pattern /*d*/, const Call& call) {
    const auto exponent = [&](std::size_t k) {
      return exponent_of(unit_of.formats.a, call.input.a[k]) +
             exponent_of(unit_of.formats.b, call.input.b[k]);
    };
    std::vector<std::size_t> order(call.input.a.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::stable_sort(order, std::greater{}, exponent);
    DotInput sorted = call.input;
    for (std::size_t i = 0; i < order.size(); ++i) {
      sorted.a[i] = call.input.a[order[i]];
      sorted.b[i] = call.input.b[order[i]];
    }
    return oracle::evaluate(unit_of, sorted);
  };
  return true;
}

bool halves_joined(Deviant& unit, Random& /*random*/) {
  unit.base.adders.resize(1);
  unit.base.tree = tree_of({chain_of(unit.base.tree)->blocks, CEnters::first});
  Node low, high;
  low.operands.emplace_back(CLeaf{});
  for (int k = 0; k < unit.base.k; ++k)
    (k < unit.base.k / 2 ? low : high).operands.emplace_back(ProductLeaf{k});
  unit.tree = Tree{{low, high, Node{{NodeLeaf{0}, NodeLeaf{1}}, 0}}};
  return true;
}

}  // namespace mmaprint::test
