// The datapath on a flat integer unit with narrow factors, for device code and for the host alike: factors
// are decoded once, to signed machine words.
#pragma once

#include "model/flat_evaluator.h"

namespace mmaprint {

class IntegerEvaluator {
  using Algebra = FlatWords<std::uint64_t, std::uint64_t, FlatParameters>;

 public:
  using Prepared = std::int32_t;
  /// A factor's value bits, so that a product is a Prepared, too.
  static constexpr int kMostBits = 15;
  /// Refers to the unit. Requires integers whose sums fit words of 64 bits, and factors of so few.
  constexpr explicit IntegerEvaluator(const FlatUnit& unit) : unit_(&unit) {}

  [[nodiscard]] constexpr Prepared prepare_a(Pattern p) const { return prepare(unit_->widths.a, p); }
  [[nodiscard]] constexpr Prepared prepare_b(Pattern p) const { return prepare(unit_->widths.b, p); }
  /// Is there a way that is quicker where this is an operand of none?
  [[nodiscard]] static constexpr bool is_special(Prepared /*x*/) { return true; }
  /// The product that stands at place k of prepared rows.
  [[nodiscard]] constexpr int index_at(int k) const { return k; }
  [[nodiscard]] constexpr Pattern operator()(const Prepared* a, const Prepared* b, Pattern c) const {
    FlatParameters source(*unit_);
    const Algebra algebra(source);
    const bool exclusive_or = unit_->adders[0].product == ProductKind::exclusive_or;
    return low_word(Lowered::integer_dot(algebra, FlatPlan<FlatNode>(*unit_),
                                         Operands{&algebra, &unit_->widths.c, a, b, c, exclusive_or})
                        .value);
  }

 private:
  [[nodiscard]] constexpr Prepared prepare(const FormatInfo& f, Pattern p) const {
    FlatParameters source(*unit_);
    const FlatWords<std::uint32_t, std::uint32_t, FlatParameters> narrow(source);
    const auto x = decode(narrow, f, {static_cast<std::uint32_t>(p)});
    const auto magnitude = static_cast<Prepared>(x.significand.value);
    return x.negative.value ? -magnitude : magnitude;
  }
  struct Operands {
    const Algebra* algebra;
    const FormatInfo* format_c;
    const Prepared* a;
    const Prepared* b;
    Pattern pattern_c;
    bool exclusive_or;
    [[nodiscard]] constexpr Prepared signed_product(std::size_t k) const {
      return exclusive_or ? (a[k] ^ b[k]) & 1 : a[k] * b[k];
    }
    [[nodiscard]] constexpr Operand<Algebra> c() const { return decode(*algebra, *format_c, {pattern_c}); }
  };

  const FlatUnit* unit_;
};

}  // namespace mmaprint
