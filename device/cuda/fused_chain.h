// Chains of fused multiply-adds (model/fused_chain.h) by the instructions of a GPU, of which there is one for
// each rounding; on the host, for tests, by its own.
#pragma once

#include <bit>

#include "device/cuda/both.h"
#include "model/flat_evaluator.h"
#include "model/fused_chain.h"
#include "model/nan_rule.h"
#include "model/pattern.h"

namespace mmaprint {

class FusedChainEvaluator {
 public:
  using Prepared = Pattern;
  /// Refers to the unit. Requires that of a fused chain.
  constexpr explicit FusedChainEvaluator(const FlatUnit& unit) : unit_(&unit) {}

  [[nodiscard]] constexpr Prepared prepare_a(Pattern p) const { return p; }
  [[nodiscard]] constexpr Prepared prepare_b(Pattern p) const { return p; }
  /// Is there a way that is quicker where this is an operand of none?
  [[nodiscard]] static constexpr bool is_special(Prepared /*x*/) { return true; }
  /// The product that stands at place k of prepared rows.
  [[nodiscard]] constexpr int index_at(int k) const { return unit_->products[k]; }
  [[nodiscard]] MMAPRINT_BOTH Pattern operator()(const Prepared* a, const Prepared* b, Pattern c) const {
    Pattern d = c;
    for (int k = 0; k < unit_->widths.k; ++k) d = fused(a[k], b[k], d);
    if (!is_nan(unit_->widths.d, d)) return d;
    return unit_->by_rule ? nan(a, b, c) : unit_->nan;
  }

 private:
  /// Of a result that is one, by the unit's rule.
  [[nodiscard]] MMAPRINT_BOTH Pattern nan(const Prepared* a, const Prepared* b, Pattern c) const {
    using Algebra = FlatWords<std::uint64_t, std::uint64_t, FlatParameters>;
    FlatParameters source(*unit_);
    const Algebra algebra(source);
    const FlatPlan<FlatNode> plan(*unit_);
    typename FlatPlan<FlatNode>::template Results<Operand<Algebra>> results(plan.nodes.size());
    Pattern d = c;
    for (int k = 0; k < unit_->widths.k; ++k) {
      d = fused(a[k], b[k], d);
      results.push_back(decode(algebra, unit_->widths.d, {d}));
    }
    return nan_by_rule(plan, unit_->rule, MachineOperands<Algebra>(algebra, unit_->widths, a, b, c), results);
  }
  [[nodiscard]] MMAPRINT_BOTH Pattern fused(Pattern a, Pattern b, Pattern c) const {
    const Rounding rounding = unit_->adders[0].rounding;
    const auto x = std::bit_cast<double>(a), y = std::bit_cast<double>(b), z = std::bit_cast<double>(c);
#if defined(__CUDA_ARCH__)
    switch (rounding) {
      case Rounding::toward_zero:
        return std::bit_cast<Pattern>(__fma_rz(x, y, z));
      case Rounding::up:
        return std::bit_cast<Pattern>(__fma_ru(x, y, z));
      case Rounding::down:
        return std::bit_cast<Pattern>(__fma_rd(x, y, z));
      default:
        return std::bit_cast<Pattern>(__fma_rn(x, y, z));
    }
#else
    return std::bit_cast<Pattern>(fused_on_host(x, y, z, rounding));
#endif
  }

  const FlatUnit* unit_;
};

}  // namespace mmaprint
