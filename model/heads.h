// Operands by the heads of their patterns: the bits from the exponent up. Part of the layers in
// finite_blocks.h and batch_evaluator.h, which say what is claimed.
#pragma once

#include <vector>

#include "model/prepared_operand.h"
#include "model/unit_model.h"
#include "model/wide.h"

namespace mmaprint {

/// The operands of one format, as words with the significand lowest.
class Heads {
 public:
  using Prepared = std::uint64_t;

  /// prepare(pattern) gives a PreparedOperand.
  template <class Prepare>
  Heads(const FormatInfo& f, Prepare&& prepare) {
    constexpr int kAllHead = 8;  // of what is narrower much is not plain
    const int bits = f.container_bits <= kAllHead ? 0 : f.fraction_bits;
    low_ = f.ignored_low_bits;
    head_ = low_ + bits;
    fraction_ = low_ones<Prepared>(bits);
    for (Pattern head = 0; head <= f.pattern_mask() >> head_; ++head) {
      // All fractions are as the lowest and the highest: one of them is not plain if any is. (The exponent is
      // that of nonzero operands.)
      const Prepared one = bits == 0 ? 0 : 1;
      const Prepared entry = prepare(head << head_ | one << low_) & ~one;
      const auto is = [&](Prepared fraction) {
        return prepare(head << head_ | fraction << low_) == PreparedOperand::with_zero(entry | fraction);
      };
      const bool plain = (entry & PreparedOperand::kSpecial) == 0 && is(0) && is(fraction_);
      entries_.push_back(plain ? entry : PreparedOperand::kSpecial);
    }
  }

  /// The operand; or it is not plain, and all_plain(seen) false from now on.
  [[nodiscard]] Prepared operator()(Pattern p, Prepared& seen) const {
    const Prepared entry = entries_[p >> head_];
    seen |= entry;
    return PreparedOperand::with_zero(entry | (p >> low_ & fraction_));
  }
  [[nodiscard]] bool all_plain(Prepared seen) const { return (seen & PreparedOperand::kSpecial) == 0; }

 private:
  int low_, head_;
  std::uint64_t fraction_;
  std::vector<Prepared> entries_;
};

/// The heads of PreparedOperands of a format whose significands have room in them, subnormals treated so.
/// Made when first asked for.
[[nodiscard]] const Heads& heads_of(const FormatInfo& f, Subnormals subnormals);

}  // namespace mmaprint
