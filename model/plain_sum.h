// Step 5 of the specification in fixed point: what becomes of sums before they are rounded.
#pragma once

#include "model/fixed_point.h"

namespace mmaprint {

struct PlainSum : FixedPoint {
  template <class Words, class A, std::size_t N, class To, class Fn>
  static constexpr auto with_normalisation(const A& a, int adder,
                                           std::span<const typename Words::Word, N> /*aligned*/,
                                           std::span<const Addend<Words>, N> /*addends*/, const To& /*to*/,
                                           Fn&& fn) {
    return a.template select<Parameter::normalisation>(adder, fn);
  }
  /// Into -2^(E+1+n) <= sum < 2^(E+1+n): the nearest multiple of 2^(E+2+n), the upper one from the middle, is
  /// taken away.
  template <class A>
  static constexpr typename A::Sum wrapped(const A& a, const PlanWidths& plan, int adder,
                                           const typename A::Sum& sum, const Alignment<A>& to) {
    const auto positive = a.no(a.is_negative(sum));
    return a.template select<Parameter::extra_carry_bits>(adder, [&](std::optional<int> carry) {
      if (!carry) return sum;
      const auto modulus = a.add(to.exponent, a.integer(2 + *carry - unit(plan)));
      const auto away = multiple(a, a.magnitude(sum), modulus, to.width,
                                 [&](const auto& /*kept*/, const auto& half, const auto& rest) {
                                   return a.all(half, a.any(positive, rest));
                                 });
      return a.add_signed(sum, away, positive);
    });
  }
  /// A partial sum loses the bits below 2^(e-F), where e is the exponent of its own leading bit.
  template <class A>
  static constexpr typename A::Sum normalised(const A& a, const PlanWidths& /*plan*/, int adder,
                                              const typename A::Sum& sum, const Alignment<A>& to) {
    if (to.loss != Loss::by_parameter) return sum;
    const auto negative = a.is_negative(sum);
    const auto magnitude = a.magnitude(sum);
    const auto leading = a.subtract(a.integer(to.width - 1), a.normalise(magnitude, to.width).second);
    const auto last = a.maximum(a.subtract(leading, a.integer(to.kept)), a.integer(0));
    return a.template select<Parameter::alignment_rounding>(adder, [&](AlignmentRounding mode) {
      const auto rounded =
          multiple(a, magnitude, last, to.width, [&](const auto& kept, const auto& half, const auto& rest) {
            return policy::rounds_up(a, policy::rounding_of(mode), negative, kept, half, rest);
          });
      return a.add_signed(a.zero_sum(to.width), rounded, negative);
    });
  }
  /// A nonzero sum as an addend of the node that it is carried to.
  template <class A>
  static constexpr Addend<A> carried(const A& a, const A& /*wide*/, const PlanWidths& plan,
                                     const typename A::Bool& negative, const typename A::Word& magnitude,
                                     const Alignment<A>& to) {
    const auto unit_of_addend = a.subtract(to.exponent, a.integer(plan.addend_fraction_bits() + unit(plan)));
    return {negative, a.truth(false), to.exponent,
            scaled(a, magnitude, a.subtract(a.integer(0), unit_of_addend),
                   std::max(to.width, plan.addend_width()))};
  }
};

}  // namespace mmaprint
