// Inputs of a whole unit that bring one of its nodes into a state that the solver found.
#include "solver/node_input.h"

#include <gtest/gtest.h>

#include <array>

#include "model/value.h"

namespace mmaprint::node_input_test {
namespace {

using enum Format;

/// Products 0 and 2, then 1.
UnitModel two_blocks_of_fp8() {
  return chain_model("dot", 3, {e4m3, e4m3, fp32, fp32}, {{{0, 2}, {1}}, CEnters::last},
                     {exact_adder(fp32, Rounding::nearest_even), {}, {}}, 0x7fffffff);
}

/// Two products, 0 and 3, then c and 1, then 2: c enters in the middle.
UnitModel c_in_the_middle(Format c) {
  UnitModel model = chain_model("dot", 4, {e4m3, e4m3, c, fp32}, {{{0}, {1}, {2}, {3}}, CEnters::first},
                                {exact_adder(fp32, Rounding::nearest_even), {}, {}}, 0x7fffffff);
  model.tree.nodes = {{{ProductLeaf{0}, ProductLeaf{3}}, 0},
                      {{NodeLeaf{0}, CLeaf{}, ProductLeaf{1}}, 0},
                      {{NodeLeaf{1}, ProductLeaf{2}}, 0}};
  validate(model);
  return model;
}

TEST(UnitInput, GivesAnEarlierResultAsProducts) {
  const DotInput found{{0, 0x38, 0}, {0, 0x38, 0}, 0};
  const std::array<Pattern, 1> earlier{0x40400000};  // 3
  const DotInput input = unit_input(Side(two_blocks_of_fp8()), 1, found, earlier);
  EXPECT_EQ(input.a[1], found.a[1]);
  EXPECT_NE(input.a[0], 0U);
}

TEST(UnitInput, HasTheProductOfANodeOfItsOwnAsItWasFound) {
  UnitModel model = two_blocks_of_fp8();
  model.tree.nodes[0].operands = {ProductLeaf{0}};
  model.tree.nodes[1].operands = {NodeLeaf{0}, ProductLeaf{1}, ProductLeaf{2}};
  validate(model);
  const DotInput found{{0x41, 0x38, 0}, {0x3f, 0x38, 0}, 0};
  const std::array<Pattern, 1> earlier{0x40400000};  // whatever it is
  const DotInput input = unit_input(Side(model), 1, found, earlier);
  EXPECT_EQ(input.a[0], found.a[0]);
  EXPECT_EQ(input.b[0], found.b[0]);
}

TEST(UnitInput, LeavesOutAResultThatNoProductIsAsLargeOrAsSmallAs) {
  const DotInput found{{0, 0x38, 0}, {0, 0x38, 0}, 0};
  for (const Pattern huge_or_tiny : {0x72000000U, 0x08000000U, 0xf2000000U}) {
    const std::array<Pattern, 1> earlier{huge_or_tiny};
    const DotInput input = unit_input(Side(two_blocks_of_fp8()), 1, found, earlier);
    EXPECT_EQ(input.a[0], 0U);
    EXPECT_EQ(input.b[0], 0U);
  }
}

TEST(UnitInput, GivesAResultAfterCAsC) {
  const UnitModel model = c_in_the_middle(fp32);
  const DotInput found{{0, 0, 0x38, 0}, {0, 0, 0x40, 0}, 0x3f800000};
  const std::array<Pattern, 2> earlier{0, 0x72000001};  // 2^101 and a bit, which no products add up to
  const DotInput input = unit_input(Side(model), 2, found, earlier);
  EXPECT_EQ(input, (DotInput{{0, 0, 0x38, 0}, {0, 0, 0x40, 0}, 0x72000001}));
  EXPECT_EQ(evaluate(model, {input.a, {0, 0, 0, 0}, input.c}), earlier[1]);
}

TEST(UnitInput, GivesAResultBeforeCAsProductsAndLeavesCAsItWasFound) {
  const UnitModel model = c_in_the_middle(fp32);
  const DotInput found{{0, 0x38, 0x38, 0}, {0, 0x40, 0x38, 0}, 0x3f800000};
  const std::array<Pattern, 1> earlier{0x40400000};  // 3
  const DotInput input = unit_input(Side(model), 1, found, earlier);
  EXPECT_EQ(input.c, found.c);
  EXPECT_EQ(input.a[1], found.a[1]);
  EXPECT_EQ(input.a[2], 0U) << "of a later node";
  EXPECT_EQ(evaluate(model, input), 0x40c00000U) << "3 + 1 + 1 * 2";
}

TEST(UnitInput, GivesAResultThatCsFormatLacksAsProducts) {
  const UnitModel model = c_in_the_middle(fp16);
  const DotInput found{{0, 0, 0x38, 0}, {0, 0, 0x38, 0}, 0};
  const std::array<Pattern, 2> earlier{0, 0x40400000};
  const DotInput input = unit_input(Side(model), 2, found, earlier);
  EXPECT_EQ(input.c, 0U);
  EXPECT_EQ(evaluate(model, input), 0x40800000U) << "3 + 1 * 1";
}

TEST(UnitInput, GivesEachOfSeveralResultsAsWhatComesToIt) {
  UnitModel model = chain_model("sums", 4, {e4m3, e4m3, fp32, fp32}, {{{0, 1, 2, 3}}, CEnters::last},
                                {exact_adder(fp32, Rounding::nearest_even), {}, {}}, 0x7fffffff);
  model.tree.nodes = {{{ProductLeaf{0}, ProductLeaf{1}}, 0},
                      {{CLeaf{}, ProductLeaf{2}, ProductLeaf{3}}, 0},
                      {{NodeLeaf{0}, NodeLeaf{1}}, 0}};
  validate(model);
  const DotInput found{{0, 0, 0, 0}, {0, 0, 0, 0}, 0};
  const std::array<Pattern, 2> earlier{0x40400000, 0x3f800001};
  const DotInput input = unit_input(Side(model), 2, found, earlier);
  EXPECT_EQ(input.c, earlier[1]) << "c comes to the second";
  EXPECT_EQ(evaluate(model, input), 0x40800000U) << "3 + 1.0000001";
  model.tree.nodes[1].operands = {ProductLeaf{2}, ProductLeaf{3}};
  model.tree.nodes[2].operands = {CLeaf{}, NodeLeaf{0}, NodeLeaf{1}};
  validate(model);
  const std::array<Pattern, 2> three_and_two{0x40400000, 0x40000000};
  EXPECT_EQ(evaluate(model, unit_input(Side(model), 2, found, three_and_two)), 0x40a00000U) << "3 + 2";
}

TEST(UnitInput, GivesPatternsOfTheContainersWhereOperandsAreConverted) {
  UnitModel model = two_blocks_of_fp8();
  model.formats.a = model.formats.b = fp32;
  model.paths.a = model.paths.b = Converted{bf16, Conversion::nearest_even};
  validate(model);
  const DotInput found{{0, 0x3f800000, 0}, {0, 0x3f800000, 0}, 0};
  const std::array<Pattern, 1> earlier{0x40400000};
  const DotInput input = unit_input(Side(model), 1, found, earlier);
  EXPECT_EQ(decode(fp32, input.a[0]).significand, 3ULL << 22);
  EXPECT_EQ(evaluate(model, input), 0x40800000U) << "3 + 1 * 1";
}

}  // namespace
}  // namespace mmaprint::node_input_test
