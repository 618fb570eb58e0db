// Exact sums take no more bits than their operands can need: what needs all of them.
#include <gtest/gtest.h>

#include "model/evaluator.h"
#include "support/chains.h"

namespace mmaprint::exact_sums_test {
namespace {

constexpr Pattern kLargest = 0x7BFF, kMinusLargest = 0xFBFF, kSmallest = 0x0001;  // of FP16

/// Earlier results are larger than any product.
TEST(ExactSums, KeepTheLastBitOfTheSmallestProductBesideEarlierResultsThatCancel) {
  constexpr Signature kFormats{Format::fp16, Format::fp16, Format::fp16, Format::fp32};
  const Tree tree{{{{ProductLeaf{0}, ProductLeaf{1}}, 0, Format::fp32},
                   {{ProductLeaf{2}, ProductLeaf{3}}, 0, Format::fp32},
                   {{NodeLeaf{0}, NodeLeaf{1}, ProductLeaf{4}, CLeaf{}}, 0, {}}}};
  const ParameterValues values{{exact_adder(Format::fp32, Rounding::nearest_even)}, {}};
  const UnitModel model =
      unit_model("exact", 5, kFormats, Skeleton{{}, tree}, values, canonical_nan(Format::fp32));
  const DotInput input{{kLargest, kLargest, kMinusLargest, kMinusLargest, kSmallest},
                       {kLargest, kLargest, kLargest, kLargest, kSmallest},
                       0};
  constexpr Pattern kTwoToMinus48 = (127U - 48U) << 23;
  EXPECT_EQ(evaluate(model, input), kTwoToMinus48);
}

/// Addends have as many fraction bits as D, which are more than such operands span.
TEST(ExactSums, KeepTheSmallestCWhereOnlyTheResultHasMoreBits) {
  constexpr Signature kFormats{Format::e4m3fnuz, Format::e4m3fnuz, Format::fp16, Format::fp64};
  ChainParameters values;
  values.block.rounding = Rounding::nearest_even;
  values.block.output_fraction_bits = info(Format::fp64).fraction_bits;
  const UnitModel model =
      chain_model("exact", 2, kFormats, Chain{{{0, 1}}, CEnters::first}, values, canonical_nan(Format::fp64));
  constexpr Pattern kTwoToMinus24 = Pattern{1023 - 24} << 52;
  EXPECT_EQ(evaluate(model, {{0, 0}, {0, 0}, kSmallest}), kTwoToMinus24);
}

/// A product of a subnormal factor lies 10 places below its exponent; all but the last of its own bits of the
/// other are what it takes away.
TEST(ExactSums, KeepAllOfAProductThatCancelsOneFarBelowItsExponent) {
  constexpr Signature kFormats{Format::fp16, Format::fp16, std::nullopt, Format::fp16};
  const Tree tree{{{{ProductLeaf{0}, ProductLeaf{1}}, 0, {}}}};
  const ParameterValues values{{exact_adder(Format::fp16, Rounding::nearest_even)}, {}};
  const UnitModel model =
      unit_model("exact", 2, kFormats, Skeleton{{}, tree}, values, canonical_nan(Format::fp16));
  constexpr Pattern kMinusTwoToMinus24 = 0x8001, kTwoTo15 = 0x7800, kOneAndALastPlace = 0x3C01;
  constexpr Pattern kTwoToMinus9AndALastPlace = 0x1801, kTwoToMinus18 = 0x0040;
  // -2^-9 + 2^-9 (1 + 2^-10)^2 is 2^-18 (1 + 2^-11), which has two places more than subnormals have.
  EXPECT_EQ(evaluate(model, {{kMinusTwoToMinus24, kOneAndALastPlace}, {kTwoTo15, kTwoToMinus9AndALastPlace}}),
            kTwoToMinus18);
}

}  // namespace
}  // namespace mmaprint::exact_sums_test
