#include "toy_units/variations.h"

#include <algorithm>
#include <map>
#include <utility>

#include "model/alike_nodes.h"
#include "support/with_value.h"
#include "toy_units/toy_pair.h"

namespace mmaprint::toys {
namespace {

/// Before a last node that rounds to two bits fewer at least, where formats have room for that.
void round_to_odd(test::Random& random, UnitModel& unit, Adder& last) {
  const int most = info(unit.formats.d).fraction_bits;
  if (most < 2) return;
  last.output_fraction_bits = random.between(0, most - 2);
  const int own = unit.tree.nodes.back().adder;
  Adder to_odd = unit.adders[static_cast<std::size_t>(own)];
  to_odd.rounding = Rounding::odd;
  to_odd.output_fraction_bits = most;
  if (std::ranges::count(unit.tree.nodes, own, &Node::adder) == 1) {
    unit.adders[static_cast<std::size_t>(own)] = to_odd;
  } else {
    unit.tree.nodes.back().adder = static_cast<int>(unit.adders.size());
    unit.adders.push_back(to_odd);
  }
}

}  // namespace

UnitModel regrouped(test::Random& random, UnitModel unit) {
  std::map<std::pair<int, int>, int> numbers;
  NodeClasses classes;
  for (const Node& node : unit.tree.nodes)
    classes.push_back(
        numbers.try_emplace({node.adder, random.between(0, 1)}, static_cast<int>(numbers.size()))
            .first->second);
  unit = with_classes(unit, classes).value();
  for (Node& node : unit.tree.nodes) {
    const auto zeros = std::erase(node.operands, Leaf(ZeroLeaf{}));
    const bool has_zero = random.chance(1, 3) ? zeros == 0 : zeros > 0;
    if (has_zero || node.operands.empty())
      node.operands.insert(node.operands.begin() + random.between(0, static_cast<int>(node.operands.size())),
                           ZeroLeaf{});
  }
  const auto keys = all_keys(static_cast<int>(unit.adders.size()));
  const ParameterKey key = random.pick(std::span<const ParameterKey>(keys));
  const auto values = telling_values(key, unit);
  const UnitModel changed = test::with_value(unit, key, random.pick(std::span<const int>(values)));
  return random.chance(1, 2) && is_legal(changed) ? changed : unit;
}

UnitModel with_last_node(test::Random& random, UnitModel unit) {
  Adder adder = unit.adders[static_cast<std::size_t>(unit.tree.nodes.back().adder)];
  if (random.chance(2, 3)) adder = exact_adder(unit.formats.d, adder.rounding);
  if (random.chance(1, 3)) round_to_odd(random, unit, adder);
  const auto root = static_cast<int>(unit.tree.nodes.size()) - 1;
  Node last{{NodeLeaf{root}}, static_cast<int>(unit.adders.size()), {}};
  if (random.chance(1, 4)) last.operands.insert(last.operands.begin(), ZeroLeaf{});
  unit.tree.nodes.push_back(std::move(last));
  unit.adders.push_back(adder);
  return unit;
}

UnitModel with_wide_nodes(test::Random& random, UnitModel unit) {
  for (Adder& adder : unit.adders) {
    if (random.chance(1, 2)) adder.alignment_fraction_bits.reset();
    if (random.chance(1, 2)) adder.extra_carry_bits.reset();
  }
  return unit;
}

}  // namespace mmaprint::toys
