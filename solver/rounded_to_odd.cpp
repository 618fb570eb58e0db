#include "solver/rounded_to_odd.h"

#include <algorithm>

#include "solver/next_node.h"

namespace mmaprint {
namespace {

/// The node that adds this one's result alone; null where others are added, or another +0.
const PlannedNode* adds_alone(const Plan& plan, const PlannedNode& node) {
  const PlannedNode* next = next_node(plan, node);
  return next != nullptr && next->operands == 1 && !next->is_carried ? next : nullptr;
}

/// Does it lose nothing of operands of so many fraction bits, whichever exponents they have?
bool keeps(const PlannedNode& node, const Box& box, int fraction_bits) {
  const auto fewest =
      AlignmentBitsDomain::value(values_at(node, box, Parameter::alignment_fraction_bits).first());
  const bool by_itself = is_default_at(node, box, Parameter::minimum_alignment_exponent) &&
                         is_default_at(node, box, Parameter::zero_addends);
  return aligns_as_products(node, box) && (!fewest || (by_itself && *fewest >= fraction_bits));
}

}  // namespace

bool suffices_to_round_again(const FormatInfo& from, int between, const FormatInfo& to, int left) {
  return from.is_floating() && to.is_floating() && from.emin() == to.emin() && from.emax() == to.emax() &&
         from.specials == to.specials && between >= left + 2 && between <= from.fraction_bits;
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
         keeps(*next, box, std::min(own.last(), from.fraction_bits));
}

const PlannedNode* rounded_to_odd_before(const Plan& plan, const PlannedNode& node, const Box& box) {
  const auto bits = values_at(node, box, Parameter::output_fraction_bits).values();
  const bool always = std::ranges::all_of(
      bits, [&](int fraction_bits) { return is_rounded_to_odd_first(plan, node, box, fraction_bits); });
  return always ? adds_alone(plan, node) : nullptr;
}

}  // namespace mmaprint
