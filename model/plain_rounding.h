// Step 7 of the specification in fixed point: rounding a sum to the result's format.
#pragma once

#include "model/fixed_point.h"

namespace mmaprint {

/// ±magnitude·2^unit, exact and not zero. The magnitude is below 2^width.
template <class A>
struct ExactSum {
  typename A::Bool negative;
  typename A::Word magnitude;
  int unit, width;
};

struct PlainRounding : FixedPoint {
  template <class A>
  static constexpr ExactSum<A> unrounded(const A& /*a*/, const A& /*wide*/, const PlanWidths& plan,
                                         const NodeShape& /*node*/, const typename A::Bool& negative,
                                         const typename A::Word& magnitude, const Alignment<A>& to) {
    return {negative, magnitude, unit(plan), to.width};
  }
  /// To a multiple of 2^(max(e, emin)-f), where e is the exponent of the sum's leading bit.
  template <class A>
  static constexpr Rounded<A> rounded(const A& a, const FormatInfo& d, int adder, const ExactSum<A>& sum) {
    const auto above_unit = [&](const typename A::Int& e) { return a.subtract(e, a.integer(sum.unit)); };
    const auto leading =
        a.subtract(a.integer(sum.unit + sum.width - 1), a.normalise(sum.magnitude, sum.width).second);
    const auto e = a.maximum(leading, a.integer(d.emin()));
    const auto magnitude = a.template select<Parameter::output_fraction_bits>(adder, [&](int f) {
      return a.template select<Parameter::block_rounding>(adder, [&](Rounding mode) {
        return multiple(a, sum.magnitude, above_unit(a.subtract(e, a.integer(f))), sum.width,
                        [&](const auto& kept, const auto& half, const auto& rest) {
                          return policy::rounds_up(a, mode, sum.negative, kept, half, rest);
                        });
      });
    });
    const auto next = a.add(e, a.integer(1));
    const auto carried = a.no(a.is_zero(a.shift_right(magnitude, above_unit(next))));
    const auto exponent = a.mux(carried, next, e);
    const auto last = above_unit(a.subtract(exponent, a.integer(d.fraction_bits)));
    return {sum.negative, exponent, a.slice(a.shift_right(magnitude, last), 0, d.precision())};
  }
  /// Is the sum below 2^emin?
  template <class A>
  static constexpr typename A::Bool is_below(const A& a, const FormatInfo& d, const ExactSum<A>& sum) {
    return a.is_zero(a.shift_right(sum.magnitude, a.integer(d.emin() - sum.unit)));
  }
  /// Would a sum below 2^emin be rounded to that if results had multiples of 2^(e-f) there, too? If so it is
  /// to a multiple of 2^(emin-1-f): a smaller one is not.
  template <class A>
  static constexpr typename A::Bool rounds_to_normal(const A& a, const FormatInfo& d, int adder,
                                                     const ExactSum<A>& sum) {
    const auto twice = a.shift_left(sum.magnitude, 1);  // in units of 2^(unit-1), as they are half as fine
    const auto rounded = a.template select<Parameter::output_fraction_bits>(adder, [&](int f) {
      return a.template select<Parameter::block_rounding>(adder, [&](Rounding mode) {
        return multiple(a, twice, a.integer(d.emin() - f - sum.unit), sum.width + 1,
                        [&](const auto& kept, const auto& half, const auto& rest) {
                          return policy::rounds_up(a, mode, sum.negative, kept, half, rest);
                        });
      });
    });
    return a.no(a.is_zero(a.shift_right(rounded, a.integer(d.emin() + 1 - sum.unit))));
  }
};

}  // namespace mmaprint
