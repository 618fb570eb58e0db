#include "solver/rounded_to_odd.h"

#include <algorithm>

#include "solver/next_node.h"

namespace mmaprint {

bool suffices_to_round_again(const FormatInfo& from, int between, const FormatInfo& to, int left) {
  return has_same_exponents(from, to) && between >= left + 2 && between <= from.fraction_bits;
}

bool is_rounded_to_odd_first(const Plan& plan, const PlannedNode& node, const Box& box, int fraction_bits) {
  if (node.is_carried || !is_only_at(node, box, Parameter::block_rounding, Rounding::odd) ||
      box[Parameter::output_subnormals] != ValueSet::single(static_cast<int>(Subnormals::kept)))
    return false;
  const PlannedNode* next = adds_alone(plan, node);
  if (next == nullptr) return false;
  const FormatInfo &from = node.result, &to = next->result;
  const ValueSet& own = values_at(node, box, Parameter::output_fraction_bits);
  const int left = std::min(values_at(*next, box, Parameter::output_fraction_bits).last(), to.fraction_bits);
  return suffices_to_round_again(from, fraction_bits, to, left) &&
         loses_nothing(*next, box, std::min(own.last(), from.fraction_bits));
}

const PlannedNode* rounded_to_odd_before(const Plan& plan, const PlannedNode& node, const Box& box) {
  const auto bits = values_at(node, box, Parameter::output_fraction_bits).values();
  const bool always = std::ranges::all_of(
      bits, [&](int fraction_bits) { return is_rounded_to_odd_first(plan, node, box, fraction_bits); });
  return always ? adds_alone(plan, node) : nullptr;
}

}  // namespace mmaprint
