// Layer: words as wide as they have to be.
//
// Replaces: the one word in which a node aligns and adds (add).
// CLAIM: the same sums, as every word holds what is put into it: aligned addends fit `aligned_width` bits and
// sums `width` bits.
//
// Needs the accumulator relative to E below it.
#pragma once

#include "model/inlining.h"
#include "model/lowering/accumulator.h"

namespace mmaprint {

/// Words of 32 bits hold most aligned addends, and often not their sum.
template <class A>
inline constexpr bool kHasNarrowWords = [] {
  if constexpr (requires { A::kBits; })
    return A::kBits <= 32;
  else
    return false;
}();

template <class Below>
struct FittingWords : Below {
  template <class Spec, class A, std::size_t N, class OnCancelled, class OnSum>
  MMAPRINT_INLINE static constexpr auto add(const A& a, const PlanWidths& plan, const NodeShape& node,
                                            std::span<const Addend<A>, N> addends,
                                            const RelativeAlignment<A>& to, OnCancelled&& on_cancelled,
                                            OnSum&& on_sum) {
    MMAPRINT_EXPECTS(aligned_width(to) <= to.width);
    MMAPRINT_EXPECTS(std::ranges::all_of(
        addends, [&](const Addend<A>& x) { return fits(a, x.significand, plan.addend_width()); }));
    if (std::max(to.width, plan.addend_width()) <= word_bits(a))
      return Spec::align_and_add(a, a, a, plan, node, addends, to, on_cancelled, on_sum);
    if constexpr (kHasNarrowWords<A>)
      if (std::max(aligned_width(to), plan.addend_width()) < word_bits(a))
        return a.with_width(to.width, [&](const auto& wide) {
          MMAPRINT_ENSURES(to.width <= word_bits(wide));
          return Spec::align_and_add(a, a, wide, plan, node, addends, to, on_cancelled, on_sum);
        });
    return in_wider_words<Spec>(a, plan, node, addends, to, on_cancelled, on_sum);
  }

 private:
  /// Where the algebra's own words are too narrow. Not inlined, and all by value: the usual case then needs
  /// no memory for what it shares with this one.
  template <class Spec, class A, std::size_t N, class OnCancelled, class OnSum>
  MMAPRINT_OUT_OF_LINE static constexpr auto in_wider_words(const A& a, const PlanWidths& plan,
                                                            const NodeShape& node,
                                                            std::span<const Addend<A>, N> addends,
                                                            RelativeAlignment<A> to, OnCancelled on_cancelled,
                                                            OnSum on_sum) {
    return a.with_width(std::max(to.width, plan.addend_width()), [&](const auto& wide) {
      MMAPRINT_ENSURES(std::max(to.width, plan.addend_width()) <= word_bits(wide));
      using Wide = std::remove_cvref_t<decltype(wide)>;
      RowOf<Addend<Wide>, N> imported(addends.size());
      imported.append(addends.size(), [&](std::size_t i) {
        const auto& x = addends[i];
        return Addend<Wide>{x.negative, x.zero, x.exponent, wide.import(x.significand)};
      });
      return Spec::align_and_add(a, wide, wide, plan, node, imported.all(), RelativeAlignment<Wide>(to),
                                 on_cancelled, on_sum);
    });
  }
};

}  // namespace mmaprint
