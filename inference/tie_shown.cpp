// Inputs at ties of an earlier node, whose last places show in d.
//
// Results of more bits than D has are rounded again, and the last ones seldom matter then: once in 2^13
// inputs between FP32 and FP16. So operands that join later, c or products, cancel all but these, or make of
// the sum a tie, which these decide.
#include <algorithm>
#include <utility>

#include "inference/exact_numbers.h"
#include "inference/tie_inputs.h"
#include "model/value.h"

namespace mmaprint {
namespace {

/// Of a number: two have a sum that Units hold.
constexpr int kMostBitsOfUnits = 124;

}  // namespace

bool InputsAtTies::is_rounded_again(const PlannedNode& node) const {
  const auto adder = static_cast<std::size_t>(node.adder);
  const int bits = std::max(x_[adder].output_fraction_bits, y_[adder].output_fraction_bits);
  return &node != &plan_.nodes.back() && std::min(bits, node.result.fraction_bits) > plan_.d.fraction_bits;
}

/// What is added in a node, and by way of earlier ones.
void InputsAtTies::collect_leaves(const PlannedNode& node, std::vector<bool>& products, bool& c) const {
  for (const OperandRun& run : node.runs) {
    for (const std::size_t k : run.products) products[k] = true;
    if (run.kind == OperandRun::Kind::c) c = true;
    if (run.kind == OperandRun::Kind::node) collect_leaves(plan_.nodes[run.node], products, c);
    for (const PlannedNode& carried : run.carried) collect_leaves(carried, products, c);
  }
}

/// In units; nullopt where it is no multiple of these, or too large for them.
std::optional<InputsAtTies::Units> InputsAtTies::in_units(bool negative, Units significand,
                                                          int last_place) const {
  const int up = last_place - unit_;
  if (significand == 0) return Units{0};
  if (up < 0 || leading_bit(significand) + up > kMostBitsOfUnits) return std::nullopt;
  const Units value = significand << up;
  return negative ? -value : value;
}
std::optional<InputsAtTies::Units> InputsAtTies::value_of(const Place& place) const {
  if (!place.product) {
    const Value c = decode(c_.id, input_.c);
    return in_units(c.negative, Units{c.significand}, c.exponent - c_.fraction_bits);
  }
  const Value a = decode(a_.id, input_.a[*place.product]), b = decode(b_.id, input_.b[*place.product]);
  return in_units(a.negative != b.negative, Units{a.significand} * Units{b.significand},
                  a.exponent + b.exponent - a_.fraction_bits - b_.fraction_bits);
}

/// Puts operands outside the node with which the last places of its result show.
void InputsAtTies::show(const PlannedNode& node) {
  std::vector<bool> is_inside(input_.a.size(), false);
  bool has_c_inside = !has_c_;
  collect_leaves(node, is_inside, has_c_inside);
  std::vector<Place> outside;
  Units rest = 0;
  const auto add = [&](const Place& place, bool inside) {
    if (!inside) return outside.push_back(place), true;
    const auto value = value_of(place);
    if (value) rest += *value;
    return value && leading_bit(magnitude(rest) | 1) <= kMostBitsOfUnits;
  };
  for (std::size_t k = 0; k < is_inside.size(); ++k)
    if (!add({k, false}, is_inside[k])) return;
  if (has_c_ && !add({std::nullopt, false}, has_c_inside)) return;
  std::ranges::shuffle(outside, engine());
  if (rest == 0) return;
  if (chance(50)) return cancel(rest, outside);
  const auto adder = static_cast<std::size_t>(node.adder);
  const int bits = std::min((chance(50) ? x_ : y_)[adder].output_fraction_bits, node.result.fraction_bits);
  bring_to_tie(leading_part(rest, bits, chance(50)), outside);
}

/// One or two operands that leave nothing but last places.
void InputsAtTies::cancel(Units rest, std::span<const Place> outside) {
  int left = 1 + below(2);
  for (const Place& place : outside) {
    if (rest == 0 || left == 0) return;
    const int bits =
        !place.product ? c_.fraction_bits : a_.fraction_bits + (chance(30) ? b_.fraction_bits : 0);
    const Units part = leading_part(rest, bits, chance(30));
    if (!put(place, -part, a_.emax() + b_.emax())) continue;
    rest -= part;
    --left;
  }
}

/// Operands that make of a result a tie of D's, which no less than the last places decide.
void InputsAtTies::bring_to_tie(Units rest, std::span<const Place> outside) {
  const int leading = leading_bit(magnitude(rest)) + unit_;
  const int half = std::max(leading, plan_.d.emin()) - plan_.d.fraction_bits - 1 - unit_;
  if (half <= 0 || half > kMostBitsOfUnits - 2) return;
  const Units place = Units{1} << half, lost = rest & (place - 1), down = rest - lost;
  const bool is_odd = (down & place) != 0;
  Units missing = (is_odd ? down : down + place) - rest;
  for (const Place& at : outside) {
    if (missing == 0) return;
    if (put(at, missing, a_.emax() + b_.emax())) return;
    const Units part = leading_part(missing, at.product ? a_.fraction_bits : c_.fraction_bits, chance(50));
    if (put(at, part, a_.emax() + b_.emax())) missing -= part;
  }
}

}  // namespace mmaprint
