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

  /// prepare(pattern) decodes; what is special has bits of `special` set.
  template <class Prepare>
  Heads(const FormatInfo& f, Prepared special, Prepare&& prepare) : special_(special) {
    constexpr int kAllHead = 8;  // of what is narrower much is not plain
    const int bits = f.container_bits <= kAllHead ? 0 : f.fraction_bits;
    low_ = f.ignored_low_bits;
    head_ = low_ + bits;
    fraction_ = low_ones<Prepared>(bits);
    for (Pattern head = 0; head <= f.pattern_mask() >> head_; ++head) {
      // All fractions are as the lowest and the highest: one of them is not plain if any is.
      const Prepared first = prepare(head << head_), last = prepare(head << head_ | fraction_ << low_);
      const bool plain = (first & special) == 0 && last == (first | fraction_);
      entries_.push_back(plain ? first : special);
    }
  }

  /// The operand; or it is not plain, and all_plain(seen) false from now on.
  [[nodiscard]] Prepared operator()(Pattern p, Prepared& seen) const {
    const Prepared entry = entries_[p >> head_];
    seen |= entry;
    return entry | (p >> low_ & fraction_);
  }
  [[nodiscard]] bool all_plain(Prepared seen) const { return (seen & special_) == 0; }

 private:
  Prepared special_;
  int low_, head_;
  std::uint64_t fraction_;
  std::vector<Prepared> entries_;
};

/// The heads of PreparedOperands of a format whose significands have room in them, subnormals treated so.
/// Made when first asked for.
[[nodiscard]] const Heads& heads_of(const FormatInfo& f, Subnormals subnormals);

}  // namespace mmaprint
