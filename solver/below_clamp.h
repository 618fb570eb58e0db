// The operands that a node has where a clamp raises E: those that may lie below the clamp. The others are
// zeros then.
#pragma once

#include <optional>
#include <vector>

#include "solver/node_bounds.h"
#include "solver/operand_ranges.h"

namespace mmaprint {

class OperandsBelow {
 public:
  OperandsBelow(const NodeBounds& bounds, int clamp);

  [[nodiscard]] const std::vector<OperandAlone>& all() const { return operands_; }
  /// May their sum, of which nothing is lost, lie outside of -2^(E+1+n) .. 2^(E+1+n)?
  [[nodiscard]] bool wrap(int extra_carry_bits) const;
  /// No sum of them is larger, in units of 2^clamp; where alignment is to F bits and every sum rounded up to
  /// them, if it says so. None is as large where nothing that is lost is rounded up.
  [[nodiscard]] Magnitude largest_sum(std::optional<int> rounded_up_to) const;

 private:
  int clamp_;
  std::vector<OperandAlone> operands_;
};

/// Is E no lower than this in any case, though no clamp is? Where an operand is that has no lower exponent,
/// or is a zero that takes part with one.
[[nodiscard]] bool is_never_below(int e, const PlannedNode& node, const Box& box, const NodeBounds& bounds);
/// Is it no lower since every clamp of the set's is at least that?
[[nodiscard]] bool is_clamped_above(int e, const PlannedNode& node, const Box& box);

/// Are all sums that are carried to the node scaled, by the same scales?
[[nodiscard]] bool have_one_scale(const Plan& plan, const PlannedNode& node);

/// Does neither alignment nor rounding make a power of two of what is below it? Both cut off, or alignment
/// leaves a sticky bit in one of the bits that it keeps.
[[nodiscard]] bool stay_below_powers_of_two(const PlannedNode& node, const Box& box);

}  // namespace mmaprint
