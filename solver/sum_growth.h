// How large the sums of a node may become where alignment and normalisation round away from zero. Part of
// solver/node_bounds.h.
#pragma once

#include <span>

#include "solver/operand_ranges.h"

namespace mmaprint {

/// Of any hypothesis of a set, which it refers to.
class SumGrowth {
 public:
  explicit SumGrowth(const Box& box) : box_(box) {}

  /// Does aligning ever make magnitudes larger?
  [[nodiscard]] bool may_grow(const PlannedNode& node, std::span<const OperandRange> operands) const;
  /// A sum that wraps is no larger than it was. Of magnitudes in units of 2^unit that are aligned to no more
  /// than 2^e.
  [[nodiscard]] Magnitude largest_sum(const PlannedNode& node, std::span<const OperandRange> operands,
                                      const Magnitude& (*magnitude)(const OperandRange&), int e,
                                      int unit) const;

 private:
  [[nodiscard]] Magnitude aligned_up(const PlannedNode& node, const Magnitude& x, int place) const;
  [[nodiscard]] std::optional<int> grows_from(const PlannedNode& node, OperandKind kind) const;

  const Box& box_;
};

}  // namespace mmaprint
