// Inputs of whole units from operands on which one of their nodes differs.
#include "solver/lifted_input.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "model/evaluator.h"
#include "model/results_of_nodes.h"
#include "model/value.h"
#include "solver/summands.h"

namespace mmaprint::lifted_input_test {
namespace {

using enum Format;

/// ({p0 + p1} + {p2 + p3}) + p4, or with c in the last one's place.
UnitModel two_levels(Signature formats) {
  UnitModel model =
      chain_model("levels", 5, formats,
                  Chain{{{0, 1, 2, 3, 4}}, formats.c ? std::optional(CEnters::first) : std::nullopt},
                  {exact_adder(fp32, Rounding::nearest_even), {}, {}}, 0x7fffffff);
  model.adders.resize(3, model.adders.front());
  model.tree.nodes = {{{ProductLeaf{0}, ProductLeaf{1}}, 0},
                      {{ProductLeaf{2}, ProductLeaf{3}}, 0},
                      {{NodeLeaf{0}, NodeLeaf{1}}, 1},
                      {{NodeLeaf{2}, ProductLeaf{4}}, 2}};
  if (formats.c) model.tree.nodes[1].operands.push_back(CLeaf{});
  validate(model);
  return model;
}
constexpr Signature kFp8{e4m3, e4m3, {}, fp32}, kHalf{fp16, fp16, {}, fp32}, kWithC{fp16, fp16, fp32, fp32};

DotInput nothing() { return {std::vector<Pattern>(5, 0), std::vector<Pattern>(5, 0), 0}; }
Plan plan_with(const UnitModel& model) { return {model.formats, model.k, skeleton_of(model)}; }

TEST(Summands, AddUpToEveryNumberThatAResultMayBe) {
  const UnitModel model = two_levels(kHalf);
  const Plan plan = plan_with(model);
  const Summands summands(model, plan);
  // One, 22 bits, 24 bits of which the middle ones are zeros, all ones, the least and the largest product.
  for (const Pattern result :
       {0x3f800000U, 0x3f812344U, 0xbf800001U, 0x3fffffffU, 0x27800000U, 0x4e7f8000U}) {
    bool is_met = false;
    for (const Cut& cut : kCuts) {
      DotInput input = nothing();
      if (summands.add(*dyadic(fp32, result), 2, std::nullopt, cut, input).number == 0)
        is_met = is_met || results_of_nodes(model, plan, input)[2] == result;
    }
    EXPECT_TRUE(is_met) << std::hex << result;
  }
}

TEST(Summands, TakeNoMoreBitsThanAnEarlierNodeHandsOn) {
  UnitModel model = two_levels(kHalf);
  model.adders[0].output_fraction_bits = 1;
  const Plan plan = plan_with(model);
  DotInput input = nothing();
  const Summands summands(model, plan);
  // 2 - 2^-15, as 2 and -2^-15.
  EXPECT_EQ(summands.add({(1 << 16) - 1, -15}, 2, std::nullopt, kCuts[0], input).number, 0);
  EXPECT_EQ(results_of_nodes(model, plan, input)[2], 0x3fffff00U) << "1.1111 1111 1111 111";
}

TEST(Summands, LeaveWhatNoOperandHolds) {
  const UnitModel model = two_levels(kFp8);
  const Plan plan = plan_with(model);
  const Summands summands(model, plan);
  DotInput input = nothing();
  EXPECT_NE(summands.add({1, 100}, 2, std::nullopt, kCuts[0], input).number, 0) << "2^100";
  EXPECT_NE(summands.add({1, -100}, 2, std::nullopt, kCuts[0], input).number, 0) << "2^-100";
  EXPECT_EQ(input, nothing());
}

/// x and y differ at a node where it has these operands.
std::optional<DotInput> lifted(const UnitModel& x, const UnitModel& y, std::size_t node, Witness found) {
  auto input = lifted_input(Side(x), x, y, node, found);
  EXPECT_TRUE(!input || evaluate(x, *input) != evaluate(y, *input));
  return input;
}

TEST(LiftedInput, MakesEarlierResultsOfProductsThatThoseNodesAdd) {
  const UnitModel x = two_levels(kHalf);
  UnitModel y = x;
  y.adders[1].rounding = Rounding::toward_zero;
  // 1 + 1.5 * 2^-24: two results of 24 bits and of 2.
  const auto input = lifted(x, y, 2, {nothing(), {}, {}, {0x3f800001, 0x33c00000}});
  ASSERT_TRUE(input);
  EXPECT_EQ(results_of_nodes(x, plan_with(x), *input)[0], 0x3f800001U);
  EXPECT_EQ(results_of_nodes(x, plan_with(x), *input)[1], 0x33c00000U);
}

TEST(LiftedInput, CancelsWhatALaterNodeWouldRoundAway) {
  UnitModel x = two_levels(kHalf);
  x.adders[2].output_fraction_bits = 4;
  UnitModel y = x;
  y.adders[1].rounding = Rounding::toward_zero;
  const auto input = lifted(x, y, 2, {nothing(), {}, {}, {0x3f800000, 0x33c00000}});
  ASSERT_TRUE(input) << "1 and 1 + 2^-23 are the same in 5 bits";
  EXPECT_NE(input->a[4], 0U);
}

TEST(LiftedInput, MakesSmallerResultsThanProductsAreOfTwoThatNearlyCancel) {
  UnitModel x = two_levels(kFp8);
  x.conventions.input_subnormals = Subnormals::flushed;
  x.adders[1].alignment_fraction_bits = 4;
  UnitModel y = x;
  y.adders[1].minimum_alignment_exponent = -12;
  // 2^-17, which FP8's normal factors are no product of: 2^-12 is the least.
  const auto input = lifted(x, y, 2, {nothing(), {}, {}, {0x37000000, 0}});
  ASSERT_TRUE(input);
  EXPECT_EQ(results_of_nodes(x, plan_with(x), *input)[0], 0x37000000U);
}

/// Sums of BF16 products that are flushed; zeros have IEEE 754's signs, or sums of zeros are positive.
UnitModel flushing(ZeroSign of_zeros) {
  UnitModel model = two_levels({bf16, bf16, fp32, fp32});
  model.conventions.output_subnormals = Subnormals::flushed;
  model.conventions.zero_sign = {of_zeros, ZeroSign::follow, ZeroSign::follow, ZeroSign::follow};
  return model;
}
/// -0 before the last node, and for its own operands.
Witness negative_zeros() {
  DotInput own = nothing();
  own.a[4] = 0x8000;
  return {own, {}, {}, {0, 0, 0x80000000}};
}

TEST(LiftedInput, MakesANegativeZeroOfZeros) {
  const UnitModel x = flushing(ZeroSign::follow), y = flushing(ZeroSign::positive);
  const auto input = lifted(x, y, 3, negative_zeros());
  ASSERT_TRUE(input);
  EXPECT_EQ(evaluate(x, *input), 0x80000000U);
}

TEST(LiftedInput, MakesANegativeZeroOfWhatIsFlushedWhereZerosMakeNone) {
  UnitModel x = flushing(ZeroSign::follow);
  x.tree.nodes[2].operands.insert(x.tree.nodes[2].operands.begin(), ZeroLeaf{});
  validate(x);
  UnitModel y = x;
  y.conventions.zero_sign.all_zero = ZeroSign::positive;
  const auto input = lifted(x, y, 3, negative_zeros());
  ASSERT_TRUE(input) << "+0 and -0 are +0";
  EXPECT_EQ(results_of_nodes(x, plan_with(x), *input)[2], 0x80000000U);
  EXPECT_TRUE(std::ranges::any_of(input->b, [](Pattern b) { return b != 0; }));
}

/// Where all zeros are read as +0, products are -0 by a factor below zero, and what c is added to by being
/// flushed.
TEST(LiftedInput, ShowsTheSignOfAZeroBesideMinusZerosOfUnitsThatReadNone) {
  UnitModel x = flushing(ZeroSign::follow);
  x.conventions.input_subnormals = x.conventions.c_subnormals = Subnormals::flushed_positive;
  x.tree.nodes[0].operands = {ProductLeaf{0}};
  x.tree.nodes[3].operands.push_back(ProductLeaf{1});
  validate(x);
  UnitModel y = x;
  y.conventions.zero_sign.rounded = ZeroSign::positive;
  DotInput own = nothing();  // -2^-160 is rounded to a zero
  own.a[0] = 0x9780;
  own.b[0] = 0x1780;
  const auto input = lifted(x, y, 0, {own, {}, {}, {}});
  ASSERT_TRUE(input);
  EXPECT_NE(evaluate(x, *input), evaluate(y, *input));
  EXPECT_NE(input->c, 0U);
  EXPECT_EQ(results_of_nodes(x, plan_with(x), *input)[1], 0x80000000U);
}

TEST(LiftedInput, FindsNoneWhereSumsOfZerosArePositiveAndNothingIsFlushed) {
  UnitModel x = flushing(ZeroSign::positive);
  x.conventions.output_subnormals = Subnormals::kept;
  UnitModel y = x;
  y.conventions.zero_sign.flushed = ZeroSign::positive;
  EXPECT_FALSE(lifted(x, y, 3, negative_zeros()));
}

TEST(LiftedInput, FindsNoneWhereAResultIsNone) {
  const UnitModel x = two_levels(kFp8);
  UnitModel y = x;
  y.conventions.overflow = Overflow::saturate;
  EXPECT_FALSE(lifted(x, y, 2, {nothing(), {}, {}, {0x7f7fffff, 0x7f7fffff}})) << "of FP8's products";
}

TEST(LiftedInput, HasTheProductOfANodeOfItsOwnAsItWasFound) {
  UnitModel x = two_levels(kHalf);
  x.tree.nodes[0].operands = {ProductLeaf{0}};
  x.tree.nodes[3].operands.push_back(ProductLeaf{1});
  validate(x);
  UnitModel y = x;
  y.adders[1].rounding = Rounding::toward_zero;
  DotInput own = nothing();
  own.a[0] = own.b[0] = 0x3c01;
  const auto input = lifted(x, y, 2, {own, {}, {}, {0, 0x33c00000}});
  ASSERT_TRUE(input);
  EXPECT_EQ(input->a[0], 0x3c01U);
  EXPECT_EQ(input->b[0], 0x3c01U);
}

TEST(LiftedInput, GivesAResultAfterCThatNoProductsAddUpToAsC) {
  const UnitModel x = two_levels(kWithC);
  UnitModel y = x;
  y.adders[1].rounding = Rounding::up;
  // 2^101 and a bit.
  const auto input = lifted(x, y, 2, {nothing(), {}, {}, {0x3f800000, 0x72000001}});
  ASSERT_TRUE(input);
  EXPECT_EQ(input->c, 0x72000001U);
}

}  // namespace
}  // namespace mmaprint::lifted_input_test
