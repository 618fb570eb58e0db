// Units that no chain of blocks in D's format explains, found among the wider skeletons.
#include <gtest/gtest.h>

#include <algorithm>

#include "device/simulated.h"
#include "inference/by_need.h"
#include "inference/characterise.h"
#include "model/evaluator.h"
#include "model/skeletons.h"
#include "random_units/random_unit.h"
#include "support/generate.h"
#include "support/wide_units.h"

namespace mmaprint {
namespace {

using enum Format;

Characterisation characterised(const UnitModel& hidden) {
  SimulatedUnit unit("hidden", "hidden", {hidden});
  const Instruction instruction{hidden.instruction, hidden.k, hidden.formats};
  CharacteriseOptions options;
  options.identify.threads = 2;
  options.identify.proof_steps = 20'000;
  options.identify.seconds = 600;
  return characterise(search_for(hidden.instruction, hidden.k, hidden.formats), unit, instruction, {},
                      options, {});
}

void expect_found(const UnitModel& hidden) {
  const Characterisation found = characterised(hidden);
  EXPECT_NE(found.result.verdict(), Identification::Verdict::none);
  ASSERT_TRUE(found.result.model);
  EXPECT_TRUE(found.result.confirmed()) << found.result.reason();
  EXPECT_EQ(test::disagreements(hidden, *found.result.model, static_cast<int>(test::count(100'000)), 7), 0);
}

Adder aligned(int f, Rounding rounding, Format result) {
  Adder adder = exact_adder(result, rounding);
  adder.alignment_fraction_bits = f;
  return adder;
}

TEST(WiderSpace, HasAUnitWhoseFp8FactorsBecomeFp16) {
  UnitModel hidden =
      chain_model("dot", 8, {e4m3, e5m2, fp32, fp32}, {{{0, 1, 2, 3}, {4, 5, 6, 7}}, CEnters::first},
                  {aligned(25, Rounding::toward_zero, fp32), {}, {}}, 0x7fffffff);
  hidden.paths.a = Converted{fp16, Conversion::exact};
  expect_found(hidden);
}

TEST(WiderSpace, HasAUnitWhoseFactorsAreRoundedToTf32) {
  UnitModel hidden = chain_model("dot", 4, {fp32, fp32, fp32, fp32}, {{{0, 1}, {2, 3}}, CEnters::first},
                                 {aligned(24, Rounding::toward_zero, fp32), {}, {}}, 0x7fffffff);
  hidden.paths.a = hidden.paths.b = Converted{tf32, Conversion::nearest_away};
  expect_found(hidden);
}

TEST(WiderSpace, HasAUnitThatConvertsItsFp32ResultAtTheEnd) {
  expect_found(chain_model("dot", 4, {bf16, bf16, bf16, bf16},
                           {{{0, 1}, {2, 3}}, CEnters::first, Inside{fp32, true}},
                           {aligned(24, Rounding::toward_zero, fp32), Rounding::nearest_even, {}}, 0x7fff));
}

/// As a Hopper's mma.m8n8k4 with FP16 results: (p0 + p1) + c, and (p2 + p3) to that, in FP32.
TEST(WiderSpace, HasAUnitThatSumsPairsApart) {
  const auto skeletons = wider_skeletons(4, {fp16, fp16, fp16, fp16});
  const Tree tree{{{{ZeroLeaf{}, ProductLeaf{0}}, 0, fp32},
                   {{NodeLeaf{0}, ProductLeaf{1}}, 0, fp32},
                   {{CLeaf{}, NodeLeaf{1}}, 1, fp32},
                   {{ZeroLeaf{}, ProductLeaf{2}}, 0, fp32},
                   {{NodeLeaf{3}, ProductLeaf{3}}, 0, fp32},
                   {{NodeLeaf{2}, NodeLeaf{4}}, 1, fp32},
                   {{NodeLeaf{5}}, 2, std::nullopt}}};
  ASSERT_NE(std::ranges::find(skeletons, Skeleton{{}, tree}), skeletons.end());
  const ParameterValues values{
      {exact_adder(fp32, Rounding::nearest_even), exact_adder(fp32, Rounding::nearest_even),
       exact_adder(fp16, Rounding::nearest_even)},
      {}};
  expect_found(unit_model("dot", 4, {fp16, fp16, fp16, fp16}, {{}, tree}, values, 0x7fff));
}

TEST(WiderSpace, IsSearchedOnlyWhereNoChainOfBlocksIsLeft) {
  const UnitModel plain = chain_model("dot", 4, {e4m3, e4m3, fp32, fp32}, {{{0, 1, 2, 3}}, CEnters::first},
                                      {aligned(25, Rounding::toward_zero, fp32), {}, {}}, 0x7fffffff);
  const Characterisation found = characterised(plain);
  EXPECT_EQ(found.search.space.skeletons, default_space("dot", 4, plain.formats).skeletons);
  EXPECT_TRUE(found.search.is_default());
}

TEST(WiderSpace, IsADefaultSpaceAndHasNothingWiderItself) {
  const Search narrow = search_for("dot", 4, {fp16, fp16, fp16, fp16});
  const auto wide = narrow.wider();
  ASSERT_TRUE(wide);
  EXPECT_GT(wide->space.skeletons.size(), narrow.space.skeletons.size());
  EXPECT_TRUE(wide->is_default());
  EXPECT_FALSE(wide->wider());
  EXPECT_FALSE(search_for("dot", 4, {int8, int8, int32, int32}).wider());
}

TEST(WiderSpace, IsWhereAStatedStructureIsLookedFor) {
  PartialFeatures stated;
  stated.structure = "[[c + (p0,1)] + (p2,3)]";
  const Search search = search_for("dot", 4, {fp16, fp16, fp32, fp32}, stated);
  ASSERT_EQ(search.start().size(), 1U);
  EXPECT_EQ(features_of(search.space.model(search.start().front().skeleton,
                                           search.start().front().box.lowest(), std::nullopt))
                .structure,
            *stated.structure);
}

TEST(EvaluationByNeed, GivesTheEvaluatorsAnswersForConvertedOperandsAndNodesOfOtherFormats) {
  const std::uint64_t first = test::starting_seed(8'000);
  for (std::uint64_t seed = first; seed < first + static_cast<std::uint64_t>(test::count(400)); ++seed) {
    test::Random random(seed);
    const UnitModel unit = test::random_wide_unit(random, random.between(1, 6));
    Space space{unit.instruction, unit.k, unit.formats, {skeleton_of(unit)}, Box(1), NanResults::one_pattern};
    const VersionSpace one{{0, Box(values_of(unit)), unit.nan}};
    for (int i = 0; i < 8; ++i) {
      const DotInput in = test::random_input(random, unit);
      const Pattern d = evaluate(unit, in);
      ASSERT_EQ(refine(space, one, {in, d}, 1).size(), 1U) << "seed " << seed;
      ASSERT_TRUE(refine(space, one, {in, d ^ 1U}, 1).empty()) << "seed " << seed;
    }
  }
}

}  // namespace
}  // namespace mmaprint
