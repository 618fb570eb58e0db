// Layer: the raised exponent.
//
// Replaces: the exponent E that a node aligns to (alignment).
// CLAIM: the result is the same, where no carry bits that are possible let a sum wrap, E is not carried on
// with the sum, and all kinds of operands are aligned alike.
//
// No operand of the node has a bit below 2^lowest, so with E = lowest + F nothing is lost, and E may be
// raised to that without a trace: unless the sum wraps, which happens relative to E. All clamps below it
// become one formula by this, and an exact sum (whose F reaches from the lowest bit to the top) does not
// depend on E at all.
#pragma once

#include "model/inlining.h"
#include "model/lowering/bounds.h"

namespace mmaprint {

template <class Below>
struct RaisedExponent : Below {
  template <class A>
  MMAPRINT_INLINE static constexpr auto alignment(const A& a, const PlanWidths& plan, const NodeShape& node,
                                                  std::optional<int> f, const typename A::Int& largest,
                                                  const typename A::Int& clamped) {
    MMAPRINT_EXPECTS(policy::aligned_alike(a, node));
    auto to = Below::alignment(a, plan, node, f, largest, clamped);
    if (node.is_carried) return to;
    const int kept = f.value_or(plan.exact_fraction_bits());
    const auto shape = [&] {
      if constexpr (requires { to.shape; })
        return to.shape;
      else
        return sum_shape(a, plan, node, kept, to.loss);
    }();
    if (!never_wraps(a, node.adder, shape)) return to;
    to.exponent = a.template select_exponent<Parameter::minimum_alignment_exponent>(
        node.adder, [&](const typename A::Int& clamp) {
          return a.maximum(largest, a.maximum(clamp, a.integer(node.bits.lowest + kept)));
        });
    MMAPRINT_ENSURES(holds(a, a.at_least(a.subtract(to.exponent, clamped), 0)));
    return to;
  }
};

}  // namespace mmaprint
