// What a unit computes, last part: a node's sum is rounded (steps 7 to 9). See model/specification.h.
#pragma once

#include <algorithm>

#include "model/checks.h"
#include "model/inlining.h"
#include "model/policies.h"

namespace mmaprint {

template <class L>
struct RoundingSteps {
  // ---- 7. Rounding, 8. Overflow, and 9. Underflow.

  /// The result of a nonzero sum.
  template <class A, class Sum>
  MMAPRINT_INLINE static constexpr Operand<A> round_result(const A& a, const FormatInfo& d, int adder,
                                                           const Sum& sum) {
    const int p = d.precision();
    const Rounded<A> rounded = L::rounded(a, d, adder, sum);
    MMAPRINT_ENSURES(fits(a, rounded.significand, p) && holds(a, a.at_least(rounded.exponent, d.emin())));
    MMAPRINT_ENSURES(
        holds(a, a.any(a.bit(rounded.significand, p - 1), a.equals(rounded.exponent, d.emin()))));
    const auto& negative = rounded.negative;
    const auto& significand = rounded.significand;
    const auto overflowed = policy::overflows(a, d, rounded);
    Operand<A> result{negative, a.truth(false), overflowed,
                      a.mux(overflowed, a.integer(d.emax()), rounded.exponent), significand};
    if (L::can_hold(a, overflowed)) {
      // Evaluation by need reads the direction of rounding only where overflow follows it.
      const auto directed = a.template select<Parameter::overflow>(
          adder, [&](Overflow kind) { return a.truth(kind == Overflow::by_direction); });
      auto saturated = a.template select<Parameter::overflow>(
          adder, [&](Overflow kind) { return kind == Overflow::saturate ? overflowed : a.truth(false); });
      if (L::can_hold(a, directed)) {
        const auto finite = a.template select<Parameter::block_rounding>(
            adder, [&](Rounding mode) { return policy::overflow_stays_finite(a, mode, negative); });
        saturated = a.any(saturated, a.all(overflowed, directed, finite));
      }
      const auto largest = a.template select<Parameter::output_fraction_bits>(adder, [&](int f) {
        const std::uint64_t all_ones = ((2ULL << f) - 1) << (p - 1 - f);
        return a.mux(saturated, a.word(p, std::min(all_ones, d.largest_significand())), a.word(p, 0));
      });
      result.infinite = a.all(overflowed, a.no(saturated));
      result.significand = a.mux(overflowed, largest, significand);
    }

    const auto vanished = a.all(a.is_zero(significand), a.no(overflowed));
    if (L::can_hold(a, vanished))
      result.negative = a.template select<Parameter::zero_rounded>(adder, [&](ZeroSign sign) {
        return sign == ZeroSign::follow ? negative : a.all(negative, a.no(vanished));
      });
    const auto flushable =
        is_flushable(a, d, adder, sum, policy::is_flushable(a, d, result, vanished, overflowed));
    if (!L::can_hold(a, flushable)) return result;
    const auto flushed = a.template select<Parameter::output_subnormals>(
        adder, [&](Subnormals kind) { return kind == Subnormals::flushed ? flushable : a.truth(false); });
    const auto signed_before = a.mux(flushed, negative, result.negative);
    result.negative = a.template select<Parameter::zero_flushed>(adder, [&](ZeroSign sign) {
      return sign == ZeroSign::follow ? signed_before : a.all(signed_before, a.no(flushed));
    });
    result.significand = a.mux(flushed, a.word(p, 0), result.significand);
    return result;
  }

  /// Is the result one that would be flushed? `after`: as tested on the rounded result, which is flushed by
  /// no test if not by that on the sum.
  template <class A, class Sum>
  MMAPRINT_INLINE static constexpr typename A::Bool is_flushable(const A& a, const FormatInfo& d, int adder,
                                                                 const Sum& sum,
                                                                 const typename A::Bool& after) {
    if (a.template always<Parameter::flush_test>(adder, [](FlushTest t) { return t == FlushTest::after; }))
      return after;
    const auto before = L::is_below(a, d, sum);
    if (!L::can_hold(a, a.differ(before, after))) return after;
    const bool may_be_unbounded = !a.template always<Parameter::flush_test>(
        adder, [](FlushTest t) { return t != FlushTest::after_unbounded; });
    const auto unbounded =
        may_be_unbounded ? a.all(before, a.no(L::rounds_to_normal(a, d, adder, sum))) : before;
    return a.template select<Parameter::flush_test>(adder, [&](FlushTest test) {
      if (test == FlushTest::after) return after;
      return test == FlushTest::before ? before : unbounded;
    });
  }
};

}  // namespace mmaprint
