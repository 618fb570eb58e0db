// Inputs made for two models find what millions of random ones may not.
#include "inference/edge_inputs.h"

#include <gtest/gtest.h>

#include <string>
#include <string_view>

#include "device/catalogue.h"
#include "model/evaluator.h"
#include "model/skeletons.h"
#include "support/chains.h"

namespace mmaprint::edge_inputs_test {
namespace {

/// One node of four products and c that rounds to odd, so that anything lost shows; subnormal factors are
/// flushed, and products don't reach far below the clamp.
UnitModel with_clamp(std::optional<int> clamp, const Signature& formats) {
  ChainParameters values;
  values.block.alignment_fraction_bits = 25;
  values.block.alignment_rounding = AlignmentRounding::nearest_even;
  values.block.minimum_alignment_exponent = clamp;
  values.block.rounding = Rounding::odd;
  values.block.output_fraction_bits = info(formats.d).fraction_bits;
  values.conventions.input_subnormals = Subnormals::flushed;
  return chain_model("edges", 4, formats, Chain{{{0, 1, 2, 3}}, CEnters::first}, values,
                     canonical_nan(formats.d));
}

TEST(EdgeInputs, FindClampsThatOnlyNearlyCancellingProductsShow) {
  constexpr Signature kFormats{Format::e5m2, Format::e5m2, Format::fp16, Format::fp16};
  const UnitModel none = with_clamp(std::nullopt, kFormats);
  for (const int clamp : {-3, -4, -5, -6}) {
    const UnitModel other = with_clamp(clamp, kFormats);
    for (const auto& [x, y] : {std::pair(&none, &other), std::pair(&other, &none)}) {
      const auto input = difference_at_edges(*x, *y, 1);
      ASSERT_TRUE(input) << clamp;
      EXPECT_NE(evaluate(*x, *input), evaluate(*y, *input)) << clamp;
    }
  }
}

TEST(EdgeInputs, FindNeighbouringClampsBelowWhatResultsCanBe) {
  constexpr Signature kFormats{Format::bf16, Format::bf16, Format::fp32, Format::fp32};
  for (const int clamp : {-100, -133, -150, -200})
    EXPECT_TRUE(difference_at_edges(with_clamp(clamp, kFormats), with_clamp(clamp - 1, kFormats), 1))
        << clamp;
}

/// Products of one scale are near each other; c has larger exponents than the clamps, and is zero then.
TEST(EdgeInputs, FindClampsThatOnlyScaledProductsOfTheSmallestResultsShow) {
  const std::string_view block = "tcgen05.m128n8k32.kind::mxf8f6f4.block32.f32.";
  for (const std::string_view formats : {"e2m1.e2m1.ue8m0", "e2m1.e2m3.ue8m0", "e3m2.e2m1.ue8m0"}) {
    UnitModel none = *catalogued_model("b200", std::string(block) + std::string(formats));
    none.adders.front().minimum_alignment_exponent = std::nullopt;
    for (const int clamp : {-130, -132}) {
      UnitModel other = none;
      other.adders.front().minimum_alignment_exponent = clamp;
      const auto input = difference_at_edges(none, other, 1);
      ASSERT_TRUE(input) << formats << ' ' << clamp;
      EXPECT_NE(evaluate(none, *input), evaluate(other, *input));
    }
  }
}

/// Blocks of NVFP4 have few bits each, and together they reach from the smallest result to far below it; and
/// products of one block are aligned one by one.
TEST(EdgeInputs, FindClampsThatOnlySumsOfManyScaledBlocksShow) {
  const std::string_view nvfp4 = "mma.m16n8k64.kind::mxf4nvf4.block16.f32.e2m1.e2m1.f32.ue8m0";
  const std::string_view mxfp8 = "mma.m16n8k32.kind::mxf8f6f4.block32.f32.e5m2.e4m3.f32.ue8m0";
  for (const std::string_view name : {nvfp4, mxfp8}) {
    const UnitModel unit = *catalogued_model("rtxpro6000", name);
    for (const std::optional<int> clamp : {std::optional<int>{}, std::optional(-126), std::optional(-145)}) {
      UnitModel other = unit;
      other.adders.back().minimum_alignment_exponent = clamp;
      const auto input = difference_at_edges(unit, other, 1);
      ASSERT_TRUE(input) << name << ' ' << clamp.value_or(0);
      EXPECT_NE(evaluate(unit, *input), evaluate(other, *input));
    }
  }
}

/// Some of their products are more than 64 bits above the smallest.
TEST(EdgeInputs, AreMadeOfScaledFactorsOfManyExponents) {
  const UnitModel unit =
      *catalogued_model("rtxpro6000", "mma.m16n8k32.kind::mxf8f6f4.block32.f32.e5m2.e5m2.f32.ue8m0");
  UnitModel other = unit;
  other.adders.back().minimum_alignment_exponent = -126;
  const auto input = difference_at_edges(unit, other, 1);
  ASSERT_TRUE(input);
  EXPECT_NE(evaluate(unit, *input), evaluate(other, *input));
}

/// A small sum of the other sign is beside a large one of an earlier node.
TEST(EdgeInputs, FindClampsOfChainsOfScaledBlocks) {
  Signature formats{.a = Format::e2m1, .b = Format::e2m1, .c = Format::fp16, .d = Format::fp16};
  formats.sa = formats.sb = Scales{Format::ue8m0, 4};
  Adder adder = exact_adder(Format::fp16, Rounding::toward_zero);
  adder.alignment_fraction_bits = 38;
  adder.alignment_rounding = AlignmentRounding::nearest_even;
  const Adder exact = exact_adder(Format::fp16, Rounding::toward_zero);
  const UnitModel unit{"chain",
                       16,
                       formats,
                       chain_of_scaled_groups(16, 4, 1, CEnters::last),
                       {exact, adder, exact},
                       {},
                       canonical_nan(Format::fp16)};
  UnitModel other = unit;
  other.adders[1].minimum_alignment_exponent = -9;
  const auto input = difference_at_edges(unit, other, 1);
  ASSERT_TRUE(input);
  EXPECT_NE(evaluate(unit, *input), evaluate(other, *input));
}

/// A sum of zeros has the exponent of one of them, and c is dropped beside it, or not; -37 is too low for
/// that.
TEST(EdgeInputs, FindZerosThatShowOnlyWhereCarriedSumsJoinC) {
  const UnitModel left_out = *catalogued_model("mi300", "mfma.f32_32x32x16_fp8_bf8");
  for (const ZeroAddends zeros : {ZeroAddends::factor_exponent(-36), ZeroAddends::factor_exponent(-30),
                                  ZeroAddends::as_exponent(-21), ZeroAddends::as_exponent(-10)}) {
    UnitModel other = left_out;
    other.adders.front().zero_addends = zeros;
    for (const auto& [x, y] : {std::pair(left_out, other), std::pair(other, left_out)}) {
      const auto input = difference_at_edges(x, y, 1);
      ASSERT_TRUE(input) << zeros.exponent();
      EXPECT_NE(evaluate(x, *input), evaluate(y, *input)) << zeros.exponent();
    }
  }
  UnitModel other = left_out;
  other.adders.front().zero_addends = ZeroAddends::factor_exponent(-37);
  EXPECT_FALSE(difference_at_edges(left_out, other, 1));
}

/// Formats without -0 have products that are -0: of +0 and a number below zero, all of them.
TEST(EdgeInputs, FindTheSignOfASumOfZerosWhereNoFactorIsMinusZero) {
  const UnitModel unit = *catalogued_model("mi300-31bit", "mfma.f32_32x32x16_fp8_fp8");
  UnitModel other = unit;
  other.conventions.zero_sign.all_zero = ZeroSign::positive;
  const auto input = difference_at_edges(unit, other, 1);
  ASSERT_TRUE(input);
  EXPECT_NE(evaluate(unit, *input), evaluate(other, *input));
}

TEST(EdgeInputs, FindNothingBetweenModelsThatComputeAlike) {
  constexpr Signature kFormats{Format::e5m2, Format::e5m2, Format::fp16, Format::fp16};
  EXPECT_FALSE(difference_at_edges(with_clamp(std::nullopt, kFormats), with_clamp(-40, kFormats), 1));
}

}  // namespace
}  // namespace mmaprint::edge_inputs_test
