#include "skeleton_units/joinings.h"

#include <algorithm>
#include <numeric>
#include <span>

namespace mmaprint::test {
namespace {

using Products = std::vector<int>;

Products all_products(int k) {
  Products all(static_cast<std::size_t>(k));
  std::iota(all.begin(), all.end(), 0);
  return all;
}

void shuffle(Random& random, Products& products) {
  for (std::size_t i = products.size(); i > 1; --i)
    std::swap(products[i - 1],
              products[static_cast<std::size_t>(random.between(0, static_cast<int>(i) - 1))]);
}

/// One addition of these; what is a single product is that product.
Joining joined(std::vector<Joining> parts) {
  Joining node;
  for (Joining& part : parts) {
    if (part.sums.empty() && part.products.size() == 1)
      node.products.push_back(part.products.front());
    else
      node.sums.push_back(std::move(part));
  }
  return node;
}

std::vector<Joining> each_alone(const Products& products) {
  std::vector<Joining> all;
  for (const int product : products) all.push_back({{product}});
  return all;
}

Joining chain_of(const std::vector<Products>& blocks) {
  Joining sum;
  for (const Products& block : blocks) {
    Joining node{block};
    if (!sum.products.empty()) {
      if (sum.sums.empty() && sum.products.size() == 1)
        node.products.push_back(sum.products.front());
      else
        node.sums.push_back(std::move(sum));
    }
    sum = std::move(node);
  }
  return sum;
}

Joining pairwise(std::vector<Joining> parts) {
  while (parts.size() > 1) {
    std::vector<Joining> next;
    for (std::size_t i = 0; i + 1 < parts.size(); i += 2)
      next.push_back(joined({std::move(parts[i]), std::move(parts[i + 1])}));
    if (parts.size() % 2 != 0) next.push_back(std::move(parts.back()));
    parts = std::move(next);
  }
  return std::move(parts.front());
}

std::vector<Products> cut(const Products& products, std::size_t width) {
  std::vector<Products> blocks;
  for (std::size_t i = 0; i < products.size(); ++i) {
    if (i % width == 0) blocks.emplace_back();
    blocks.back().push_back(products[i]);
  }
  return blocks;
}

/// Of equal width, mostly, and neighbours, mostly.
std::vector<Products> blocks_of(Random& random, Products products) {
  const int k = static_cast<int>(products.size());
  if (random.chance(1, 4)) shuffle(random, products);
  if (random.chance(3, 4)) {
    int width = random.pick({1, 2, 4, 4, 8, 8, 16, 32});
    while (width > k) width /= 2;
    return cut(products, static_cast<std::size_t>(width));
  }
  std::vector<Products> blocks(1);
  for (const int product : products) {
    if (!blocks.back().empty() && random.chance(1, 4)) blocks.emplace_back();
    blocks.back().push_back(product);
  }
  return blocks;
}

Joining groups(Random& random, const Products& products) {
  std::vector<Joining> parts;
  for (const Products& block : blocks_of(random, products))
    parts.push_back(random.chance(1, 8) ? pairwise(each_alone(block)) : joined(each_alone(block)));
  if (random.chance(1, 2)) return joined(std::move(parts));
  Joining sum = std::move(parts.front());
  for (std::size_t i = 1; i < parts.size(); ++i) sum = joined({std::move(sum), std::move(parts[i])});
  return sum;
}

Joining side_by_side(Random& random, int k) {
  int chains = random.pick({2, 4, 8});
  while (2 * chains > k) chains /= 2;
  const int width = random.chance(1, 3) ? 2 : 1;
  std::vector<Joining> parts;
  for (int chain = 0; chain < chains; ++chain) {
    Products own;
    for (int i = chain; i < k; i += chains) own.push_back(i);
    parts.push_back(chain_of(cut(own, static_cast<std::size_t>(width))));
  }
  return pairwise(std::move(parts));
}

Joining split_k(Random& random, int k) {
  const int parts = k >= 8 ? random.pick({2, 4}) : 2;
  const auto each = static_cast<std::size_t>((k + parts - 1) / parts);
  std::vector<Joining> sums;
  for (const Products& part : cut(all_products(k), each)) sums.push_back(chain_of(blocks_of(random, part)));
  return joined(std::move(sums));
}

Joining any_tree(Random& random, const Products& products) {
  if (products.size() == 1) return {products};
  const int parts = std::min(random.between(2, 8), static_cast<int>(products.size()));
  std::vector<Products> split(static_cast<std::size_t>(parts));
  for (std::size_t i = 0; i < products.size(); ++i)
    split[std::cmp_less(i, parts) ? i : static_cast<std::size_t>(random.between(0, parts - 1))].push_back(
        products[i]);
  std::vector<Joining> sums;
  for (const Products& part : split) sums.push_back(any_tree(random, part));
  return joined(std::move(sums));
}

void collect(Joining& node, std::vector<Joining*>& all) {
  all.push_back(&node);
  for (Joining& sum : node.sums) collect(sum, all);
}

}  // namespace

Joining random_joining(Random& random, SkeletonFamily family, int k) {
  Products products = all_products(k);
  switch (family) {
    case SkeletonFamily::chain:
    case SkeletonFamily::carried:
      return chain_of(blocks_of(random, products));
    case SkeletonFamily::pairwise:
      if (random.chance(1, 4)) shuffle(random, products);
      return pairwise(each_alone(products));
    case SkeletonFamily::groups:
      return groups(random, products);
    case SkeletonFamily::side_by_side:
      return side_by_side(random, k);
    case SkeletonFamily::split_k:
      return split_k(random, k);
    case SkeletonFamily::skewed:
      shuffle(random, products);
      break;
  }
  return any_tree(random, products);
}

Joining with_c(Random& random, Joining structure) {
  if (random.chance(1, 4)) {
    Joining root = joined({std::move(structure)});
    root.c = true;
    return root;
  }
  std::vector<Joining*> nodes;
  collect(structure, nodes);
  Joining* node = nodes.front();  // the root
  if (random.chance(2, 3))
    while (!node->sums.empty()) node = &node->sums.front();
  else if (random.chance(1, 2))
    node = random.pick(std::span<Joining* const>(nodes));
  node->c = true;
  return structure;
}

}  // namespace mmaprint::test
