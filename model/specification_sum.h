// What a unit computes: a node's addends are aligned, by the lowering, and added (step 5). See
// model/specification.h.
#pragma once

#include <span>

#include "model/checks.h"
#include "model/inlining.h"
#include "model/row.h"
#include "model/summand.h"

namespace mmaprint {

template <class L>
struct SumSteps {
  /// Aligns in `words` and adds in `wide` (plainly: both are `a`).
  template <class A, class Words, class Wide, std::size_t N, class To, class OnCancelled, class OnSum>
  MMAPRINT_INLINE static constexpr auto align_and_add(const A& a, const Words& words, const Wide& wide,
                                                      const PlanWidths& plan, const NodeShape& node,
                                                      std::span<const Addend<Words>, N> addends, const To& to,
                                                      OnCancelled&& on_cancelled, OnSum&& on_sum) {
    RowOf<typename Words::Word, N> aligned(addends.size());
    L::align(words, plan, node, addends, to, aligned);
    const auto sum = aligned_sum<Wide, Words>(wide, plan, node.adder, aligned.all(), addends, to);
    MMAPRINT_ENSURES(sum_fits(wide, sum, to.width - 1));
    const auto magnitude = wide.magnitude(sum);
    return a.choose(
        wide.is_zero(magnitude), [&] { return on_cancelled(to); },
        [&] { return on_sum(wide, wide.is_negative(sum), magnitude, to); });
  }

  /// The sum of aligned addends: all at once and wrapped once, or one after the other. Partial sums are
  /// wrapped first, and only then lose bits; the first operand, as it is, does not, unless it is alone.
  template <class A, class Words, std::size_t N, class To>
  MMAPRINT_INLINE static constexpr typename A::Sum aligned_sum(
      const A& a, const PlanWidths& plan, int adder, std::span<const typename Words::Word, N> aligned,
      std::span<const Addend<Words>, N> addends, const To& to) {
    const auto late = [&] {
      auto sum = a.zero_sum(to.width);
      for (std::size_t i = 0; i < aligned.size(); ++i)
        sum = a.add_signed(sum, aligned[i], addends[i].negative);
      return L::wrapped(a, plan, adder, sum, to);
    };
    const auto immediate = [&] {
      auto sum = a.zero_sum(to.width);
      for (std::size_t i = 0; i < aligned.size(); ++i) {
        sum = a.add_signed(sum, aligned[i], addends[i].negative);
        MMAPRINT_ENSURES(sum_fits(a, sum, to.width - 1));
        if (i > 0) sum = L::normalised(a, plan, adder, L::wrapped(a, plan, adder, sum, to), to);
      }
      return aligned.size() == 1 ? L::wrapped(a, plan, adder, sum, to) : sum;
    };
    return L::template with_normalisation<Words>(a, adder, aligned, addends, to, [&](Normalisation kind) {
      return kind == Normalisation::late ? late() : immediate();
    });
  }
};

}  // namespace mmaprint
