// How any hypothesis of a set rounds the sums of one node: what has to be known to say whether two sums round
// alike.
#pragma once

#include <algorithm>

#include "solver/node_bounds.h"

namespace mmaprint {

/// Refers to what it is made of.
class NodeRounding {
 public:
  /// `bounds` are those of the node, for the box.
  NodeRounding(const PlannedNode& node, const Box& box, const NodeBounds& bounds)
      : node_(node), box_(box), bounds_(bounds) {}

  [[nodiscard]] bool has(Rounding mode) const { return contains(Parameter::block_rounding, mode); }
  [[nodiscard]] bool is_only(Rounding mode) const {
    return is_only_at(node_, box_, Parameter::block_rounding, mode);
  }
  /// Do halves of the last place decide?
  [[nodiscard]] bool has_ties() const { return has(Rounding::nearest_even) || has(Rounding::nearest_away); }
  [[nodiscard]] bool is_to_nearest() const {
    return is_among_at(node_, box_, Parameter::block_rounding,
                       {Rounding::nearest_even, Rounding::nearest_away});
  }
  /// May a sum be flushed for what this test says of it?
  [[nodiscard]] bool may_flush(FlushTest test) const {
    return bounds_.is_subnormal && !is_only_at(node_, box_, Parameter::output_subnormals, Subnormals::kept) &&
           contains(Parameter::flush_test, test);
  }
  /// By how many bits are the places finer than those of results that a sum just below 2^emin is rounded to,
  /// to see whether it is flushed? Unless it cannot be rounded to 2^emin, which alone would show.
  [[nodiscard]] int finer_below_normal() const {
    const bool may_become_normal = !is_only(Rounding::toward_zero) && !is_only(Rounding::odd);
    return may_become_normal && may_flush(FlushTest::after_unbounded) ? 1 : 0;
  }
  /// Fraction bits of results.
  [[nodiscard]] int most_bits() const { return bits(fraction_bits().last()); }
  [[nodiscard]] int fewest_bits() const { return bits(fraction_bits().first()); }
  /// Is a sum of which only F bits below the leading one are left, and a sticky bit, rounded as it was? That
  /// is odd in its last place then, and neither a number nor a half that rounding decides by.
  [[nodiscard]] bool keeps_with_sticky(int f) const { return f > most_bits() + (has_ties() ? 1 : 0); }

 private:
  template <class Enum>
  [[nodiscard]] bool contains(Parameter p, Enum value) const {
    return values_at(node_, box_, p).contains(static_cast<int>(value));
  }
  [[nodiscard]] const ValueSet& fraction_bits() const {
    return values_at(node_, box_, Parameter::output_fraction_bits);
  }
  [[nodiscard]] int bits(int value) const { return std::min(value, node_.result.fraction_bits); }

  const PlannedNode& node_;
  const Box& box_;
  const NodeBounds& bounds_;
};

}  // namespace mmaprint
