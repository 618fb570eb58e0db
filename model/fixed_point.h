// Fixed point over the whole range of a node's exponents: what model/plain_lowering.h computes in. Every
// finite value is an integer multiple of 2^unit. Generic over an algebra.
#pragma once

#include "model/specification.h"

namespace mmaprint {

/// x·2^t, or its whole part for a negative t. Requires that it is below 2^width.
template <class A>
constexpr typename A::Word scaled(const A& a, const typename A::Word& x, const typename A::Int& t,
                                  int width) {
  MMAPRINT_EXPECTS(word_bits(a) >= 2 * width);
  const auto back = a.maximum(a.subtract(a.integer(width), t), a.integer(0));
  return a.slice(a.shift_right(a.shift_left(x, width), back), 0, width);
}

/// The multiple of 2^t next to x, t >= 0: the one below, or above where up(last kept bit, first lost bit, any
/// further one) says so. Requires that it is below 2^width.
template <class A, class Up>
constexpr typename A::Word multiple(const A& a, const typename A::Word& x, const typename A::Int& t,
                                    int width, Up&& up) {
  MMAPRINT_EXPECTS(fits(a, x, width) && holds(a, a.at_least(t, 0)));
  const auto [moved, rest] = a.shift_right_sticky(a.shift_left(x, 1), t);
  const auto kept = a.slice(moved, 1, width);
  return scaled(a, a.increment(kept, up(a.bit(kept, 0), a.bit(moved, 0), rest), width), t, width);
}

struct FixedPoint {
  /// Finite values are multiples of 2^unit.
  static constexpr int unit(const PlanWidths& plan) {
    return plan.lowest_exponent() - plan.addend_fraction_bits();
  }
  /// Bits of an integer that holds every partial sum: with E at the top of the range, each addend adds
  /// 2^(E+2) at most, and normalising at most doubles what there is.
  static constexpr int width(const PlanWidths& plan, const NodeShape& node) {
    return plan.highest_exponent() - unit(plan) + node.addends + 6 +
           bit_length(static_cast<std::uint64_t>(node.carried.bounds));
  }
};

}  // namespace mmaprint
