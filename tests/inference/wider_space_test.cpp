// Units that no chain of blocks in D's format explains, found among the wider skeletons.
#include <gtest/gtest.h>

#include <algorithm>

#include "device/simulated.h"
#include "inference/check.h"
#include "inference/experiments.h"
#include "inference/minimal.h"
#include "inference/representative.h"
#include "inference/space_json.h"
#include "model/evaluator.h"
#include "model/model_json.h"
#include "model/skeletons.h"
#include "mutant_units.h"
#include "support/generate.h"
#include "whole_search.h"

namespace mmaprint::wider_space_test {
namespace {

using enum Format;
using samples::aligned;
using samples::characterised;
using samples::expect_found;
using samples::for_finding;

TEST(WiderSpace, HasAUnitWhoseFp8FactorsBecomeFp16) {
  if (test::counts_are_reduced()) GTEST_SKIP() << test::kTakesMinutesThen;
  UnitModel hidden =
      chain_model("dot", 8, {e4m3, e5m2, fp32, fp32}, {{{0, 1, 2, 3}, {4, 5, 6, 7}}, CEnters::first},
                  {aligned(25, Rounding::toward_zero, fp32), {}, {}}, 0x7fffffff);
  hidden.paths.a = Converted{fp16, Conversion::exact};
  expect_found(hidden);
}

TEST(WiderSpace, HasAUnitWhoseFactorsAreRoundedToTf32) {
  if (test::counts_are_reduced()) GTEST_SKIP() << test::kTakesMinutesThen;
  UnitModel hidden = chain_model("dot", 4, {fp32, fp32, fp32, fp32}, {{{0, 1}, {2, 3}}, CEnters::first},
                                 {aligned(24, Rounding::toward_zero, fp32), {}, {}}, 0x7fffffff);
  hidden.paths.a = hidden.paths.b = Converted{tf32, Conversion::nearest_away};
  expect_found(hidden);
}

TEST(WiderSpace, HasAUnitThatConvertsItsFp32ResultAtTheEnd) {
  if (test::counts_are_reduced()) GTEST_SKIP() << test::kTakesMinutesThen;
  expect_found(chain_model("dot", 4, {bf16, bf16, bf16, bf16},
                           {{{0, 1}, {2, 3}}, CEnters::first, Inside{fp32, true}},
                           {aligned(24, Rounding::toward_zero, fp32), Rounding::nearest_even, {}}, 0x7fff));
}

/// Chains that c enters last start from +0, which shows where all products and c are -0 and nowhere else.
TEST(WiderSpace, HasAUnitWhoseSumOfProductsStartsFromNoZero) {
  if (test::counts_are_reduced()) GTEST_SKIP() << test::kTakesMinutesThen;
  constexpr int kProducts = 64;  // that random inputs hardly ever make -0, all of them
  Node sum{{}, 0, std::nullopt};
  for (int i = 0; i < kProducts; ++i) sum.operands.emplace_back(ProductLeaf{i});
  const ParameterValues values{{exact_adder(fp32, Rounding::toward_zero)}, {}};
  expect_found(unit_model("dot", kProducts, {fp32, fp32, fp32, fp32},
                          {{}, Tree{{sum, {{CLeaf{}, NodeLeaf{0}}, 0, std::nullopt}}}}, values, 0x7fc00000));
}

/// F = 40 where c is added, which no chain has whose products are summed apart: FP16 and the smallest product
/// lie farther apart, and results to odd show what is lost.
TEST(WiderSpace, HasAUnitThatLosesTheSmallestSumsBesideALargeC) {
  if (test::counts_are_reduced()) GTEST_SKIP() << test::kTakesMinutesThen;
  constexpr int kProducts = 16;
  Node sum{{}, 0, fp32};
  for (int i = 0; i < kProducts; ++i) sum.operands.emplace_back(ProductLeaf{i});
  ParameterValues values{{aligned(3, Rounding::up, fp32), aligned(40, Rounding::odd, fp16)}, {}};
  values.adders[0].alignment_rounding = AlignmentRounding::floor;
  values.adders[0].output_fraction_bits = 20;
  values.conventions.overflow = Overflow::saturate;
  values.conventions.output_subnormals = values.conventions.c_subnormals = Subnormals::flushed;
  expect_found(unit_model("dot", kProducts, {e5m2, e5m2, fp16, fp16},
                          {{}, Tree{{sum, {{CLeaf{}, NodeLeaf{0}}, 1, std::nullopt}}}}, values, 0x7e00));
}

/// As a Hopper's mma.m8n8k4 with FP16 results: (p0 + p1) + c, and (p2 + p3) to that, in FP32.
TEST(WiderSpace, HasAUnitThatSumsPairsApart) {
  if (test::counts_are_reduced()) GTEST_SKIP() << test::kTakesMinutesThen;
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

/// CDNA2 (MMA-Sim 2.1.1): every product rounded to FP32, (p0 + p1) + (p2 + p3), and c to that, all to
/// nearest-even and flushed; operands flushed to +0.
TEST(WiderSpace, HasAUnitThatRoundsProductsAndAddsThemPairwiseOnRandomInputs) {
  if (test::count(100) <= 100) GTEST_SKIP() << "only with MMAPRINT_TEST_COUNTS=full";
  const Tree tree{{{{ProductLeaf{0}}, 1, std::nullopt},
                   {{ProductLeaf{1}}, 1, std::nullopt},
                   {{NodeLeaf{0}, NodeLeaf{1}}, 0, std::nullopt},
                   {{ProductLeaf{2}}, 1, std::nullopt},
                   {{ProductLeaf{3}}, 1, std::nullopt},
                   {{NodeLeaf{3}, NodeLeaf{4}}, 0, std::nullopt},
                   {{NodeLeaf{2}, NodeLeaf{5}}, 0, std::nullopt},
                   {{CLeaf{}, NodeLeaf{6}}, 0, std::nullopt}}};
  ParameterValues values{
      {exact_adder(fp32, Rounding::nearest_even), exact_adder(fp32, Rounding::nearest_even)}, {}};
  values.conventions.input_subnormals = Subnormals::flushed_positive;
  values.conventions.c_subnormals = Subnormals::flushed_positive;
  values.conventions.output_subnormals = Subnormals::flushed;
  expect_found(unit_model("dot", 4, {bf16, bf16, fp32, fp32}, {{}, tree}, values, 0x7fc00000));
}

/// Arm's BFMMLA before FEAT_EBF16: all to odd, flushed before rounding, pair after pair.
TEST(WiderSpace, HasAUnitThatRoundsToOddAndTestsForSubnormalsBeforeThat) {
  if (test::counts_are_reduced()) GTEST_SKIP() << test::kTakesMinutesThen;
  const Tree tree{{{{ProductLeaf{0}}, 2, std::nullopt},
                   {{ProductLeaf{1}}, 2, std::nullopt},
                   {{NodeLeaf{0}, NodeLeaf{1}}, 0, std::nullopt},
                   {{CLeaf{}, NodeLeaf{2}}, 1, std::nullopt},
                   {{ProductLeaf{2}}, 2, std::nullopt},
                   {{ProductLeaf{3}}, 2, std::nullopt},
                   {{NodeLeaf{4}, NodeLeaf{5}}, 0, std::nullopt},
                   {{NodeLeaf{3}, NodeLeaf{6}}, 1, std::nullopt}}};
  const Adder odd = exact_adder(fp32, Rounding::odd);
  ParameterValues values{{odd, odd, odd}, {}};
  values.conventions.input_subnormals = values.conventions.c_subnormals = Subnormals::flushed;
  values.conventions.output_subnormals = Subnormals::flushed;
  values.conventions.flush_test = FlushTest::before;
  expect_found(unit_model("dot", 4, {bf16, bf16, fp32, fp32}, {{}, tree}, values, 0x7fc00000));
}

/// Intel's tiles of BF16 (SDM, volume 2, TDPBF16PS): FMAs to nearest-even of the products of even and of odd
/// index apart, their sums added, and that to c; subnormal operands and results are zeros.
TEST(WiderSpace, HasAUnitWhoseChainsRunSideBySide) {
  if (test::counts_are_reduced()) GTEST_SKIP() << test::kTakesMinutesThen;
  const Tree tree{{{{ZeroLeaf{}, ProductLeaf{0}}, 0, std::nullopt},
                   {{NodeLeaf{0}, ProductLeaf{2}}, 0, std::nullopt},
                   {{ZeroLeaf{}, ProductLeaf{1}}, 0, std::nullopt},
                   {{NodeLeaf{2}, ProductLeaf{3}}, 0, std::nullopt},
                   {{NodeLeaf{1}, NodeLeaf{3}}, 0, std::nullopt},
                   {{CLeaf{}, NodeLeaf{4}}, 0, std::nullopt}}};
  const Signature formats{bf16, bf16, fp32, fp32};
  const auto skeletons = wider_skeletons(4, formats);
  ASSERT_NE(std::ranges::find(skeletons, Skeleton{{}, tree}), skeletons.end());
  ParameterValues values{{exact_adder(fp32, Rounding::nearest_even)}, {}};
  values.conventions.input_subnormals = values.conventions.c_subnormals = Subnormals::flushed;
  values.conventions.output_subnormals = Subnormals::flushed;
  expect_found(unit_model("dot", 4, formats, {{}, tree}, values, 0x7fc00000));
}

/// A zero times a huge number takes part in the alignment (MMA-Sim of January 2026).
TEST(WiderSpace, HasAUnitWhoseZeroProductsTakePartWithTheirFactorsExponents) {
  if (test::counts_are_reduced()) GTEST_SKIP() << test::kTakesMinutesThen;
  Adder adder = aligned(24, Rounding::toward_zero, fp32);
  adder.zero_addends = ZeroAddends::factor_exponent(-126);
  expect_found(chain_model("dot", 4, {bf16, bf16, fp32, fp32}, {{{0, 1, 2, 3}}, CEnters::first},
                           {adder, {}, {}}, 0x7fffffff));
}

TEST(WiderSpace, HasAUnitWhoseProductsOverflowAlone) {
  if (test::counts_are_reduced()) GTEST_SKIP() << test::kTakesMinutesThen;
  Adder adder = aligned(24, Rounding::nearest_even, fp32);
  adder.product_overflow = ProductOverflow::infinity;
  expect_found(chain_model("dot", 4, {bf16, bf16, fp32, fp32}, {{{0, 1, 2, 3}}, CEnters::first},
                           {adder, {}, {}}, 0x7fc00000));
}

/// A zero's exponent is no clamp: it matters only where there is a zero.
TEST(WiderSpace, HasAUnitWhoseZerosTakePartWithAnExponent) {
  if (test::counts_are_reduced()) GTEST_SKIP() << test::kTakesMinutesThen;
  Adder adder = aligned(24, Rounding::toward_zero, fp32);
  adder.zero_addends = ZeroAddends::as_exponent(-20);
  expect_found(chain_model("dot", 4, {fp16, fp16, fp32, fp32}, {{{0, 1, 2, 3}}, CEnters::first},
                           {adder, {}, {}}, 0x7fffffff));
}

TEST(WiderSpace, HasAUnitWhoseShortBlockIsPadded) {
  if (test::counts_are_reduced()) GTEST_SKIP() << test::kTakesMinutesThen;
  UnitModel hidden{"dot", 3, {fp16, fp16, fp32, fp32}, {}, {}, {}, Pattern{0x7fffffff}};
  hidden.tree.nodes = {{{CLeaf{}, ProductLeaf{0}, ProductLeaf{1}}, 0, {}},
                       {{NodeLeaf{0}, ProductLeaf{2}, PaddingLeaf{}}, 0, {}}};
  hidden.adders.push_back(aligned(24, Rounding::toward_zero, fp32));
  hidden.adders[0].zero_addends = ZeroAddends::as_exponent(-10);
  expect_found(hidden);
}

TEST(WiderSpace, IsSearchedOnlyWhereNoChainOfBlocksIsLeft) {
  const UnitModel plain = chain_model("dot", 4, {e4m3, e4m3, fp32, fp32}, {{{0, 1, 2, 3}}, CEnters::first},
                                      {aligned(25, Rounding::toward_zero, fp32), {}, {}}, 0x7fffffff);
  const Characterisation found = characterised(plain, for_finding());
  EXPECT_EQ(found.search.space.skeletons, default_space("dot", 4, plain.formats).skeletons);
  EXPECT_TRUE(found.search.is_default());
}

TEST(WiderSpace, IsPaidForTogetherWithTheSearchBefore) {
  if (test::counts_are_reduced()) GTEST_SKIP() << test::kTakesMinutesThen;
  UnitModel hidden = chain_model("dot", 4, {e4m3, e5m2, fp32, fp32}, {{{0, 1, 2, 3}}, CEnters::first},
                                 {aligned(25, Rounding::toward_zero, fp32), {}, {}}, 0x7fffffff);
  hidden.paths.a = Converted{fp16, Conversion::exact};
  const Instruction instruction{hidden.instruction, hidden.k, hidden.formats};
  const Evaluator evaluator(hidden);
  std::size_t calls = 0, widened = 0;
  test::FunctionUnit unit([&](const DotInput& in) { return evaluator(in); });
  CharacteriseHooks hooks;
  hooks.identify.observed = [&](const Observation&) { ++calls; };
  hooks.changed = [&](const Search&, CharacteriseHooks::Change) { widened = calls; };
  const Characterisation found =
      characterise(search_for("dot", 4, hidden.formats), unit, instruction, {}, for_finding(), hooks);
  ASSERT_GT(widened, 0U);
  EXPECT_GE(found.result.device_calls, calls) << widened << " before the space was widened";
}

TEST(WiderSpace, IsADefaultSpaceAndHasOneThatIsWiderItself) {
  const Search narrow = search_for("dot", 4, {fp16, fp16, fp16, fp16});
  const auto wide = narrow.wider();
  ASSERT_TRUE(wide);
  EXPECT_GT(wide->space.skeletons.size(), narrow.space.skeletons.size());
  EXPECT_TRUE(wide->is_default());
  const auto widest = wide->wider();
  ASSERT_TRUE(widest);
  EXPECT_GT(widest->space.skeletons.size(), wide->space.skeletons.size());
  EXPECT_GT(widest->space.box[Parameter::zero_addends].size(), 1);
  EXPECT_TRUE(widest->is_default());
  EXPECT_FALSE(widest->wider());
  EXPECT_FALSE(search_for("dot", 4, {int8, int8, int32, int32}).wider());
}

TEST(WiderSpace, IsNoDefaultSpaceOnceNansAreMerged) {
  Space space = wider_space("dot", 4, {fp16, fp16, fp16, fp16});
  EXPECT_TRUE(Search(space).is_default());
  space.nan_results = NanResults::several;
  EXPECT_FALSE(Search(space).is_default());
}

TEST(WiderSpace, KeepsExactlyTheUnitsOfAStatedFamilyOnRandomInputs) {
  const Space space = wider_space("dot", 4, {e4m3, e4m3, fp16, fp16});
  test::Random random(test::starting_seed(12));
  Sampler sampler(space, random.bits());
  for (const Family family : {Family::fused_dot_add, Family::fma_chain, Family::exact, Family::pairwise}) {
    PartialFeatures stated;
    stated.family = family;
    const Search search(space, stated);
    for (int n = 0; n < test::count(300); ++n) {
      EXPECT_EQ(features_of(sampler.one(search.start())).family, family);
      UnitModel any = sampler.one(space.whole());
      if (random.chance(1, 2)) any.adders.front().alignment_fraction_bits.reset();
      EXPECT_EQ(contains(space, search.start(), any), features_of(any).family == family)
          << to_json(any).dump();
    }
  }
}

TEST(WiderSpace, IsNotBegunWithoutTime) {
  UnitModel hidden = chain_model("dot", 4, {e4m3, e5m2, fp32, fp32}, {{{0, 1, 2, 3}}, CEnters::first},
                                 {aligned(25, Rounding::toward_zero, fp32), {}, {}}, 0x7fffffff);
  SimulatedUnit unit("hidden", "hidden", {hidden});
  const Instruction instruction{hidden.instruction, hidden.k, hidden.formats};
  std::vector<CharacteriseHooks::Change> changes;
  CharacteriseHooks hooks;
  hooks.changed = [&](const Search&, CharacteriseHooks::Change change) { changes.push_back(change); };
  // Two results for one input's sums that no unit gives.
  const DotInput one{{0x38, 0, 0, 0}, {0x3c, 0, 0, 0}, 0};
  const DotInput other{{0x38, 0, 0, 0}, {0x3c, 0, 0, 0}, 0x3f800000};
  CharacteriseOptions options;
  (void)characterise(search_for("dot", 4, hidden.formats), Recorded{}, instruction,
                     {{one, 0x40000000}, {other, 0x3f800000}}, options, hooks);
  EXPECT_EQ(changes, std::vector(2, CharacteriseHooks::Change::widened));
  changes.clear();
  options.identify.seconds = 0;
  (void)characterise(search_for("dot", 4, hidden.formats), unit, instruction, {}, options, hooks);
  EXPECT_TRUE(changes.empty());
}

TEST(Recordings, AreConcludedFromInAnOrderOfTheirOwnAndKeptWhole) {
  const UnitModel hidden = chain_model("dot", 4, {fp16, fp16, fp32, fp32}, {{{0, 1, 2, 3}}, CEnters::first},
                                       {aligned(24, Rounding::toward_zero, fp32), {}, {}}, 0x7fffffff);
  test::Random random(test::starting_seed(13));
  const DotInput nothing{{0, 0, 0, 0}, {0, 0, 0, 0}, 0};
  std::vector<Observation> recorded{{nothing, evaluate(hidden, nothing)}};
  for (int i = 0; i < 40; ++i) {
    const DotInput in = test::random_input(random, hidden);
    recorded.push_back({in, evaluate(hidden, in)});
  }
  const Characterisation found = characterise(search_for("dot", 4, hidden.formats), Recorded{},
                                              {"dot", 4, hidden.formats}, recorded, {}, {});
  ASSERT_TRUE(found.result.model);
  EXPECT_TRUE(contains(found.search.space, found.search.start(), hidden));
  for (const Observation& seen : recorded) EXPECT_EQ(evaluate(*found.result.model, seen.input), seen.d);
  EXPECT_NE(found.result.observations.front().input, nothing) << "which nearly every hypothesis explains";
  std::vector<Observation> kept = found.result.observations;
  std::ranges::sort(kept);
  std::ranges::sort(recorded);
  const auto doubles = std::ranges::unique(recorded);
  recorded.erase(doubles.begin(), doubles.end());
  EXPECT_EQ(kept, recorded);
}

UnitModel with_factor_exponents(ZeroAddends zeros) {
  Adder adder = aligned(24, Rounding::toward_zero, fp32);
  adder.zero_addends = zeros;
  return chain_model("dot", 2, {bf16, bf16, fp32, fp32}, {{{0, 1}}, CEnters::first}, {adder, {}, {}},
                     0x7fffffff);
}

/// Zero times 2^127 leaves nothing of c.
const DotInput kZeroTimesHuge{{0, 0}, {0x7f00, 0}, 0x33800000};

TEST(RareRules, AreAmongTheCompletionsOfAHypothesis) {
  const UnitModel unit = with_factor_exponents(ZeroAddends::factor_exponent(-126));
  ASSERT_EQ(evaluate(unit, kZeroTimesHuge), 0U);
  PartialModel stated{"dot", 2, unit.formats, {}};
  stated.features.blocks = {{0, 1}};
  stated.features.get<Parameter::alignment_fraction_bits>() = 24;
  ObservationRecord record;
  record.instruction = "dot";
  record.formats = unit.formats;
  record.input = kZeroTimesHuge;
  record.d = 0;
  const CheckResult found = check(AnyModel(stated), std::vector{record}, {});
  EXPECT_EQ(found.verdict, CheckResult::Verdict::consistent);
}

TEST(RareRules, LetNoDistinctionClaimThatFewerProductsDoNotDo) {
  const auto found = smallest_difference(with_factor_exponents(ZeroAddends::factor_exponent(-126)),
                                         with_factor_exponents({}), {});
  ASSERT_TRUE(std::holds_alternative<Different>(found));
  const auto& different = std::get<Different>(found);
  EXPECT_FALSE(different.nonzero_products > 0 && different.terms_minimal());
}

TEST(RareRules, AreListedInRunsOfOneRule) {
  ValueSet all = ValueSet::range(0, info(Parameter::zero_addends).size - 1);
  const Json json = to_json(Parameter::zero_addends, all, Runs::merged);
  EXPECT_EQ(json, Json::parse(R"(["left-out", {"from": "as-exponent -150", "to": "as-exponent 0"},
                                  {"from": "factor-exponent -150", "to": "factor-exponent 0"}])"));
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

TEST(WiderSpace, HasSkeletonsThatCarrySumsWhereOneIsStated) {
  PartialFeatures stated;
  stated.structure = "{[(p0..3)~ + c]}";
  stated.get<Parameter::alignment_fraction_bits>() = 24;
  const Search search = search_for("dot", 4, {bf16, bf16, fp32, fp32}, stated);
  ASSERT_FALSE(search.start().empty());
  for (const HypothesisSet& set : search.start()) {
    const UnitModel unit = search.space.model(set.skeleton, set.box.lowest(), std::nullopt);
    EXPECT_NO_THROW(validate(unit));
    EXPECT_EQ(features_of(unit).structure, *stated.structure);
  }
  EXPECT_FALSE(search.wider());
}

}  // namespace
}  // namespace mmaprint::wider_space_test
