// Converted operands and results in formats of their own: every instance of the datapath against the oracle,
// and models as text.
#include "support/wide_units.h"

#include <gtest/gtest.h>

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

namespace mmaprint {
namespace {

using test::Random;

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

TEST(WideUnits, AreComputedAlikeByTheFlatEvaluator) {
  Random random(test::starting_seed(7'200));
  int compared = 0;
  for (int i = 0; i < test::count(600); ++i) {
    const UnitModel model = test::random_wide_unit(random, random.between(1, 12));
    const auto flat = flat_unit(model);
    const WordsNeeded needed = words_needed(model);
    if (!flat || needed.operands > 64 || needed.sums > 128) continue;
    ++compared;
    const Evaluator expected(model);
    for (int n = 0; n < 60; ++n) {
      const DotInput in = test::random_input(random, model);
      ASSERT_EQ((test::run_flat<FlatEvaluator<std::uint64_t, Word128>>(*flat, in)), expected(in))
          << test::describe(model, in);
      if (needed.operands > 32 || needed.sums > 64) continue;
      ASSERT_EQ((test::run_flat<FlatEvaluator<std::uint32_t, std::uint64_t>>(*flat, in)), expected(in))
          << test::describe(model, in);
    }
  }
  EXPECT_GT(compared, test::count(200));
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
        const Evaluator evaluator(model);
        for (Pattern p = 0; p <= (all ? f.pattern_mask() : 20'000); ++p) {
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
    const UnitModel model = test::random_wide_unit(random, random.between(1, 9));
    const AnyModel read = model_from_json(to_json(model), "model");
    ASSERT_EQ(std::get<UnitModel>(read), model) << to_json(model).dump();
  }
}

TEST(WideUnits, WithIllegalFormatsAreRefusedInOneLine) {
  Random random(1);
  UnitModel model = test::random_wide_unit(random, 2);
  model.tree = tree_of(Chain{{{0}, {1}}, CEnters::first, Inside{Format::fp32, true}});
  model.formats = {Format::e4m3, Format::e4m3, Format::fp16, Format::fp16};
  model.paths = {};
  model.adders = {exact_adder(Format::fp32, Rounding::toward_zero),
                  exact_adder(Format::fp16, Rounding::nearest_even)};
  model.nan = 0x7fff;
  ASSERT_NO_THROW(validate(model));
  const auto complaint = [](const UnitModel& changed) -> std::string {
    try {
      validate(changed);
    } catch (const std::invalid_argument& error) {
      return error.what();
    }
    return "none";
  };
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

TEST(WiderSkeletons, AreAllLegalAndEachOnce) {
  for (const OperandFormats& f : {OperandFormats{Format::e4m3, Format::e5m2, Format::fp16, Format::fp16},
                                  OperandFormats{Format::fp32, Format::fp32, Format::fp32, Format::fp32},
                                  OperandFormats{Format::fp16, Format::fp16, Format::fp16, Format::fp16}}) {
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
}  // namespace mmaprint
