// Exact conversions in as few bits as they take, against the rounding conversion into the whole format.
#include "model/conversion.h"

#include <gtest/gtest.h>

#include "model/concrete.h"
#include "model/plan.h"

namespace mmaprint::conversion_test {
namespace {

using enum Format;
using Plain = Concrete<std::uint64_t, NoParameters>;

/// Equal as numbers and in the exponent that takes part in alignment; `narrow` has fewer fraction bits.
void expect_same(const Operand<Plain>& whole, const FormatInfo& f, const Operand<Plain>& narrow,
                 const FormatInfo& g) {
  ASSERT_EQ(whole.nan, narrow.nan);
  ASSERT_EQ(whole.infinite, narrow.infinite);
  ASSERT_EQ(whole.negative, narrow.negative);
  if (whole.nan.value || whole.infinite.value) return;
  ASSERT_EQ(whole.significand.value, narrow.significand.value << (f.fraction_bits - g.fraction_bits));
  ASSERT_EQ(whole.exponent, narrow.exponent);
}

TEST(ExactConversion, InFewerBitsIsTheConversionIntoTheWholeFormat) {
  NoParameters none;
  const Plain a(none);
  int pairs = 0;
  for (const Format container : {e4m3, e5m2, e4m3fnuz, e5m2fnuz, e3m2, e2m3, e2m1, ue4m3, fp16, bf16})
    for (const Format compute : {fp64, fp32, tf32, bf16, fp16, e5m2, e4m3, e2m3}) {
      const Converted path{compute, Conversion::exact};
      if (compute == container || not_convertible(container, path)) continue;
      ++pairs;
      const PlanWidths widths({container, fp16, fp32, fp32}, 1, {path, std::nullopt, std::nullopt});
      ASSERT_LE(widths.a.fraction_bits, info(compute).fraction_bits);
      for (Pattern p = 0; p <= info(container).pattern_mask(); ++p) {
        SCOPED_TRACE(std::string(name(container)) + " " + std::to_string(p) + " as " +
                     std::string(name(compute)));
        const auto whole = converted(a, info(container), info(compute), Rounding::nearest_even,
                                     decode(a, info(container), {p}));
        expect_same(whole, info(compute), read_pattern(a, widths.from_a, widths.a, {p}), widths.a);
        if (testing::Test::HasFatalFailure()) return;
      }
    }
  EXPECT_GE(pairs, 20);
}

}  // namespace
}  // namespace mmaprint::conversion_test
