// Sums of products that have one scale, beside that scale, whatever it is. Alone they have as few bits as
// their products; between the exponents that scales have lie hundreds. So chains and trees of such sums lose
// nothing with far fewer bits F than their ranges ask for, and where results have room for all that is left,
// nothing is rounded. Part of solver/node_bounds.h.
//
// What is aligned, wrapped, normalised or rounded stays a multiple of what it was a multiple of: what is cut
// off ends in a higher place, or nothing is. Only the largest number, which a sum may saturate to, is none.
#pragma once

#include <optional>
#include <span>

#include "solver/node_bounds.h"
#include "solver/operand_ranges.h"

namespace mmaprint {

/// Have the products x and y the same scales?
[[nodiscard]] bool share_scales(const Plan& plan, std::size_t x, std::size_t y);

/// Sums of operands that have one scale, 2^s without its significand, before they are rounded.
struct SumBesideScale {
  std::size_t product;  ///< one that has it
  int fraction_bits;    ///< operands and sums are multiples of 2^(s - this)
  int highest_e;        ///< E above s, where an operand decides it, at most
  /// None exceeds this multiple of 2^(s - kBelowE); none: as one may be as large as what else decides E.
  std::optional<Magnitude> largest;

  /// As in SumBounds.
  [[nodiscard]] std::optional<int> below_leading() const;
};
/// nullopt where some operand has no scale, or another one.
[[nodiscard]] std::optional<SumBesideScale> sum_beside_scale(const Plan& plan, const PlannedNode& node,
                                                             const Box& box,
                                                             std::span<const OperandRange> operands);

/// Their results. Requires a node that rounds, and that no sum becomes the largest number by saturation.
/// nullopt where they may be far larger than the scale.
[[nodiscard]] std::optional<BesideScale> result_beside_scale(const PlannedNode& node, const Box& box,
                                                             const SumBesideScale& sum,
                                                             const NodeBounds& bounds);

}  // namespace mmaprint
