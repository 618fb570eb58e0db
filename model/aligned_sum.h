// The sum of a node's aligned addends: all at once, or one after the other with each partial sum normalised;
// in an accumulator that may wrap. Generic over an algebra.
#pragma once

#include <span>

#include "model/alignment.h"

namespace mmaprint {

/// Drops the bits of a partial sum (a multiple of 2^(E-kept)) that lie below its own leading exponent minus
/// `kept`.
template <class A>
constexpr typename A::Sum drop_below_leading(const A& a, int adder, const typename A::Sum& sum, int width,
                                             int kept) {
  const auto magnitude = a.magnitude(sum);
  const auto negative = a.is_negative(sum);
  if (a.known(a.is_zero(a.slice(magnitude, kept + 1, width - kept - 1))) == std::optional(true)) return sum;
  return a.template select<Parameter::alignment_rounding>(adder, [&](AlignmentRounding mode) {
    auto result = sum;
    for (int t = 1; kept + t < width; ++t) {  // leading one at bit kept + t: the lowest t bits go
      const auto here = a.all(a.bit(magnitude, kept + t),
                              a.is_zero(a.slice(magnitude, kept + t + 1, width - kept - t - 1)));
      if (a.known(here) == std::optional(false)) continue;
      auto top = a.slice(magnitude, t, width - t);
      const auto half = a.bit(magnitude, t - 1);
      const auto rest = a.no(a.is_zero(a.slice(magnitude, 0, t - 1)));
      switch (mode) {
        case AlignmentRounding::truncate:
          break;
        case AlignmentRounding::sticky:
          top = a.set_lowest(top, a.any(half, rest));
          break;
        case AlignmentRounding::floor:
          top = a.increment(top, a.all(negative, a.any(half, rest)), width - t);
          break;
        case AlignmentRounding::nearest_even:
          top = a.increment(top, a.all(half, a.any(rest, a.bit(top, 0))), width - t);
          break;
      }
      result = a.mux(here, a.add_signed(a.zero_sum(width), a.shift_left(top, t), negative), result);
    }
    return result;
  });
}

/// The sum of aligned addends in a `width`-bit accumulator, in units of 2^(E - kept). They may be words of an
/// algebra with narrower ones.
template <class A, class Words, std::size_t N>
[[gnu::always_inline]] constexpr typename A::Sum add_aligned(const A& a, int adder,
                                                             std::span<const typename Words::Word, N> aligned,
                                                             std::span<const Addend<Words>, N> addends,
                                                             const Alignment<Words>& to) {
  const int kept = to.kept();
  const int width = to.width;
  const auto wrapped = [&](const typename A::Sum& sum) {
    const auto wrap = [&](std::optional<int> carry) {
      return carry_can_wrap(carry, to.shape) ? a.wrap(sum, kept + *carry + 2) : sum;
    };
    // Evaluation by need: the accumulator with the fewest carry bits holds sums below 2^(E+1).
    const auto outcome = [&](const auto& concrete) {
      const bool fits = concrete.length(concrete.magnitude(sum)) <= kept + 1;
      return [&, fits](std::optional<int> carry) { return fits ? sum : wrap(carry); };
    };
    return a.template branch<Parameter::extra_carry_bits>(adder, outcome, wrap);
  };
  const auto late = [&] {
    auto sum = a.zero_sum(width);
    for (std::size_t i = 0; i < aligned.size(); ++i) sum = a.add_signed(sum, aligned[i], addends[i].negative);
    return wrapped(sum);
  };
  if (to.loss != Loss::by_parameter) return late();
  // Evaluation by need: does any partial sum of what is aligned reach beyond 2^(E+1) with a bit to lose?
  const auto loses = [&](const auto& concrete) {
    auto sum = concrete.zero_sum(width);
    bool lost = false;
    for (std::size_t i = 0; i < aligned.size(); ++i) {
      sum = concrete.add_signed(sum, aligned[i], addends[i].negative);
      const auto magnitude = concrete.magnitude(sum);
      lost = lost || (i > 0 && concrete.length(magnitude) > kept + 1);
    }
    return [lost](Normalisation kind) { return lost && kind == Normalisation::immediate; };
  };
  return a.template branch<Parameter::normalisation>(adder, loses, [&](Normalisation kind) {
    if (kind == Normalisation::late) return late();
    auto sum = a.zero_sum(width);
    for (std::size_t i = 0; i < aligned.size(); ++i) {
      sum = a.add_signed(sum, aligned[i], addends[i].negative);
      if (i > 0) sum = drop_below_leading(a, adder, wrapped(sum), width, kept);
    }
    return sum;
  });
}

}  // namespace mmaprint
