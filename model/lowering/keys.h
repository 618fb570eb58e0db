// Layer: evaluation by need's keys.
//
// Replaces: `select` by `branch` with a key, where what follows is long (with_fraction_bits here; in the
// other layers the questions that have a key from this file). CLAIM: values of the parameter whose keys are
// equal give equal outcomes, whatever the other parameters are among those that are still possible. Where a
// parameter's values have an order and its answers follow it (`monotone` in its row), equal answers for the
// lowest and the highest value are everybody's.
//
// A key is a function of the algebra of what is known; it returns a function of the parameter's value. No one
// but evaluation by need asks it.
#pragma once

#include <algorithm>
#include <optional>
#include <span>

#include "model/inlining.h"
#include "model/policies.h"

namespace mmaprint {

namespace keys {

/// F: from how many fraction bits on is nothing lost, growth of partial sums included?
template <class A, std::size_t N>
constexpr auto enough_fraction_bits(const PlanWidths& plan, const NodeShape& node,
                                    std::span<const Addend<A>, N> addends, const typename A::Int& clamped) {
  return [&plan, &node, addends, &clamped](const auto& concrete) {
    int need = 0;
    for (const auto& x : addends) {
      if (concrete.value(x.zero)) continue;
      MMAPRINT_EXPECTS(concrete.value(x.exponent) <= concrete.value(clamped));
      need = std::max(need, concrete.value(clamped) - concrete.value(x.exponent) +
                                plan.addend_fraction_bits() - concrete.lowest_one(x.significand));
    }
    const bool late = concrete.template always<Parameter::normalisation>(
        node.adder, [](Normalisation kind) { return kind == Normalisation::late; });
    if (!late) need += 2 + ceil_log2(node.addends);
    return [need](std::optional<int> f) { return f ? std::min(*f, need) : need; };
  };
}

/// Alignment rounding: it matters only where a one is lost. An addend at E loses its `drop` lowest bits.
template <class A, class Aligner>
constexpr auto bits_lost(const A& a, const typename A::Int& exponent, int drop, const Addend<A>& x,
                         const Aligner& aligner) {
  return [&a, &exponent, drop, &x, &aligner](const auto& concrete) {
    const int lost_below = concrete.value(a.subtract(exponent, x.exponent)) + drop;
    const bool lost = !concrete.value(x.zero) && concrete.lowest_one(x.significand) < lost_below;
    return [&x, &aligner, lost](AlignmentRounding mode) {
      return lost ? aligner.rounded(x, mode) : x.significand;
    };
  };
}

/// A kind's own alignment rounding: the same, and where a one is lost each has an answer of its own.
template <class A>
constexpr auto own_bits_lost(const A& a, const typename A::Int& exponent, int drop, const Addend<A>& x) {
  return [&a, &exponent, drop, &x](const auto& concrete) {
    const int lost_below = drop + concrete.value(a.subtract(exponent, x.exponent));
    const bool lost = !concrete.value(x.zero) && concrete.lowest_one(x.significand) < lost_below;
    return [lost](OwnAlignmentRounding own) { return lost ? own : OwnAlignmentRounding::as_others; };
  };
}

/// F of one kind of operands: from how many fraction bits on does this kind lose nothing?
template <class A, std::size_t N>
constexpr auto enough_own_fraction_bits(const PlanWidths& plan, const NodeShape& node, OperandKind kind,
                                        std::span<const Addend<A>, N> addends, const typename A::Int& clamped,
                                        std::optional<int> others) {
  return [&plan, &node, kind, addends, &clamped, others](const auto& concrete) {
    int need = 0;
    for (std::size_t i = 0; i < addends.size(); ++i)
      if (const auto& x = addends[i]; node.kinds[i] == kind && !concrete.value(x.zero))
        need = std::max(need, concrete.value(clamped) - concrete.value(x.exponent) +
                                  plan.addend_fraction_bits() - concrete.lowest_one(x.significand));
    return [need, others](std::optional<int> own) {
      const auto f = own ? own : others;
      return f ? std::min(*f, need) : need;
    };
  };
}

/// c dropped below some exponent: is this operand?
template <class A>
constexpr auto is_dropped(const A& a, const typename A::Int& exponent, const Addend<A>& x) {
  return [&a, &exponent, &x](const auto& concrete) {
    const int below = concrete.value(a.subtract(exponent, x.exponent));
    const bool zero = concrete.value(x.zero);
    return [below, zero](std::optional<int> t) { return t && !zero && below > *t; };
  };
}

/// Normalisation: does any partial sum of what is aligned reach beyond 2^(E+1) with a bit to lose?
template <class Words, std::size_t N>
constexpr auto partial_sums_lose(std::span<const typename Words::Word, N> aligned,
                                 std::span<const Addend<Words>, N> addends, int width, int kept) {
  MMAPRINT_EXPECTS(aligned.size() == addends.size());
  return [aligned, addends, width, kept](const auto& concrete) {
    auto sum = concrete.zero_sum(width);
    bool lost = false;
    for (std::size_t i = 0; i < aligned.size(); ++i) {
      sum = concrete.add_signed(sum, aligned[i], addends[i].negative);
      const auto magnitude = concrete.magnitude(sum);
      lost = lost || (i > 0 && concrete.length(magnitude) > kept + 1);
    }
    return [lost](Normalisation kind) { return lost && kind == Normalisation::immediate; };
  };
}

/// Carry bits: the accumulator with the fewest of them holds sums below 2^(E+1).
template <class Sum, class Wrap>
constexpr auto leaves_range(const Sum& sum, int kept, const Wrap& wrap) {
  return [&sum, kept, &wrap](const auto& concrete) {
    const bool fits = concrete.length(concrete.magnitude(sum)) <= kept + 1;
    return [&sum, &wrap, fits](std::optional<int> carry) { return fits ? sum : wrap(carry); };
  };
}

/// The result's fraction bits: from how many on is nothing rounded? `placed` has `total` bits, of which the
/// lowest is beyond all that a result of precision p can have.
template <class A>
constexpr auto enough_result_bits(const typename A::Word& placed, const typename A::Bool& lost, int p,
                                  int total) {
  MMAPRINT_EXPECTS(p < total);
  return [&placed, &lost, p, total](const auto& concrete) {
    MMAPRINT_EXPECTS(concrete.length(placed) <= total);
    const int need = concrete.value(lost) ? p : total - 1 - concrete.lowest_one(placed);
    return [need](int f) { return std::min(f, need); };
  };
}

/// The result's fraction bits: would going up carry beyond the leading bit of a sum where that matters, and
/// what lies below what is kept?
template <class A, class Carries, class Half, class Rest>
constexpr auto carries_beyond(const typename A::Bool& matters, const Carries& carries, const Half& half,
                              const Rest& rest) {
  return [&](const auto& concrete) {
    const bool may = concrete.value(matters);
    return [&, may](int f) {
      if (!may || !concrete.value(carries(f, concrete.truth(true)))) return 0;
      return 1 + (concrete.value(half(f)) ? 2 : 0) + (concrete.value(rest(f)) ? 1 : 0);
    };
  };
}

}  // namespace keys

template <class Below>
struct FractionBitsByNeed : Below {
  template <class A, std::size_t N, class Fn>
  MMAPRINT_INLINE static constexpr auto with_fraction_bits(const A& a, const PlanWidths& plan,
                                                           const NodeShape& node,
                                                           std::span<const Addend<A>, N> addends,
                                                           const typename A::Int& clamped, Fn&& fn) {
    return a.template branch<Parameter::alignment_fraction_bits>(
        node.adder, keys::enough_fraction_bits<A>(plan, node, addends, clamped), fn);
  }
  template <class A, std::size_t N, class Fn>
  static constexpr auto with_own_fraction_bits(const A& a, const PlanWidths& plan, const NodeShape& node,
                                               std::span<const Addend<A>, N> addends,
                                               const typename A::Int& clamped, std::optional<int> f,
                                               Fn&& fn) {
    const auto enough = [&](OperandKind kind) {
      return keys::enough_own_fraction_bits<A>(plan, node, kind, addends, clamped, f);
    };
    return a.template branch<Parameter::carried_fraction_bits>(
        node.adder, enough(OperandKind::carried), [&](std::optional<int> carried) {
          return a.template branch<Parameter::c_fraction_bits>(
              node.adder, enough(OperandKind::c),
              [&](std::optional<int> c) { return fn(policy::fraction_bits(node, f, carried, c)); });
        });
  }
};

}  // namespace mmaprint
