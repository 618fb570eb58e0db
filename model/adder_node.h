// One multi-operand adder: align, add, normalise, round. Generic over an algebra.
//
// With E the largest exponent among the nonzero addends (at least the clamp, where there is one), each addend
// becomes a multiple of 2^(E-F): bits below are lost as the alignment rounding says. The sum of those is
// exact, but wraps where the accumulator has few carry bits; with immediate normalisation the addends join
// one by one and each partial sum keeps only F bits below its own leading one. F = none is not a case of its
// own: with F as large as the formats' whole exponent range nothing is ever lost, and the same code adds
// exactly.
//
// The selects stand in an order in which none lies inside another's outcome: evaluation by need reads a
// parameter only where the operands make its value matter, and narrows it before it goes on.
#pragma once

#include <limits>
#include <span>

#include "model/exact_rounding.h"
#include "model/inlining.h"
#include "model/rounding.h"
#include "model/row.h"

namespace mmaprint {

/// How a node aligns: the exponent E, the fraction bits kept below it, and what becomes of the rest.
template <class A>
struct Alignment {
  typename A::Int exponent;
  Loss loss;
  SumShape shape;
  int width;  ///< bits of the accumulator

  constexpr Alignment(typename A::Int e, Loss l, const SumShape& s)
      : exponent(std::move(e)), loss(l), shape(s), width(accumulator_width(s)) {}
  template <class Other>
  constexpr explicit Alignment(const Alignment<Other>& x)
      : exponent(x.exponent), loss(x.loss), shape(x.shape), width(x.width) {}
  [[nodiscard]] constexpr int kept() const { return shape.kept; }
};

/// Turns addends into integer multiples of 2^(E - kept), `kept + 3` bits wide.
template <class A>
class Aligner {
 public:
  constexpr Aligner(const A& a, const PlanWidths& plan, int adder, const Alignment<A>& to)
      : a_(a), adder_(adder), exponent_(to.exponent), lowered_(to.exponent) {
    const int fraction =
        to.loss == Loss::none ? to.kept() : std::max(to.kept() + 1, plan.addend_fraction_bits());
    left_ = fraction - plan.addend_fraction_bits();
    drop_ = fraction - to.kept();
    width_ = left_ + plan.addend_width();
    up_ = left_ > drop_ ? left_ - drop_ : 0;
    if (drop_ > left_) lowered_ = a.add(exponent_, a.integer(drop_ - left_));
  }

  /// Where no bit can be lost.
  [[nodiscard]] constexpr typename A::Word exact(const Addend<A>& x) const {
    return a_.shift_right(a_.shift_left(x.significand, left_), a_.subtract(exponent_, x.exponent));
  }
  [[nodiscard]] constexpr typename A::Word rounded(const Addend<A>& x, AlignmentRounding mode) const {
    if (mode == AlignmentRounding::truncate) return truncated(x);
    const auto shift = a_.subtract(exponent_, x.exponent);
    const auto wide = a_.shift_left(x.significand, left_);
    const auto [moved, below] = a_.shift_right_sticky(wide, shift);
    const auto truncated = drop_low(a_, moved, width_, drop_);
    const auto rest = a_.any(below, a_.no(a_.is_zero(a_.slice(moved, 0, drop_ - 1))));
    const auto half = a_.bit(moved, drop_ - 1);
    if (mode == AlignmentRounding::sticky) return a_.set_lowest(truncated, a_.any(half, rest));
    const auto up = mode == AlignmentRounding::floor ? a_.all(x.negative, a_.any(half, rest))
                                                     : a_.all(half, a_.any(rest, a_.bit(truncated, 0)));
    return a_.increment(truncated, up, width_ - drop_ + 1);
  }
  [[nodiscard]] constexpr typename A::Word by_parameter(const Addend<A>& x) const {
    // Evaluation by need: the mode matters only where a one is lost.
    const auto outcome = [&](const auto& concrete) {
      const int lost_below = concrete.value(a_.subtract(exponent_, x.exponent)) + drop_ - left_;
      const bool lost = !concrete.value(x.zero) && concrete.lowest_one(x.significand) < lost_below;
      return [&, lost](AlignmentRounding mode) { return lost ? rounded(x, mode) : x.significand; };
    };
    return a_.template branch<Parameter::alignment_rounding>(
        adder_, outcome, [&](AlignmentRounding mode) { return rounded(x, mode); });
  }

 private:
  /// Machine words lose what is shifted out of them, so one shift to either side does.
  [[nodiscard]] constexpr typename A::Word truncated(const Addend<A>& x) const {
    if constexpr (requires { a_.drop_low(x.significand, 0); })
      return a_.shift_right(a_.shift_left(x.significand, up_), a_.subtract(lowered_, x.exponent));
    else
      return drop_low(a_,
                      a_.shift_right(a_.shift_left(x.significand, left_), a_.subtract(exponent_, x.exponent)),
                      width_, drop_);
  }

