#include "solver/below_clamp.h"

#include <algorithm>

#include "solver/beside_scale.h"

namespace mmaprint {

OperandsBelow::OperandsBelow(const NodeBounds& bounds, int clamp) : clamp_(clamp), operands_(bounds.each) {
  std::erase_if(operands_, [&](const OperandAlone& x) { return x.lowest_e >= clamp; });
}

bool OperandsBelow::wrap(int extra_carry_bits) const {
  if (operands_.empty()) return false;
  // What is below 2^(E+1) is a multiple of their lowest bit, and so less by that at least: most where E is
  // largest.
  const int unit = std::ranges::min(operands_, {}, &OperandAlone::lowest_bit).lowest_bit;
  Magnitude sum = 0;
  for (const OperandAlone& x : operands_)
    sum += (Magnitude(1) << std::max(0, clamp_ + x.leading_above_e - unit)) - 1;
  const int limit = clamp_ + extra_carry_bits - unit;
  return limit < 0 ? sum > 0 : sum >= Magnitude(1) << limit;
}

Magnitude OperandsBelow::largest_sum(std::optional<int> rounded_up_to) const {
  // Alignment makes of what is below a power of two that power at most, and of each partial sum normalisation
  // may make its next multiple of the last of F places.
  Magnitude sum = 0;
  for (const OperandAlone& x : operands_) {
    sum += Magnitude(1) << std::max(0, x.leading_above_e);
    if (rounded_up_to) sum = rounded_up(sum, leading_bit(sum) - *rounded_up_to);
  }
  return sum;
}

bool is_never_below(int e, const PlannedNode& node, const Box& box, const NodeBounds& bounds) {
  const auto have_it = [&](int value) {
    const ZeroAddends zeros = ZeroAddendsDomain::value(value);
    return zeros.kind() == ZeroAddends::Kind::as_exponent && zeros.exponent() >= e;
  };
  // A sum that was carried on and cancelled is no zero of that kind.
  return std::ranges::all_of(values_at(node, box, Parameter::zero_addends).values(), have_it) &&
         std::ranges::any_of(bounds.each, [&](const OperandAlone& x) {
           return x.kind != OperandKind::carried && x.lowest_e >= e;
         });
}

bool is_clamped_above(int e, const PlannedNode& node, const Box& box) {
  const ValueSet& clamps = values_at(node, box, Parameter::minimum_alignment_exponent);
  return std::ranges::all_of(clamps.values(),
                             [&](int value) { return ClampDomain::value(value).value_or(kNoClamp) >= e; });
}

bool have_one_scale(const Plan& plan, const PlannedNode& node) {
  std::optional<std::size_t> first;  // product of the first of them
  for (const OperandRun& run : node.runs)
    for (const PlannedNode& carried : run.carried) {
      if (!carried.is_scaled) return false;
      const std::size_t product = carried.first_product();
      if (!first) first = product;
      if (!share_scales(plan, *first, product)) return false;
    }
  return first.has_value();
}

bool stay_below_powers_of_two(const PlannedNode& node, const Box& box) {
  using enum Parameter;
  const auto has_a_bit = [&](OperandKind kind) {
    const auto f = fewest_alignment_bits(node, box, kind);
    return !f || *f > 0;
  };
  const bool is_sticky = is_only_at(node, box, alignment_rounding, AlignmentRounding::sticky) &&
                         has_a_bit(OperandKind::product) && has_a_bit(OperandKind::c) &&
                         has_a_bit(OperandKind::carried);
  return (is_sticky || is_only_at(node, box, alignment_rounding, AlignmentRounding::truncate)) &&
         is_default_at(node, box, c_alignment_rounding) &&
         is_default_at(node, box, carried_alignment_rounding) &&
         is_only_at(node, box, block_rounding, Rounding::toward_zero);
}

}  // namespace mmaprint
