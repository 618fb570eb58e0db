// What a unit computes: results that are zeros, since all addends are or since they cancel (steps 3 and 6).
// See model/specification.h.
#pragma once

#include <span>

#include "model/operand.h"
#include "model/policies.h"
#include "model/summand.h"

namespace mmaprint {

struct ZeroSteps {
  template <class A>
  static constexpr Operand<A> zero(const A& a, const FormatInfo& d, typename A::Bool negative) {
    return {negative, a.truth(false), a.truth(false), a.integer(d.emin()), a.word(d.precision(), 0)};
  }

  /// The result of all addends being zeros.
  template <class A, std::size_t N>
  static constexpr Operand<A> zero_result(const A& a, const NodeShape& node,
                                          std::span<const Addend<A>, N> addends) {
    auto all_negative = a.truth(true);
    auto any_negative = a.truth(false);
    for (const auto& x : addends) {
      all_negative = a.all(all_negative, x.negative);
      any_negative = a.any(any_negative, x.negative);
    }
    const auto ieee = node.is_carried
                          ? all_negative
                          : a.template select<Parameter::block_rounding>(node.adder, [&](Rounding mode) {
                              return mode == Rounding::down ? any_negative : all_negative;
                            });
    return zero(a, node.result, a.template select<Parameter::zero_all_zero>(node.adder, [&](ZeroSign sign) {
      return sign == ZeroSign::follow ? ieee : a.truth(false);
    }));
  }

  /// The result of addends that cancel.
  template <class A>
  static constexpr Operand<A> cancelled_result(const A& a, const NodeShape& node) {
    const auto down = node.is_carried
                          ? a.truth(false)
                          : a.template select<Parameter::block_rounding>(
                                node.adder, [&](Rounding mode) { return a.truth(mode == Rounding::down); });
    return zero(a, node.result, a.template select<Parameter::zero_cancelled>(node.adder, [&](ZeroSign sign) {
      return sign == ZeroSign::follow ? down : a.truth(false);
    }));
  }

  /// Is every addend a zero, or counts as one since it lies too far below E?
  template <class A, std::size_t N>
  static constexpr typename A::Bool all_zero_or_dropped(const A& a, const NodeShape& node,
                                                        std::span<const Addend<A>, N> addends,
                                                        const typename A::Int& e) {
    return a.template select<Parameter::c_dropped_below>(node.adder, [&](std::optional<int> t) {
      auto all = a.truth(t.has_value());
      for (std::size_t i = 0; t && i < addends.size(); ++i)
        all = a.all(all, a.any(addends[i].zero, node.kinds[i] == OperandKind::c
                                                    ? policy::is_dropped(a, addends[i], e, *t)
                                                    : a.truth(false)));
      return all;
    });
  }
};

}  // namespace mmaprint