  A a_;
  int adder_;
  typename A::Int exponent_, lowered_;  ///< what shifts are counted from; where truncation does
  int left_;                            ///< bits appended, so that there is at least one to drop
  int drop_;                            ///< bits dropped after the shift
  int width_;                           ///< of the word that is shifted
  int up_;                              ///< bits appended by truncation
};

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

/// The result of all addends being zeros.
template <class A, std::size_t N>
constexpr Operand<A> zero_result(const A& a, const PlanWidths& plan, int adder,
                                 std::span<const Addend<A>, N> addends) {
  auto all_negative = a.truth(true);
  auto any_negative = a.truth(false);
  for (const auto& x : addends) {
    all_negative = a.all(all_negative, x.negative);
    any_negative = a.any(any_negative, x.negative);
  }
  const auto ieee = a.template select<Parameter::block_rounding>(
      adder, [&](Rounding mode) { return mode == Rounding::down ? any_negative : all_negative; });
  const auto negative = a.template select<Parameter::zero_all_zero>(
      adder, [&](ZeroSign sign) { return sign == ZeroSign::follow ? ieee : a.truth(false); });
  return {negative, a.truth(false), a.truth(false), a.integer(plan.d.emin()), a.word(plan.d.precision(), 0)};
}

/// The result of addends that cancel.
template <class A>
constexpr Operand<A> cancelled_result(const A& a, const PlanWidths& plan, int adder) {
  const auto down = a.template select<Parameter::block_rounding>(
      adder, [&](Rounding mode) { return a.truth(mode == Rounding::down); });
  const auto negative = a.template select<Parameter::zero_cancelled>(
      adder, [&](ZeroSign sign) { return sign == ZeroSign::follow ? down : a.truth(false); });
  return {negative, a.truth(false), a.truth(false), a.integer(plan.d.emin()), a.word(plan.d.precision(), 0)};
}

/// Aligns in `words` and adds in `wide`, which are wide enough for it; see add_finite for what `settled` and
/// `inexact` are.
template <class A, class Words, class Wide, std::size_t N, class Settled, class Inexact>
[[gnu::always_inline]] constexpr auto add_at_width(const A& a, const Words& words, const Wide& wide,
                                                   const PlanWidths& plan, int adder,
                                                   std::span<const Addend<Words>, N> addends,
                                                   const Alignment<Words>& to, Settled&& settled,
                                                   Inexact&& inexact) {
  RowOf<typename Words::Word, N> aligned(addends.size());
  const Aligner<Words> aligner(words, plan, adder, to);
  switch (to.loss) {
    case Loss::none:
      aligned.append(addends.size(), [&](std::size_t i) { return aligner.exact(addends[i]); });
      break;
    case Loss::sticky:
      aligned.append(addends.size(),
                     [&](std::size_t i) { return aligner.rounded(addends[i], AlignmentRounding::sticky); });
      break;
    case Loss::by_parameter:
      aligned.append(addends.size(), [&](std::size_t i) { return aligner.by_parameter(addends[i]); });
      break;
  }
  const auto sum = add_aligned<Wide, Words>(wide, adder, aligned.all(), addends, to);
  const auto magnitude = wide.magnitude(sum);
  return a.choose(
      wide.is_zero(magnitude), [&] { return settled(cancelled_result(a, plan, adder)); },
      [&] {
        const auto x = unrounded(wide, plan.d, wide.is_negative(sum), magnitude, to.width,
                                 wide.subtract(to.exponent, wide.integer(to.kept())));
        return inexact(Unrounded<A>{x.negative, x.exponent, a.import(x.leading)});
      });
}

/// How many bits the algebra's words hold; any number unless it says so.
template <class A>
constexpr int word_bits(const A& /*a*/) {
  if constexpr (requires { A::kBits; })
    return A::kBits;
  else
    return std::numeric_limits<int>::max();
}

/// Words of 32 bits hold most aligned addends, and often not their sum.
template <class A>
inline constexpr bool kHasNarrowWords = [] {
  if constexpr (requires { A::kBits; })
    return A::kBits <= 32;
  else
    return false;
}();
/// Bits of an aligned addend.
template <class A>
constexpr int aligned_width(const Alignment<A>& to) {
  return to.kept() + 3;
}

/// The same where the algebra's own words are too narrow. Not inlined, and all by value: the usual case then
/// needs no memory for what it shares with this one.
template <class A, std::size_t N, class Settled, class Inexact>
MMAPRINT_OUT_OF_LINE constexpr auto add_in_wider_words(const A& a, const PlanWidths& plan, int adder,
                                                       std::span<const Addend<A>, N> addends, Alignment<A> to,
                                                       Settled settled, Inexact inexact) {
  return a.with_width(std::max(to.width, plan.addend_width()), [&](const auto& wide) {
    using Wide = std::remove_cvref_t<decltype(wide)>;
    RowOf<Addend<Wide>, N> imported(addends.size());
    imported.append(addends.size(), [&](std::size_t i) {
      const auto& x = addends[i];
      return Addend<Wide>{x.negative, x.zero, x.exponent, wide.import(x.significand)};
    });
    return add_at_width(a, wide, wide, plan, adder, imported.all(), Alignment<Wide>(to), settled, inexact);
  });
}

/// How an adder with `f` fraction bits aligns; `largest` is the operands' largest exponent, `clamped` the
/// clamp's view.
///
/// No operand of the node has a bit below 2^lowest, so with E = lowest + F nothing is lost, and E may be
/// raised to that without a trace: unless the sum wraps, which happens relative to E. All clamps below it
/// become one formula by this, and an exact sum (whose F reaches from the lowest bit to the top) does not
/// depend on E at all. What rounds as an exact sum of two operands has the exact sum's formula.
template <class A>
[[gnu::always_inline]] constexpr Alignment<A> alignment(const A& a, const PlanWidths& plan, int adder,
                                                        std::optional<int> f, typename A::Int largest,
                                                        typename A::Int clamped, int addends, int products,
                                                        const OperandBits& operand_bits) {
  const int kept = f.value_or(plan.exact_fraction_bits());
  const Loss loss = f ? Loss::by_parameter : Loss::none;
  const SumShape shape = sum_shape(a, plan, adder, addends, products, kept, loss);
  const bool never_wraps = a.template always<Parameter::extra_carry_bits>(
      adder, [&](std::optional<int> carry) { return !carry_can_wrap(carry, shape); });
  if (!never_wraps) return {clamped, loss, shape};
  const auto harmless = [&](int bits) { return a.integer(operand_bits.lowest + bits); };
  if (addends == 2 && products == 1 && rounds_as_exact(a, plan, adder, f, addends, products, operand_bits)) {
    const int bits = plan.sticky_fraction_bits();
    return {a.maximum(largest, harmless(bits)), Loss::sticky,
            sum_shape(a, plan, adder, addends, products, bits, Loss::sticky)};
  }
  const auto raised = [&](const typename A::Int& clamp) {
    return a.maximum(largest, a.maximum(clamp, harmless(kept)));
  };
  return {a.template select_exponent<Parameter::minimum_alignment_exponent>(adder, raised), loss, shape};
}

/// The finite sum of a node's addends, `products` of which are products, of which `bits` tells;
/// `largest` is their largest exponent. Gives settled(result) where that is a zero, inexact(sum) where it
/// still has to be rounded.
template <class A, std::size_t N, class Settled, class Inexact>
constexpr auto add_finite(const A& a, const PlanWidths& plan, int adder,
                          std::span<const Addend<A>, N> addends, int products, const OperandBits& bits,
                          typename A::Bool all_zero, typename A::Int largest, Settled&& settled,
                          Inexact&& inexact) {
  const int count = static_cast<int>(addends.size());
  const auto add = [&] {
    const auto clamped = a.template select_exponent<Parameter::minimum_alignment_exponent>(
        adder, [&](const typename A::Int& clamp) { return a.maximum(largest, clamp); });
    // Evaluation by need: from how many fraction bits on is nothing lost, growth of partial sums included?
    const auto enough = [&](const auto& concrete) {
      int need = 0;
      for (const auto& x : addends)
        if (!concrete.value(x.zero))
          need = std::max(need, concrete.value(clamped) - concrete.value(x.exponent) +
                                    plan.addend_fraction_bits() - concrete.lowest_one(x.significand));
      const bool late = concrete.template always<Parameter::normalisation>(
          adder, [](Normalisation kind) { return kind == Normalisation::late; });
      if (!late) need += 2 + ceil_log2(count);
      return [need](std::optional<int> f) { return f ? std::min(*f, need) : need; };
    };
    return a.template branch<Parameter::alignment_fraction_bits>(adder, enough, [&](std::optional<int> f) {
      const auto to = alignment(a, plan, adder, f, largest, clamped, count, products, bits);
      if (std::max(to.width, plan.addend_width()) <= word_bits(a))
        return add_at_width(a, a, a, plan, adder, addends, to, settled, inexact);
      if constexpr (kHasNarrowWords<A>)
        if (std::max(aligned_width(to), plan.addend_width()) < word_bits(a))
          return a.with_width(to.width, [&](const auto& wide) {
            return add_at_width(a, a, wide, plan, adder, addends, to, settled, inexact);
          });
      return add_in_wider_words(a, plan, adder, addends, to, settled, inexact);
    });
  };
  return a.choose(
      all_zero, [&] { return settled(zero_result(a, plan, adder, addends)); }, add);
}

}  // namespace mmaprint
