// Units as processors' FMA and dot-product instructions are, found and proved in the default space.
#include <gtest/gtest.h>

#include "model/hypotheses.h"
#include "support/generate.h"
#include "whole_search.h"

namespace mmaprint::few_products_units_test {
namespace {

using enum Format;

/// IEEE 754's fused multiply-add with MXCSR's FTZ and DAZ, and x86's NaNs.
UnitModel fma(Format f, Rounding rounding, bool flushes, const Chain& chain, Format factors) {
  ChainParameters values;
  values.block = exact_adder(f, rounding);
  values.final_rounding = rounding;
  values.conventions.overflow = Overflow::by_direction;
  if (flushes) {
    values.conventions.input_subnormals = values.conventions.c_subnormals = Subnormals::flushed;
    values.conventions.output_subnormals = Subnormals::flushed;
    values.conventions.flush_test = FlushTest::after_unbounded;
  }
  const int k = static_cast<int>(chain.blocks.size());
  UnitModel model = chain_model("fma", k, {factors, factors, f, f}, chain, values, std::nullopt);
  NanRule rule;
  rule.sum = NanRule::Sum::last;
  rule.invalid = NanRule::Invalid::last;
  rule.generated = canonical_nan(f) | Pattern{1} << info(f).sign_bit();
  model.nan = rule;
  return model;
}

void expect_proved(const UnitModel& hidden) {
  const Characterisation found = samples::expect_found(hidden, {});
  EXPECT_EQ(found.result.verdict(), Identification::Verdict::equivalent);
  EXPECT_EQ(found.search.space.skeletons,
            default_space(hidden.instruction, hidden.k, hidden.formats).skeletons);
  ASSERT_TRUE(found.result.model.has_value());
  EXPECT_EQ(found.result.model->nan, hidden.nan);
}

TEST(UnitsOfOneProduct, OverflowByDirection) {
  for (const Rounding rounding : {Rounding::up, Rounding::down})
    expect_proved(fma(fp32, rounding, false, {{{0}}, CEnters::first}, fp32));
}

TEST(UnitsOfOneProduct, AreFlushedAsIeee754TestsForUnderflowAfterRounding) {
  expect_proved(fma(fp32, Rounding::nearest_even, true, {{{0}}, CEnters::first}, fp32));
  if (test::counts_are_reduced()) GTEST_SKIP() << test::kTakesMinutesThen;
  expect_proved(fma(fp64, Rounding::down, true, {{{0}}, CEnters::first}, fp64));
}

/// As vdpbf16ps.
TEST(UnitsOfTwoProducts, AreFlushedAsIeee754TestsForUnderflowAfterRounding) {
  if (test::counts_are_reduced()) GTEST_SKIP() << test::kTakesMinutesThen;
  expect_proved(fma(fp32, Rounding::nearest_even, true, {{{1}, {0}}, CEnters::first}, bf16));
}

TEST(IntegersOf16Bits, AreFoundToSaturateOnce) {
  const Signature formats{int16, uint16, int32, int32};
  ChainParameters values;
  values.block = exact_adder(int32, Rounding::nearest_even);
  values.conventions.overflow = Overflow::saturate;
  samples::expect_found(chain_model("dot", 2, formats, {{{0, 1}}, CEnters::first}, values, std::nullopt), {});
}

}  // namespace
}  // namespace mmaprint::few_products_units_test
