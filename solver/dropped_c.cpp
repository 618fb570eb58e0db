#include "solver/dropped_c.h"

#include <algorithm>

#include "model/policies.h"

namespace mmaprint {
namespace {

/// What lies more than t below E.
bool is_aligned_to_nothing(const PlannedNode& node, const Box& box, const OperandAlone& x, int t) {
  using enum Parameter;
  const int above = t - std::max(0, x.leading_above_e);
  const auto is_nothing_with = [&](int bits, AlignmentRounding mode) {
    const auto own = OwnBitsDomain::value(bits);
    return std::ranges::all_of(values_at(node, box, alignment_fraction_bits).values(), [&](int common) {
      const auto f = own ? own : AlignmentBitsDomain::value(common);
      return f && (mode == AlignmentRounding::truncate       ? *f <= above
                   : mode == AlignmentRounding::nearest_even ? *f < above
                                                             : false);
    });
  };
  for (const int bits : values_at(node, box, c_fraction_bits).values())
    for (const int own : values_at(node, box, c_alignment_rounding).values())
      for (const int common : values_at(node, box, alignment_rounding).values())
        if (!is_nothing_with(bits, policy::alignment_rounding(static_cast<OwnAlignmentRounding>(own),
                                                              static_cast<AlignmentRounding>(common))))
          return false;
  return true;
}

/// E may be that of a carried sum that cancelled, to +0, beside which no zero is negative unless it is
/// rounded down.
bool cancels_alike(const PlannedNode& node, const Box& box) {
  using enum Parameter;
  if (node.carried.count == 0) return true;
  const bool is_down = values_at(node, box, block_rounding).contains(static_cast<int>(Rounding::down));
  return !node.is_carried && (!is_down || (is_only_at(node, box, zero_all_zero, ZeroSign::positive) &&
                                           is_only_at(node, box, zero_cancelled, ZeroSign::positive)));
}

}  // namespace

bool drops_in_vain(const Plan& plan, const PlannedNode& node, const Box& box, const NodeBounds& bounds,
                   int t) {
  const int highest_of_none = highest_e_of_no_operand(plan, box, node);
  const auto is_alike = [&](const OperandAlone& x) {
    if (x.kind != OperandKind::c || bounds.operands.highest_e - t <= x.lowest_e) return true;
    // Where E is a clamp or a zero's, an operand that is dropped is one of zeros alone.
    return highest_of_none - t <= x.lowest_e && is_aligned_to_nothing(node, box, x, t);
  };
  return cancels_alike(node, box) && std::ranges::all_of(bounds.each, is_alike);
}

bool may_drop_below(int e, const PlannedNode& node, const Box& box, const NodeBounds& bounds) {
  return std::ranges::any_of(values_at(node, box, Parameter::c_dropped_below).values(), [&](int value) {
    const auto t = OwnBitsDomain::value(value);
    return t && std::ranges::any_of(bounds.each, [&](const OperandAlone& x) {
             return x.kind == OperandKind::c && x.lowest_e < e - *t;
           });
  });
}

}  // namespace mmaprint
