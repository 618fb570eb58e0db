#include "solver/overflow_alike.h"

#include <algorithm>

#include "solver/next_node.h"
#include "solver/rounded_to_odd.h"

namespace mmaprint {
namespace {

bool rounds_only(const PlannedNode& node, const Box& box, std::initializer_list<Rounding> modes) {
  return is_among_at(node, box, Parameter::block_rounding, modes);
}

ValueSet with_by_direction(Overflow other) {
  ValueSet both = ValueSet::single(static_cast<int>(Overflow::by_direction));
  both.insert(static_cast<int>(other));
  return both;
}

/// Is the largest number that a sum may be saturated to, rounded alone, beyond the largest of the next node's
/// results? Its significand is of ones alone, and of more than are left: rounded to nearest, it is 2.
bool overflows_again(const Plan& plan, const PlannedNode& node, const Box& box) {
  const PlannedNode* next = adds_alone(plan, node);
  if (next == nullptr || !rounds_only(*next, box, {Rounding::nearest_even, Rounding::nearest_away}))
    return false;
  const FormatInfo &from = node.result, &to = next->result;
  const ValueSet& own = values_at(node, box, Parameter::output_fraction_bits);
  const int left = std::min(values_at(*next, box, Parameter::output_fraction_bits).last(), to.fraction_bits);
  return has_same_exponents(from, to) && std::min(own.first(), from.fraction_bits) > left &&
         loses_nothing(*next, box, std::min(own.last(), from.fraction_bits));
}

}  // namespace

ValueSet overflows_alike(const Plan& plan, const PlannedNode& node, const Box& box) {
  using enum Rounding;
  const PlannedNode* after = rounded_to_odd_before(plan, node, box);
  const PlannedNode& decides = after != nullptr ? *after : node;
  if (rounds_only(decides, box, {nearest_even, nearest_away})) return with_by_direction(Overflow::infinity);
  if (overflows_again(plan, decides, box)) return with_by_direction(Overflow::infinity);
  if (rounds_only(decides, box, {toward_zero, odd})) return with_by_direction(Overflow::saturate);
  return {};
}

bool may_become_largest(const PlannedNode& node, const Box& box, const NodeBounds& bounds) {
  return bounds.overflows && !is_only_at(node, box, Parameter::overflow, Overflow::infinity);
}

bool may_follow_direction(const PlannedNode& node, const Box& box, const NodeBounds& bounds) {
  return bounds.overflows &&
         values_at(node, box, Parameter::overflow).contains(static_cast<int>(Overflow::by_direction));
}

}  // namespace mmaprint
