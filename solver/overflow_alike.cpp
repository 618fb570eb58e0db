#include "solver/overflow_alike.h"

#include <algorithm>

#include "solver/rounded_to_odd.h"

namespace mmaprint {
namespace {

bool rounds_only(const PlannedNode& node, const Box& box, std::initializer_list<Rounding> modes) {
  return std::ranges::all_of(values_at(node, box, Parameter::block_rounding).values(), [&](int mode) {
    return std::ranges::find(modes, static_cast<Rounding>(mode)) != modes.end();
  });
}

ValueSet with_by_direction(Overflow other) {
  ValueSet both = ValueSet::single(static_cast<int>(Overflow::by_direction));
  both.insert(static_cast<int>(other));
  return both;
}

}  // namespace

ValueSet overflows_alike(const Plan& plan, const PlannedNode& node, const Box& box) {
  using enum Rounding;
  const PlannedNode* after = rounded_to_odd_before(plan, node, box);
  const PlannedNode& decides = after != nullptr ? *after : node;
  if (rounds_only(decides, box, {nearest_even, nearest_away})) return with_by_direction(Overflow::infinity);
  if (rounds_only(decides, box, {toward_zero, odd})) return with_by_direction(Overflow::saturate);
  return {};
}

}  // namespace mmaprint
