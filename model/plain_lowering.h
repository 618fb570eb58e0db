// The specification's steps as its text says, in fixed point (model/fixed_point.h), in words wide enough for
// the whole range of exponents. Slow, and meant to be read. Tests compare every layer (model/lowering/) with
// it. Generic over an algebra.
#pragma once

#include "model/plain_alignment.h"
#include "model/plain_rounding.h"
#include "model/plain_sum.h"

namespace mmaprint {

struct PlainLowering : PlainAlignment, PlainSum, PlainRounding {
  template <class A>
  static constexpr bool can_hold(const A& /*a*/, const typename A::Bool& /*condition*/) {
    return true;
  }
  template <class A>
  static constexpr bool product_exponent_matters(const A& /*a*/, const PlanWidths& /*plan*/,
                                                 const NodeShape& /*node*/) {
    return true;
  }
  template <class Spec, class A, std::size_t N, class To, class OnCancelled, class OnSum>
  static constexpr auto add(const A& a, const PlanWidths& plan, const NodeShape& node,
                            std::span<const Addend<A>, N> addends, const To& to, OnCancelled&& on_cancelled,
                            OnSum&& on_sum) {
    return Spec::align_and_add(a, a, a, plan, node, addends, to, on_cancelled, on_sum);
  }

  template <class A, class AnyPlan, class Operands>
  static constexpr typename A::Word integer_dot(const A& a, const AnyPlan& plan, const Operands& in) {
    return integer_result(a, plan, in);
  }
};

}  // namespace mmaprint
