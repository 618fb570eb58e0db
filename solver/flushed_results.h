// Where subnormal results may be flushed: what the tests for them differ in, and what rounding means there.
#pragma once

#include <optional>

#include "solver/node_bounds.h"

namespace mmaprint {

/// Of a node in a set's hypotheses. Refers to what it is made from.
class FlushedResults {
 public:
  /// `signs_show`: does it matter which sign a zero has that the node hands on?
  FlushedResults(const PlannedNode& node, const Box& box, const NodeBounds& bounds, bool signs_show)
      : node_(node), box_(box), bounds_(bounds), signs_show_(signs_show) {}

  [[nodiscard]] bool may_occur() const;
  /// Where no sum is rounded up to the smallest normal number, tests differ in what they say of sums that
  /// round to zero: that is no result to be flushed, and has a sign by another rule.
  [[nodiscard]] bool is_idle(FlushTest test) const;
  /// Is nothing else rounded? Results are exact then, or zeros.
  [[nodiscard]] bool are_all_that_is_rounded() const;

 private:
  [[nodiscard]] const ValueSet& set(Parameter p) const { return values_at(node_, box_, p); }
  [[nodiscard]] int fewest_fraction_bits() const;
  [[nodiscard]] bool are_like_zeros_of_rounding() const;
  [[nodiscard]] bool is_one_operand_of_few_bits() const;

  const PlannedNode& node_;
  const Box& box_;
  const NodeBounds& bounds_;
  bool signs_show_;
};

/// A sum of half of 2^this or less is no result: it is flushed, or rounded to zero. nullopt: where neither is
/// sure.
[[nodiscard]] std::optional<int> place_of_least_result(const PlannedNode& node, const Box& box);

}  // namespace mmaprint
