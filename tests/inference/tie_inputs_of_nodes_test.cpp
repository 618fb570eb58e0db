// Inputs at ties of nodes whose operands are results of earlier nodes, or whose own results are.
#include <gtest/gtest.h>

#include "inference/edge_inputs.h"
#include "model/evaluator.h"
#include "support/chains.h"

namespace mmaprint::tie_inputs_of_nodes_test {
namespace {

constexpr Signature kHalf{Format::fp16, Format::fp16, Format::fp16, Format::fp16};

/// Of results of FP32 no more than FP16's bits show, unless c cancels the rest.
TEST(InputsAtTies, FindWhatIsLostInLastPlacesThatAreRoundedAwayUnlessCCancelsTheOthers) {
  const Skeleton skeleton{
      {}, {{{{ProductLeaf{0}, ProductLeaf{1}}, 0, Format::fp32}, {{NodeLeaf{0}, CLeaf{}}, 1, {}}}}};
  ParameterValues values{
      {exact_adder(Format::fp32, Rounding::nearest_even), exact_adder(Format::fp16, Rounding::nearest_even)},
      {}};
  const auto unit = [&](std::optional<int> f) {
    values.adders.front().alignment_fraction_bits = f;
    values.adders.front().alignment_rounding = AlignmentRounding::truncate;
    return unit_model("twice", 2, kHalf, skeleton, values, canonical_nan(kHalf.d));
  };
  const UnitModel exact = unit(std::nullopt);
  for (const int f : {26, 30, 33}) {
    const auto input = difference_at_ties(exact, unit(f), 40'000, 1);
    ASSERT_TRUE(input) << f;
    EXPECT_NE(evaluate(exact, *input), evaluate(unit(f), *input)) << f;
  }
}

/// Two products in FP32 first, one with a subnormal factor and the exponent of a normal one. What is lost of
/// the other shows in their sum's last place, and there where all of it is a tie of FP16.
TEST(InputsAtTies, FindWhatIsLostBesideAProductFarBelowItsExponentBeforeThreeMoreSums) {
  constexpr Format kSum = Format::fp32;
  const Skeleton skeleton{{},
                          {{{{ProductLeaf{0}, ProductLeaf{1}}, 0, kSum},
                            {{CLeaf{}, NodeLeaf{0}}, 1, kSum},
                            {{ProductLeaf{2}, ProductLeaf{3}}, 1, kSum},
                            {{NodeLeaf{1}, NodeLeaf{2}}, 1, kSum},
                            {{NodeLeaf{3}}, 2, {}}}}};
  const Adder sum = exact_adder(kSum, Rounding::nearest_even);
  ParameterValues values{{sum, sum, exact_adder(Format::fp16, Rounding::nearest_even)}, {}};
  values.adders.front().product = ProductKind::exact_unnormalised;
  const auto unit = [&](std::optional<int> f) {
    values.adders.front().alignment_fraction_bits = f;
    values.adders.front().alignment_rounding = AlignmentRounding::sticky;
    return unit_model("deep", 4, kHalf, skeleton, values, canonical_nan(kHalf.d));
  };
  const UnitModel exact = unit(std::nullopt);
  // One in 30,000 inputs or so: that none is found in these has a chance of one in a million.
  for (const int f : {34, 35}) {
    const auto input = difference_at_ties(exact, unit(f), 400'000, 1);
    ASSERT_TRUE(input) << f;
    EXPECT_NE(evaluate(exact, *input), evaluate(unit(f), *input)) << f;
  }
}

/// E is an earlier result's, which is larger than any product and on an edge itself.
TEST(InputsAtTies, FindWhatAnEarlierResultThatIsLargerThanAnyProductPushesOut) {
  constexpr Signature kFormats{Format::e4m3, Format::e4m3, Format::fp32, Format::fp32};
  const auto with_bits = [&](int f) {
    ChainParameters values;
    values.block.alignment_fraction_bits = f;
    values.block.alignment_rounding = AlignmentRounding::nearest_even;
    values.block.rounding = Rounding::down;
    values.block.output_fraction_bits = 2;
    return chain_model("earlier", 4, kFormats, Chain{{{0, 1}, {2, 3}}, CEnters::last}, values,
                       canonical_nan(kFormats.d));
  };
  EXPECT_TRUE(difference_at_ties(with_bits(36), with_bits(35), 20'000, 1));
}

/// Two pairs of products, and a node of its own class that adds their sums.
UnitModel of_two_sums(AlignmentRounding rounding) {
  constexpr Signature kFormats{Format::fp16, Format::fp16, std::nullopt, Format::fp32};
  ChainParameters values;
  values.block = exact_adder(Format::fp32, Rounding::nearest_even);
  UnitModel unit = chain_model("sums", 4, kFormats, Chain{{{0, 1, 2, 3}}, CEnters::first}, values,
                               canonical_nan(Format::fp32));
  unit.tree.nodes = {{{ProductLeaf{0}, ProductLeaf{1}}, 0},
                     {{ProductLeaf{2}, ProductLeaf{3}}, 0},
                     {{NodeLeaf{0}, NodeLeaf{1}}, 1}};
  Adder of_sums = unit.adders.front();
  of_sums.alignment_fraction_bits = 30;
  of_sums.alignment_rounding = rounding;
  unit.adders.push_back(of_sums);
  validate(unit);
  return unit;
}
TEST(InputsAtTies, FindWhatIsLostWhereNothingButEarlierResultsIsAdded) {
  const UnitModel truncates = of_two_sums(AlignmentRounding::truncate);
  for (const auto rounding : {AlignmentRounding::floor, AlignmentRounding::nearest_even})
    EXPECT_TRUE(difference_at_ties(truncates, of_two_sums(rounding), 4'000, 1)) << static_cast<int>(rounding);
}

}  // namespace
}  // namespace mmaprint::tie_inputs_of_nodes_test
