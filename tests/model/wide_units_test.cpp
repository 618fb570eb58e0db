// Converted operands and results in formats of their own: every instance of the datapath against the oracle,
// and models as text.
#include "support/wide_units.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

#include "model/conversion.h"
#include "model/evaluator.h"
#include "model/model_json.h"
#include "model/skeletons.h"
#include "oracle/oracle.h"
#include "support/agreement.h"
#include "support/describe.h"
#include "support/flat.h"
#include "support/generate.h"

namespace mmaprint::wide_units_test {
namespace {

using test::Random;

std::string complaint(const UnitModel& model) {
  try {
    validate(model);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "none";
}

TEST(WideUnits, AgreeWithTheOracleOnRandomInputs) {
  const auto concrete = [](const UnitModel& model) -> test::Evaluation {
    validate(model);
    return [evaluator = std::make_shared<Evaluator>(model)](const DotInput& in) { return (*evaluator)(in); };
  };
  constexpr long kModels = 20'000, kInputs = 50;  // a million in a normal run
  test::expect_agreement_with_oracle(
      concrete, test::starting_seed(7'100'000), test::count(kModels), kInputs,
      [](Random& random) { return test::random_wide_unit(random, random.between(1, 9)); });
}

TEST(WideUnits, OfRareRulesAgreeWithTheOracleOnRandomInputs) {
  const auto concrete = [](const UnitModel& model) -> test::Evaluation {
    validate(model);
    return [evaluator = std::make_shared<Evaluator>(model)](const DotInput& in) { return (*evaluator)(in); };
  };
  test::expect_agreement_with_oracle(
      concrete, test::starting_seed(7'150'000), test::count(20'000), 50, [](Random& random) {
        return test::with_rare_rules(random, test::random_wide_unit(random, random.between(1, 9)));
      });
}

TEST(WideUnits, ThatCarrySumsAgreeWithTheOracleOnRandomInputs) {
  const auto concrete = [](const UnitModel& model) -> test::Evaluation {
    validate(model);
    return [evaluator = std::make_shared<Evaluator>(model)](const DotInput& in) { return (*evaluator)(in); };
  };
  test::expect_agreement_with_oracle(concrete, test::starting_seed(7'170'000), test::count(20'000), 50,
                                     [](Random& random) {
                                       UnitModel model = test::random_wide_unit(random, random.between(1, 9));
                                       if (random.chance(1, 2))
                                         model = test::with_rare_rules(random, std::move(model));
                                       return test::with_carried_sums(random, std::move(model));
                                     });
}

TEST(WideUnits, AreComputedAlikeByTheFlatEvaluator) {
  Random random(test::starting_seed(7'200));
  int compared = 0;
  for (int i = 0; i < test::count(600); ++i) {
    UnitModel model = test::random_wide_unit(random, random.between(1, 12));
    if (i % 2 == 1) model = test::with_rare_rules(random, std::move(model));
    compared += test::expect_flat_agrees(random, model, 60) ? 1 : 0;
  }
  EXPECT_GT(compared, test::count(200));
}

TEST(WideUnits, ThatCarrySumsAreComputedAlikeByTheFlatEvaluator) {
  Random random(test::starting_seed(7'250));
  int compared = 0, carrying = 0;
  for (int i = 0; i < test::count(600); ++i) {
    UnitModel model = test::random_wide_unit(random, random.between(1, 12));
    if (i % 2 == 1) model = test::with_rare_rules(random, std::move(model));
    model = test::with_carried_sums(random, std::move(model));
    const bool carries =
        std::ranges::any_of(model.tree.nodes, [](const Node& node) { return node.result.is_carried(); });
    const bool was_compared = test::expect_flat_agrees(model, 60, [&] {
      return random.chance(1, 8) ? test::random_input_with_a_sum_of_zeros(random, model)
                                 : test::random_input(random, model);
    });
    compared += was_compared ? 1 : 0;
    carrying += was_compared && carries ? 1 : 0;
    if (HasFailure()) return;
  }
  EXPECT_GT(compared, test::count(200));
  EXPECT_GT(carrying, test::count(100));
}

/// Every pattern of a format of at most 16 bits, and of FP32 some.
TEST(Conversion, OfEveryPatternIsTheOracles) {
  using enum Format;
  Random random(test::starting_seed(7'300));
  for (const Format container : {e4m3, e5m2, e4m3fnuz, e5m2fnuz, e3m2, e2m3, e2m1, fp16, bf16, fp32})
    for (const Format compute : {fp32, tf32, bf16, fp16, e5m2, e4m3, e2m3, e2m1})
      for (const Conversion how :
           {Conversion::exact, Conversion::chop, Conversion::nearest_even, Conversion::nearest_away}) {
        if (compute == container || not_convertible(container, {compute, how})) continue;
        // An FMA that adds the operand to +0 shows it.
        UnitModel model{"one", 1, {container, fp16, fp32, fp32}, {}, {}, {}, canonical_nan(fp32)};
        model.tree.nodes = {{{CLeaf{}, ProductLeaf{0}}, 0, std::nullopt}};
        model.adders = {exact_adder(fp32, Rounding::nearest_even)};
        model.paths.a = Converted{compute, how};
        const FormatInfo& f = info(container);
        const bool all = f.container_bits <= 16;
        const Pattern step = f.container_bits > 8 && test::counts_are_reduced() ? 7 : 1;
        const Evaluator evaluator(model);
        for (Pattern p = 0; p <= (all ? f.pattern_mask() : 20'000); p += step) {
          const Pattern a = all ? p : random.bits() & f.pattern_mask();
          const DotInput in{{a}, {0x3c00}, 0};
          ASSERT_EQ(evaluator(in), oracle::evaluate(model, in)) << test::describe(model, in);
        }
      }
}

TEST(Conversion, ByChopMakesAnInfinityOfANanWhosePayloadIsLost) {
  using enum Format;
  UnitModel model{"one", 1, {fp32, fp32, fp32, fp32}, {}, {}, {}, canonical_nan(fp32)};
  model.tree.nodes = {{{CLeaf{}, ProductLeaf{0}}, 0, std::nullopt}};
  model.adders = {exact_adder(fp32, Rounding::nearest_even)};
  model.paths.a = Converted{bf16, Conversion::chop};
  const Pattern one = 0x3f800000;
  EXPECT_EQ(evaluate(model, {{0xff800001}, {one}, 0}), 0xff800000U);
  EXPECT_EQ(evaluate(model, {{0x7f810000}, {one}, 0}), canonical_nan(fp32));
  model.paths.a = Converted{bf16, Conversion::nearest_even};
  EXPECT_EQ(evaluate(model, {{0x7f800001}, {one}, 0}), canonical_nan(fp32));
  EXPECT_EQ(evaluate(model, {{0x7f7fffff}, {one}, 0}), 0x7f800000U);  // beyond BF16's range
}

TEST(WideUnits, AreReadBackFromTheirDocuments) {
  Random random(test::starting_seed(7'400));
  for (int i = 0; i < test::count(300); ++i) {
    UnitModel model = test::random_wide_unit(random, random.between(1, 9));
    if (i % 2 == 1) model = test::with_rare_rules(random, std::move(model));
    if (i % 3 == 1) model = test::with_carried_sums(random, std::move(model));
    const AnyModel read = model_from_json(to_json(model), "model");
    ASSERT_EQ(std::get<UnitModel>(read), model) << to_json(model).dump();
  }
}

TEST(WideUnits, OfManyClassesAreReadBackFromTheirDocuments) {
  UnitModel model{"many",         12, {Format::fp16, Format::fp16, Format::fp32, Format::fp16}, {}, {}, {},
                  Pattern{0x7fff}};
  for (int i = 0; i < model.k; ++i) {
    const Leaf before = i == 0 ? Leaf(CLeaf{}) : Leaf(NodeLeaf{i - 1});
    const bool last = i + 1 == model.k;
    model.tree.nodes.push_back(
        {{before, ProductLeaf{i}}, i, last ? std::nullopt : std::optional(Format::fp32)});
    model.adders.push_back(exact_adder(last ? Format::fp16 : Format::fp32, Rounding::nearest_even));
  }
  validate(model);
  EXPECT_EQ(std::get<UnitModel>(model_from_json(to_json(model), "model")), model);
}

/// Documents of before let the first of all nodes speak for the blocks, also where it only rounds.
TEST(WideUnits, AreReadWithTheFeaturesOfBefore) {
  UnitModel model{
      "dot", 2, {Format::fp16, Format::fp16, Format::fp32, Format::fp32}, {}, {}, {}, Pattern{0x7fffffff}};
  model.tree.nodes = {{{ProductLeaf{0}}, 0, std::nullopt},
                      {{ProductLeaf{1}}, 0, std::nullopt},
                      {{CLeaf{}, NodeLeaf{0}, NodeLeaf{1}}, 1, std::nullopt}};
  model.adders.assign(2, exact_adder(Format::fp32, Rounding::nearest_even));
  model.adders.back().alignment_fraction_bits = 24;
  Json json = to_json(model);
  EXPECT_EQ(json["features"]["alignment_fraction_bits"], 24);
  json["features"] = {{"alignment_fraction_bits", nullptr}};
  EXPECT_EQ(std::get<UnitModel>(model_from_json(json, "model")), model);
  json["features"]["alignment_fraction_bits"] = 23;
  EXPECT_THROW((void)model_from_json(json, "model"), BadInput);
}

TEST(WideUnits, SayTheirResultFormatsOnlyWhereTheyAreNotDs) {
  UnitModel model = chain_model("dot", 2, {Format::fp16, Format::fp16, Format::fp32, Format::fp32},
                                {{{0}, {1}}, CEnters::first},
                                {exact_adder(Format::fp32, Rounding::nearest_even), {}, {}}, 0x7fffffff);
  Json json = to_json(model);
  for (Json& node : json["unit"]["tree"]) node["result"] = "fp32";
  EXPECT_EQ(std::get<UnitModel>(model_from_json(json, "model")), model);
}

TEST(WideUnits, WithIllegalFormatsAreRefusedInOneLine) {
  Random random(1);
  UnitModel model = test::random_wide_unit(random, 2);
  model.tree = tree_of(Chain{{{0}, {1}}, CEnters::first, Inside{Format::fp32, true}});
  model.formats = {Format::e4m3, Format::e4m3, Format::fp16, Format::fp16};
  model.paths = {};
  model.adders = {exact_adder(Format::fp32, Rounding::toward_zero),
                  exact_adder(Format::fp16, Rounding::nearest_even)};
  model.nan = Pattern{0x7fff};
  ASSERT_NO_THROW(validate(model));
  UnitModel bad = model;
  bad.tree.nodes.back().result = Format::bf16;
  EXPECT_EQ(complaint(bad), "tree[2].result: expected the root's to be D's");
  bad = model;
  bad.tree.nodes[1].result = Format::bf16;
  EXPECT_EQ(complaint(bad), "tree[1].result: expected the format that the other nodes of its adder have");
  bad = model;
  bad.tree.nodes[0].result = bad.tree.nodes[1].result = Format::e4m3;
  EXPECT_EQ(complaint(bad), "tree[0].result: expected a floating-point format with infinities");
  bad = model;
  bad.paths.a = Converted{Format::e2m1, Conversion::exact};
  EXPECT_EQ(complaint(bad), "operands.a: expected a format that holds every e4m3, or another conversion");
  bad = model;
  bad.adders[0].output_fraction_bits = 24;
  EXPECT_EQ(complaint(bad), "adders[0].output_fraction_bits: expected an integer in 1..23 for fp32, got 24");
}

TEST(WideUnits, ThatCannotCarryTheirSumsAreRefusedInOneLine) {
  UnitModel model{
      "dot", 2, {Format::fp16, Format::fp16, Format::fp32, Format::fp32}, {}, {}, {}, Pattern{0x7fffffff}};
  model.tree.nodes = {{{ProductLeaf{0}, ProductLeaf{1}}, 0, NodeResult::carried()},
                      {{NodeLeaf{0}, CLeaf{}}, 1, {}}};
  model.adders.assign(2, exact_adder(Format::fp32, Rounding::nearest_even));
  for (Adder& adder : model.adders) adder.alignment_fraction_bits = 24;
  ASSERT_NO_THROW(validate(model));
  UnitModel bad = model;
  bad.tree.nodes[1].result = NodeResult::carried();
  EXPECT_EQ(complaint(bad), "tree[1].result: expected a rounded one at the root");
  bad = model;
  bad.tree.nodes[1].adder = 0;
  EXPECT_EQ(complaint(bad),
            "tree[1].result: expected to be carried as at the other nodes of its adder, or nowhere there");
  bad = model;
  bad.adders[0].alignment_fraction_bits.reset();
  EXPECT_EQ(complaint(bad),
            "adders[0].alignment_fraction_bits: expected an integer in 0..40, as sums are carried");
  bad = model;
  bad.adders[1].c_fraction_bits = 23;
  bad.adders[1].normalisation = Normalisation::immediate;
  EXPECT_EQ(
      complaint(bad),
      "adders[1].normalisation: expected late, as sums are carried or kinds of operands aligned by rules "
      "of their own");
}

/// E of the products, 2^25, goes on with their sum, which cancels; c then lies too far below it.
TEST(WideUnits, CarryTheirExponentWithASumThatCancels) {
  UnitModel model{
      "dot", 2, {Format::fp16, Format::fp16, Format::fp32, Format::fp32}, {}, {}, {}, Pattern{0x7fffffff}};
  model.tree.nodes = {{{ProductLeaf{0}, ProductLeaf{1}}, 0, NodeResult::carried()},
                      {{NodeLeaf{0}, CLeaf{}}, 1, {}}};
  model.adders.assign(2, exact_adder(Format::fp32, Rounding::nearest_even));
  for (Adder& adder : model.adders) adder.alignment_fraction_bits = 26;
  const DotInput in{{0x7000, 0xf000}, {0x6c00, 0x6c00}, 0x3f000000};  // 2^13·2^12 twice, and c = 2^-1
  EXPECT_EQ(evaluate(model, in), 0x3f000000U);
  model.adders[1].c_fraction_bits = 25;
  EXPECT_EQ(evaluate(model, in), 0U);
  EXPECT_EQ(oracle::evaluate(model, in), 0U);
}

TEST(WideUnits, CarryAZeroWhereAllIsZeroOrDropped) {
  using enum Format;
  UnitModel model{"dot", 2, {fp16, fp16, fp32, fp32}, {}, {}, {}, Pattern{0x7fffffff}};
  model.tree.nodes = {{{ProductLeaf{0}, CLeaf{}}, 0, NodeResult::carried()},
                      {{NodeLeaf{0}, ProductLeaf{1}}, 1, {}}};
  model.adders.assign(2, exact_adder(fp32, Rounding::nearest_even));
  for (Adder& adder : model.adders) adder.alignment_fraction_bits = 4;
  model.adders[0].zero_addends = ZeroAddends::as_exponent(-5);
  model.adders[0].c_dropped_below = 0;
  model.adders[1].zero_addends = ZeroAddends::as_exponent(0);
  const DotInput in{{0, 0x2400}, {0, 0x3c00}, 0x3a800000};  // 0, 2^-6, and c = 2^-10
  EXPECT_EQ(oracle::evaluate(model, in), 0U);
  EXPECT_EQ(evaluate(model, in), 0U);
}

TEST(WideUnits, WrapWhatAKindsOwnRoundingMakesTooLarge) {
  using enum Format;
  UnitModel model{"dot", 1, {fp16, fp16, fp16, fp16}, {}, {}, {}, Pattern{0x7fff}};
  model.tree.nodes = {{{ProductLeaf{0}}, 0, {}}, {{NodeLeaf{0}, CLeaf{}}, 1, {}}};
  model.adders.assign(2, exact_adder(fp16, Rounding::nearest_even));
  Adder& root = model.adders[1];
  root.alignment_fraction_bits = 2;
  root.alignment_rounding = AlignmentRounding::floor;
  root.c_alignment_rounding = OwnAlignmentRounding::nearest_even;
  root.extra_carry_bits = 1;
  const DotInput in{{0x3fff}, {0x3c00}, 0x3fff};  // twice 2 - 2^-10
  EXPECT_EQ(oracle::evaluate(model, in), 0xc400U);
  EXPECT_EQ(evaluate(model, in), 0xc400U);
}

TEST(WiderSkeletons, AreAllLegalAndEachOnce) {
  for (const Signature& f : {Signature{Format::e4m3, Format::e5m2, Format::fp16, Format::fp16},
                             Signature{Format::fp32, Format::fp32, Format::fp32, Format::fp32},
                             Signature{Format::fp16, Format::fp16, Format::fp16, Format::fp16}}) {
    const auto all = wider_skeletons(8, f);
    EXPECT_GT(all.size(), 16U);
    for (std::size_t i = 0; i < all.size(); ++i) {
      ParameterValues values;
      values.adders.clear();
      for (int c = 0; c < classes_of(all[i].tree); ++c)
        values.adders.push_back(exact_adder(result_format(all[i].tree, c, f.d), Rounding::nearest_even));
      ASSERT_NO_THROW(validate(unit_model("any", 8, f, all[i], values, canonical_nan(f.d)))) << i;
      ASSERT_EQ(std::ranges::count(all, all[i]), 1) << i;
    }
  }
}

}  // namespace
}  // namespace mmaprint::wide_units_test
