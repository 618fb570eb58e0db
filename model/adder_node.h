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

#include "model/aligned_sum.h"
#include "model/inlining.h"
#include "model/rounding.h"
#include "model/row.h"

namespace mmaprint {

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
