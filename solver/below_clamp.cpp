#include "solver/below_clamp.h"

#include <algorithm>

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

}  // namespace mmaprint
