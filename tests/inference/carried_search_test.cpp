// Units that carry sums on unrounded: searched after all others, up to a bound, and never claimed absent.
#include <gtest/gtest.h>

#include <algorithm>

#include "device/simulated.h"
#include "inference/by_need.h"
#include "inference/check.h"
#include "inference/inputs.h"
#include "model/evaluator.h"
#include "support/generate.h"
#include "support/wide_units.h"
#include "whole_search.h"

namespace mmaprint::carried_search_test {
namespace {

using enum Format;
using samples::aligned;
using samples::characterised;
using samples::expect_found;
using samples::for_finding;

/// CDNA3's BF16 with a block of 4 (MMA-Sim 2.1.1): the products' sum is carried on to c, to which each kind
/// is aligned by an F of its own; the sum is rounded down to 31 fraction bits, then to nearest.
UnitModel carrying_unit() {
  const Tree tree{
      {{{ProductLeaf{0}, ProductLeaf{1}, ProductLeaf{2}, ProductLeaf{3}}, 0, NodeResult::carried()},
       {{NodeLeaf{0}, CLeaf{}}, 1, e8m31},
       {{NodeLeaf{1}}, 2, std::nullopt}}};
  Adder products = aligned(24, Rounding::nearest_even, fp32);
  products.product_overflow = ProductOverflow::infinity;
  Adder join = aligned(32, Rounding::down, fp32);
  join.output_fraction_bits = 31;
  join.alignment_rounding = AlignmentRounding::floor;
  join.c_fraction_bits = 24;
  join.zero_addends = ZeroAddends::as_exponent(-126);
  return unit_model("dot", 4, {bf16, bf16, fp32, fp32}, {{}, tree},
                    {{products, join, exact_adder(fp32, Rounding::nearest_even)}, {}}, 0x7fc00000);
}

TEST(CarriedSums, AreFound) {
  if (test::counts_are_reduced()) GTEST_SKIP() << test::kTakesMinutesThen;
  CharacteriseOptions options = for_finding();
  options.tries_carried = true;
  expect_found(carrying_unit(), options);
}

TEST(CarriedSums, MayBeAddedExactlyByNodesThatCarryNoneOnWhereLaterClassesAreFree) {
  const UnitModel unit = carrying_unit();
  Space space = default_space("dot", unit.k, unit.formats);
  space.skeletons = {skeleton_of(unit)};
  space.later_classes = LaterClasses::free;
  const Box box = space.whole(0).box;
  const int exact =
      info(Parameter::alignment_fraction_bits).index(exact_adder(fp32, Rounding::toward_zero), {});
  EXPECT_FALSE((box[{Parameter::alignment_fraction_bits, 0}].contains(exact)));
  EXPECT_TRUE((box[{Parameter::alignment_fraction_bits, 1}].contains(exact)));
}

/// What a unit gives on inputs of every kind.
std::vector<Observation> test_inputs_of(const UnitModel& unit, int count) {
  InputGenerator inputs(unit.k, unit.formats, 5);
  std::vector<Observation> all;
  for (int i = 0; i < count; ++i) {
    DotInput input = inputs.next();
    const Pattern d = evaluate(unit, input);
    all.push_back({std::move(input), d});
  }
  return all;
}

/// CDNA3's FP8 with a block of 4 (MMA-Sim 2.1.1): products of even and of odd index are summed apart, then
/// together, all carried on; c far below is dropped.
UnitModel unit_of_parity_groups() {
  const auto carried = NodeResult::carried();
  const Tree tree{{{{ProductLeaf{0}, ProductLeaf{2}}, 0, carried},
                   {{ProductLeaf{1}, ProductLeaf{3}}, 0, carried},
                   {{NodeLeaf{0}, NodeLeaf{1}}, 1, carried},
                   {{NodeLeaf{2}, CLeaf{}}, 2, e8m31},
                   {{NodeLeaf{3}}, 3, std::nullopt}}};
  Adder halves = aligned(24, Rounding::nearest_even, fp32), both = halves;
  both.alignment_rounding = AlignmentRounding::floor;
  Adder join = aligned(32, Rounding::down, fp32);
  join.output_fraction_bits = 31;
  join.alignment_rounding = AlignmentRounding::floor;
  join.c_fraction_bits = 24;
  join.c_dropped_below = 25;
  return unit_model("dot", 4, {e5m2, e5m2, fp32, fp32}, {{}, tree},
                    {{halves, both, join, exact_adder(fp32, Rounding::nearest_even)}, {}}, 0x7fc00000);
}

TEST(CarriedSums, OfParityGroupsWithADroppedCAreFoundWhereTheirStructureIsStated) {
  if (test::counts_are_reduced()) GTEST_SKIP() << test::kTakesMinutesThen;
  const UnitModel hidden = unit_of_parity_groups();
  PartialFeatures stated;
  const Features features = features_of(hidden);
  stated.structure = features.structure;
  stated.get<Parameter::product>() = features.get<Parameter::product>();
  stated.get<Parameter::zero_addends>() = features.get<Parameter::zero_addends>();
  const Characterisation found = expect_found(hidden, for_finding(), stated);
  ASSERT_TRUE(found.result.model);
  EXPECT_EQ(found.result.model->tree, hidden.tree);
  EXPECT_EQ(found.result.model->adders[2].c_dropped_below, 25);
}

/// A partial model of the unit's instruction, and what the unit gives on so many inputs.
CheckResult checked(const PartialFeatures& stated, int count, const CheckOptions& options = {}) {
  const UnitModel unit = carrying_unit();
  CheckedRecords records({unit.instruction, unit.k, unit.formats});
  for (const Observation& seen : test_inputs_of(unit, count)) {
    ObservationRecord record;
    record.instruction = unit.instruction;
    record.formats = unit.formats;
    record.input = seen.input;
    record.d = seen.d;
    records.add(record);
  }
  return check(PartialModel{unit.instruction, unit.k, unit.formats, stated}, records, options);
}
PartialFeatures blocks_of_four() {
  PartialFeatures stated;
  stated.fma_width = 4;
  return stated;
}

TEST(CarriedSums, CompleteAHypothesisThatNothingElseCompletes) {
  if (test::counts_are_reduced()) GTEST_SKIP() << test::kTakesMinutesThen;
  const CheckResult found = checked(blocks_of_four(), 150);
  EXPECT_EQ(found.verdict, CheckResult::Verdict::consistent) << found.reason;
  ASSERT_TRUE(found.completion);
  EXPECT_TRUE(std::ranges::any_of(found.completion->tree.nodes,
                                  [](const Node& node) { return node.result.is_carried(); }));
}

TEST(CarriedSums, LeaveAHypothesisOpenWhereTheyAreNotAllRefuted) {
  if (test::counts_are_reduced()) GTEST_SKIP() << test::kTakesMinutesThen;
  CheckOptions options;
  options.work_on_carried = 0;
  const CheckResult found = checked(blocks_of_four(), 150, options);
  EXPECT_EQ(found.verdict, CheckResult::Verdict::unknown);
  EXPECT_NE(found.reason.find("carry sums on"), std::string::npos) << found.reason;
}

TEST(CarriedSums, DoNotSaveAHypothesisThatTheyDoNotHave) {
  if (test::counts_are_reduced()) GTEST_SKIP() << test::kTakesMinutesThen;
  PartialFeatures stated = blocks_of_four();
  stated.c_enters = CEnters::first;
  EXPECT_EQ(checked(stated, 150).verdict, CheckResult::Verdict::inconsistent);
}

TEST(CarriedSums, AreNotFoundWhereTheyAreNotTriedOnRandomInputs) {
  if (test::count(100) <= 100) GTEST_SKIP() << "only with MMAPRINT_TEST_COUNTS=full";
  CharacteriseOptions options = for_finding();
  options.identify.explain_nothing = false;
  const Identification found = characterised(carrying_unit(), options).result;
  EXPECT_EQ(found.verdict(), Identification::Verdict::none);
  EXPECT_EQ(found.unused, 0U);
}

/// Ends the search after so many observations, or where there is no wider space any more.
struct Cut {
  Characterisation found;
  std::size_t observed = 0;
};
Cut cut(const UnitModel& hidden, bool tries_carried, std::size_t after) {
  SimulatedUnit unit("hidden", "hidden", {hidden});
  std::stop_source stop;
  std::size_t observed = 0;
  CharacteriseHooks hooks;
  hooks.identify.stop = stop.get_token();
  hooks.identify.observed = [&](const Observation&) {
    if (++observed == after) stop.request_stop();
  };
  hooks.changed = [&](const Search& search, CharacteriseHooks::Change) {
    if (!search.wider()) stop.request_stop();
  };
  CharacteriseOptions options{.tries_carried = tries_carried};
  options.identify.threads = 2;
  const Instruction instruction{hidden.instruction, hidden.k, hidden.formats};
  Search search = search_for(hidden.instruction, hidden.k, hidden.formats, {});
  Characterisation found = characterise(std::move(search), unit, instruction, {}, options, hooks);
  return {std::move(found), observed};
}

TEST(CarriedSums, AreNotCalledAbsentWhereTheirSearchIsInterrupted) {
  if (test::counts_are_reduced()) GTEST_SKIP() << test::kTakesMinutesThen;
  // The default space is refuted, the structure measured, and the search for one that carries sums begun.
  constexpr std::size_t kWithin = 40;
  const auto [found, observed] = cut(carrying_unit(), true, kWithin);
  EXPECT_EQ(observed, kWithin);
  EXPECT_EQ(found.result.verdict(), Identification::Verdict::unknown);
  EXPECT_EQ(found.result.reason(), reason_of(ending::Interrupted{}));
  EXPECT_EQ(found.result.observations.size(), observed);
}

TEST(CarriedSums, AreGivenUpWhereTheySplitIntoMoreSetsThanMayBeKeptOnRandomInputs) {
  if (test::count(100) <= 100) GTEST_SKIP() << "only with MMAPRINT_TEST_COUNTS=full";
  PartialFeatures stated;
  const Features features = features_of(carrying_unit());
  stated.structure = features.structure;
  stated.get<Parameter::alignment_rounding>() = features.get<Parameter::alignment_rounding>();
  stated.get<Parameter::product>() = features.get<Parameter::product>();
  stated.get<Parameter::zero_addends>() = features.get<Parameter::zero_addends>();
  CharacteriseOptions options = for_finding();
  options.identify.most_sets = 5;
  const Characterisation found = characterised(carrying_unit(), options, stated);
  EXPECT_EQ(found.result.verdict(), Identification::Verdict::unknown);
  EXPECT_EQ(found.result.reason(), kTooManySets);
  EXPECT_FALSE(found.result.observations.empty());
}

TEST(EvaluationByNeed, GivesTheEvaluatorsAnswersForConvertedOperandsAndNodesOfOtherFormats) {
  const std::uint64_t first = test::starting_seed(8'000);
  for (std::uint64_t seed = first; seed < first + static_cast<std::uint64_t>(test::count(400)); ++seed) {
    test::Random random(seed);
    UnitModel unit = test::random_wide_unit(random, random.between(1, 6));
    if (seed % 2 == 1) unit = test::with_rare_rules(random, std::move(unit));
    if (seed % 3 == 1) unit = test::with_carried_sums(random, std::move(unit));
    Space space{unit.instruction, unit.k, unit.formats, {skeleton_of(unit)}, Box(1), NanResults::one_pattern};
    const VersionSpace one{{0, Box(values_of(unit)), constant_nan(unit.nan)}};
    for (int i = 0; i < 12; ++i) {
      const DotInput in =
          i < 8 ? test::random_input(random, unit) : test::random_input_with_a_sum_of_zeros(random, unit);
      const Pattern d = evaluate(unit, in);
      ASSERT_EQ(refine(space, one, {in, d}, 1).size(), 1U) << "seed " << seed;
      ASSERT_TRUE(refine(space, one, {in, d ^ 1U}, 1).empty()) << "seed " << seed;
    }
  }
}

/// With zeros taking part as 1 would, c = 2^-26 loses all its bits beside a carried sum of zeros, and none
/// beside a carried sum that cancelled.
TEST(EvaluationByNeed, TellsACarriedSumOfZerosFromOneThatCancelled) {
  UnitModel unit = carrying_unit();
  unit.adders[1].zero_addends = ZeroAddends::as_exponent(0);
  const DotInput zeros{{0, 0, 0, 0}, {0, 0, 0, 0}, 0x32800000};
  const DotInput cancelled{{0x3f80, 0xbf80, 0x3f80, 0xbf80}, {0x0080, 0x0080, 0x0080, 0x0080}, 0x32800000};
  ASSERT_NE(evaluate(unit, zeros), zeros.c);
  ASSERT_EQ(evaluate(unit, cancelled), cancelled.c);
  Space space{unit.instruction, unit.k, unit.formats, {skeleton_of(unit)}, Box(1), NanResults::one_pattern};
  const VersionSpace one{{0, Box(values_of(unit)), constant_nan(unit.nan)}};
  for (const DotInput& in : {zeros, cancelled}) {
    EXPECT_EQ(refine(space, one, {in, evaluate(unit, in)}, 1).size(), 1U);
    EXPECT_TRUE(refine(space, one, {in, evaluate(unit, in) ^ 1U}, 1).empty());
  }
}

}  // namespace
}  // namespace mmaprint::carried_search_test
