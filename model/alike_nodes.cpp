#include "model/alike_nodes.h"

#include <algorithm>
#include <map>
#include <utility>

namespace mmaprint {
namespace {

std::vector<Leaf> without_zeros(std::vector<Leaf> operands) {
  std::erase_if(operands, [](const Leaf& leaf) { return std::holds_alternative<ZeroLeaf>(leaf); });
  return operands;
}

/// Not where partial sums lose bits, nor where a rule says which of several NaN operands goes on.
bool has_any_order(const UnitModel& model, const Node& node) {
  return model.adders[static_cast<std::size_t>(node.adder)].normalisation == Normalisation::late &&
         !std::holds_alternative<NanRule>(model.nan);
}

/// Classes aside.
bool have_the_same_operands(const Tree& x, const Tree& y) {
  return std::ranges::equal(x.nodes, y.nodes, [](const Node& one, const Node& other) {
    return one.operands == other.operands && one.result == other.result;
  });
}

/// +0 and classes aside.
bool add_the_same_but_for_zeros(const Tree& x, const Tree& y) {
  return std::ranges::equal(x.nodes, y.nodes, [](const Node& one, const Node& other) {
    return one.result == other.result && without_zeros(one.operands) == without_zeros(other.operands);
  });
}

/// Are classes numbered in the order in which nodes first have them?
bool is_numbered_as_they_come(const NodeClasses& classes) {
  int known = 0;
  return std::ranges::all_of(classes, [&](int of_class) {
    if (of_class < 0 || of_class > known) return false;
    known = std::max(known, of_class + 1);
    return true;
  });
}

/// As nodes of one class do.
bool have_results_of_one_kind(const Node& x, const Node& y, Format d) {
  return x.result.is_carried() == y.result.is_carried() && x.result.is_scaled() == y.result.is_scaled() &&
         x.result.value_or(d) == y.result.value_or(d);
}

}  // namespace

bool add_the_same(const Skeleton& x, const Skeleton& y) {
  return x.paths == y.paths && add_the_same_but_for_zeros(x.tree, y.tree);
}

bool have_the_same_operands(const Skeleton& x, const Skeleton& y) {
  return x.paths == y.paths && have_the_same_operands(x.tree, y.tree);
}

UnitModel ordered_as(const UnitModel& model, const UnitModel& other) {
  UnitModel ordered = model;
  if (other.tree.nodes.size() != model.tree.nodes.size()) return ordered;
  for (std::size_t n = 0; n < model.tree.nodes.size(); ++n) {
    std::vector<Leaf>& operands = ordered.tree.nodes[n].operands;
    const std::vector<Leaf> wanted = without_zeros(other.tree.nodes[n].operands);
    const std::vector<Leaf> own = without_zeros(operands);
    if (own == wanted || !has_any_order(model, model.tree.nodes[n]) ||
        !std::ranges::is_permutation(own, wanted))
      continue;
    const std::size_t zeros = operands.size() - own.size();
    operands.assign(zeros, ZeroLeaf{});
    operands.insert(operands.end(), wanted.begin(), wanted.end());
  }
  return ordered;
}

bool differ_in_order_alone(const UnitModel& x, const UnitModel& y) {
  if (x.tree.nodes.size() != y.tree.nodes.size()) return false;
  UnitModel sorted = x, other = y;
  for (std::size_t n = 0; n < x.tree.nodes.size(); ++n) {
    std::vector<Leaf>& one = sorted.tree.nodes[n].operands;
    std::vector<Leaf>& two = other.tree.nodes[n].operands;
    if (one == two || !has_any_order(x, x.tree.nodes[n])) continue;
    std::ranges::sort(one);
    std::ranges::sort(two);
  }
  return sorted == other;
}

bool has_the_same_nodes(const UnitModel& x, const UnitModel& y) {
  if (!have_the_same_operands(x.tree, y.tree)) return false;
  for (std::size_t n = 0; n < x.tree.nodes.size(); ++n)
    if (x.adders[static_cast<std::size_t>(x.tree.nodes[n].adder)] !=
        y.adders[static_cast<std::size_t>(y.tree.nodes[n].adder)])
      return false;
  UnitModel renamed = y;
  renamed.tree = x.tree;
  renamed.adders = x.adders;
  return renamed == x;
}

NodeClasses classes_of_nodes(const Tree& tree) {
  NodeClasses classes;
  for (const Node& node : tree.nodes) classes.push_back(node.adder);
  return classes;
}

std::optional<UnitModel> with_classes(const UnitModel& model, const NodeClasses& classes) {
  if (classes.size() != model.tree.nodes.size() || !is_numbered_as_they_come(classes)) return std::nullopt;
  UnitModel renamed = model;
  renamed.adders.clear();
  for (std::size_t n = 0; n < classes.size(); ++n) {
    const Adder& own = model.adders[static_cast<std::size_t>(model.tree.nodes[n].adder)];
    const auto of_class = static_cast<std::size_t>(classes[n]);
    if (of_class == renamed.adders.size()) renamed.adders.push_back(own);
    if (renamed.adders[of_class] != own) return std::nullopt;
    renamed.tree.nodes[n].adder = classes[n];
  }
  return renamed;
}

std::optional<UnitModel> with_fewest_classes(const UnitModel& model) {
  UnitModel few = model;
  few.adders.clear();
  std::vector<const Node*> first;  // of each class
  for (Node& node : few.tree.nodes) {
    const Adder& own = model.adders[static_cast<std::size_t>(node.adder)];
    std::size_t of_class = 0;
    while (of_class < first.size() && !(few.adders[of_class] == own &&
                                        have_results_of_one_kind(*first[of_class], node, model.formats.d)))
      ++of_class;
    if (of_class == first.size()) {
      first.push_back(&node);
      few.adders.push_back(own);
    }
    node.adder = static_cast<int>(of_class);
  }
  if (std::cmp_greater(few.adders.size(), kMostClasses)) return std::nullopt;
  return few;
}

NodeClasses common_classes(const Tree& x, const Tree& y) {
  std::map<std::pair<int, int>, int> numbers;
  NodeClasses classes;
  for (std::size_t n = 0; n < x.nodes.size(); ++n)
    classes.push_back(
        numbers.try_emplace({x.nodes[n].adder, y.nodes[n].adder}, static_cast<int>(numbers.size()))
            .first->second);
  return classes;
}

std::optional<std::pair<UnitModel, UnitModel>> with_common_classes(const UnitModel& x, const UnitModel& y) {
  if (!add_the_same_but_for_zeros(x.tree, y.tree)) return std::nullopt;
  const NodeClasses classes = common_classes(x.tree, y.tree);
  auto one = with_classes(x, classes), other = with_classes(y, classes);
  if (!one || !other) return std::nullopt;
  return std::pair(*std::move(one), *std::move(other));
}

}  // namespace mmaprint
