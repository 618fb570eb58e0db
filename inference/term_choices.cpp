#include "inference/term_choices.h"

#include <algorithm>
#include <map>
#include <utility>

#include "inference/few_products.h"

namespace mmaprint {
namespace {

constexpr std::size_t kMostChoices = 20'000;

/// By product: the node that adds it.
std::vector<int> nodes_of_products(const UnitModel& model) {
  std::vector<int> nodes(static_cast<std::size_t>(model.k), -1);
  for (std::size_t n = 0; n < model.tree.nodes.size(); ++n)
    for (const Leaf& leaf : model.tree.nodes[n].operands)
      if (const auto* product = std::get_if<ProductLeaf>(&leaf))
        nodes[static_cast<std::size_t>(product->index)] = static_cast<int>(n);
  return nodes;
}

/// Immediate normalisation makes the order within a node matter: then no two places are alike.
bool order_matters(const UnitModel& model) {
  return std::ranges::any_of(model.adders,
                             [](const Adder& a) { return a.normalisation == Normalisation::immediate; });
}

/// The node with products called by their rank among those that may be nonzero, and without the others.
Node ranked(Node node, const std::vector<int>& ranks) {
  std::erase_if(node.operands, [&](const Leaf& leaf) {
    const auto* product = std::get_if<ProductLeaf>(&leaf);
    return product != nullptr && ranks[static_cast<std::size_t>(product->index)] < 0;
  });
  for (Leaf& leaf : node.operands)
    if (auto* product = std::get_if<ProductLeaf>(&leaf))
      product->index = ranks[static_cast<std::size_t>(product->index)];
  std::ranges::sort(node.operands);
  return node;
}

/// What a question comes down to: two with the same one have the same answer.
struct Essence {
  std::vector<Node> left, right;
  std::vector<Adder> of_left, of_right;  ///< of each node
  std::set<std::pair<int, int>> zeros;   ///< nodes of either tree to which zeros whose sign may matter go
  friend bool operator==(const Essence&, const Essence&) = default;
};

Essence essence_of(const TermQuestion& question) {
  std::vector<int> ranks(question.products.size(), -1);
  int next = 0;
  for (std::size_t k = 0; k < ranks.size(); ++k)
    if (question.products[k]) ranks[k] = next++;
  Essence essence;
  const auto describe = [&](const UnitModel& model, std::vector<Node>& nodes, std::vector<Adder>& adders) {
    for (const Node& node : model.tree.nodes) {
      nodes.push_back(ranked(node, ranks));
      adders.push_back(model.adders[static_cast<std::size_t>(std::exchange(nodes.back().adder, 0))]);
    }
  };
  describe(question.left, essence.left, essence.of_left);
  describe(question.right, essence.right, essence.of_right);
  if (!has_negative_zeros(question.left) && !has_negative_zeros(question.right)) return essence;
  const auto left = nodes_of_products(question.left), right = nodes_of_products(question.right);
  for (std::size_t k = 0; k < ranks.size(); ++k)
    if (ranks[k] < 0) essence.zeros.emplace(left[k], right[k]);
  return essence;
}

}  // namespace

TermChoices::TermChoices(const UnitModel& left, const UnitModel& right)
    : left_(left), right_(right), is_any_order_(!order_matters(left) && !order_matters(right)) {
  const auto in_left = nodes_of_products(left), in_right = nodes_of_products(right);
  std::map<std::pair<int, int>, Places> alike;
  for (std::size_t k = 0; k < in_left.size(); ++k) {
    const int own = static_cast<int>(k);
    alike[is_any_order_ ? std::pair(in_left[k], in_right[k]) : std::pair(own, own)].push_back(k);
  }
  for (auto& [nodes, places] : alike) alike_.push_back(std::move(places));
}

std::optional<std::vector<std::vector<bool>>> TermChoices::choices(int count) const {
  std::vector<std::pair<std::vector<bool>, int>> partial{
      {std::vector<bool>(static_cast<std::size_t>(left_.k)), count}};
  for (const Places& places : alike_) {
    std::vector<std::pair<std::vector<bool>, int>> next;
    for (const auto& [chosen, rest] : partial)
      for (int take = 0; take <= std::min(rest, static_cast<int>(places.size())); ++take) {
        auto more = chosen;
        for (int i = 0; i < take; ++i) more[places[static_cast<std::size_t>(i)]] = true;
        next.emplace_back(std::move(more), rest - take);
        if (next.size() > kMostChoices) return std::nullopt;
      }
    partial = std::move(next);
  }
  std::vector<std::vector<bool>> all;
  for (auto& [chosen, rest] : partial)
    if (rest == 0) all.push_back(std::move(chosen));
  return all;
}

std::optional<std::vector<TermQuestion>> TermChoices::questions(int count) const {
  const auto all = choices(count);
  if (!all) return std::nullopt;
  std::vector<TermQuestion> asked;
  std::vector<Essence> known;
  for (const std::vector<bool>& products : *all) {
    TermQuestion question{products, with_few_products(left_, products), with_few_products(right_, products)};
    // Where the order within a node matters zeros do as well.
    if (is_any_order_) {
      Essence essence = essence_of(question);
      if (std::ranges::find(known, essence) != known.end()) continue;
      known.push_back(std::move(essence));
    }
    asked.push_back(std::move(question));
  }
  return asked;
}

}  // namespace mmaprint
