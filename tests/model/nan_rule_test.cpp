// Which NaN a NaN result is: by hand, against the oracle, and as documents say it.
#include "model/nan_rule.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "model/evaluator.h"
#include "model/features.h"
#include "model/model_json.h"
#include "model/pattern.h"
#include "oracle/oracle.h"
#include "support/agreement.h"
#include "support/describe.h"
#include "support/flat.h"
#include "support/generate.h"
#include "support/wide_units.h"

namespace mmaprint::nan_rule_test {
namespace {

using test::Random;
using enum Format;

constexpr Pattern kGenerated = 0xfff8000000000000, kOne = 0x3ff0000000000000, kInfinity = 0x7ff0000000000000,
                  kQuietA = 0x7ff8000000000a0a, kSignallingB = 0xfff0000000000b0b,
                  kQuietedB = 0xfff8000000000b0b, kQuietC = 0xfff8000000000c0c;

UnitModel fma_chain(const NanRule& rule) {
  UnitModel model = chain_model("dot4", 4, {fp64, fp64, fp64, fp64}, {{{0}, {1}, {2}, {3}}, CEnters::first},
                                {exact_adder(fp64, Rounding::nearest_even), {}, {}}, std::nullopt);
  model.nan = rule;
  return model;
}

UnitModel integer_dot() {
  Conventions wrapping;
  wrapping.overflow = Overflow::wrap;
  return chain_model("dot4", 4, {int8, int8, int32, int32}, {{{0, 1, 2, 3}}, CEnters::first},
                     {exact_adder(int32, Rounding::nearest_even), {}, wrapping}, std::nullopt);
}

DotInput ones() { return {{kOne, kOne, kOne, kOne}, {kOne, kOne, kOne, kOne}, kOne}; }

TEST(NanRule, LetsTheFirstOperandThroughQuieted) {
  NanRule rule;
  rule.generated = kGenerated;
  DotInput in = ones();
  in.b[2] = kSignallingB;
  EXPECT_EQ(evaluate(fma_chain(rule), in), kQuietedB);
  in.a[3] = kQuietA;
  EXPECT_EQ(evaluate(fma_chain(rule), in), kQuietedB) << "a running sum is an operand";
  rule.sum = NanRule::Sum::last;
  EXPECT_EQ(evaluate(fma_chain(rule), in), kQuietA);
  in.c = kQuietC;
  in.a[3] = kOne;
  EXPECT_EQ(evaluate(fma_chain(rule), in), kQuietedB);
  rule.sum = NanRule::Sum::first;
  EXPECT_EQ(evaluate(fma_chain(rule), in), kQuietC);
}

TEST(NanRule, MayHaveTheSumBetweenAProductsFactors) {
  const NanRule rule{
      .sum = NanRule::Sum::between, .factors = NanRule::Factors::b_first, .generated = kGenerated};
  DotInput in = ones();
  in.a[0] = kQuietA;
  EXPECT_EQ(evaluate(fma_chain(rule), in), kQuietA);
  in.c = kQuietC;
  EXPECT_EQ(evaluate(fma_chain(rule), in), kQuietC);
  in.b[0] = kSignallingB;
  EXPECT_EQ(evaluate(fma_chain(rule), in), kQuietedB);
}

TEST(NanRule, OrdersTheFactorsOfAProduct) {
  NanRule rule;
  rule.generated = kGenerated;
  DotInput in = ones();
  in.a[1] = kQuietA;
  in.b[1] = kSignallingB;
  EXPECT_EQ(evaluate(fma_chain(rule), in), kQuietA);
  rule.signalling = NanRule::Signalling::first;
  EXPECT_EQ(evaluate(fma_chain(rule), in), kQuietedB);
  rule.signalling = NanRule::Signalling::alike;
  rule.factors = NanRule::Factors::b_first;
  EXPECT_EQ(evaluate(fma_chain(rule), in), kQuietedB);
}

TEST(NanRule, HasInvalidOperationsMakeTheUnitsOwn) {
  NanRule rule;
  rule.generated = kGenerated;
  DotInput in = ones();
  in.a[0] = kInfinity;
  in.c = kInfinity | Pattern{1} << 63;
  EXPECT_EQ(evaluate(fma_chain(rule), in), kGenerated) << "infinities of both signs";
  in.c = kOne;
  in.b[0] = 0;
  EXPECT_EQ(evaluate(fma_chain(rule), in), kGenerated) << "zero times infinity";
  in.c = kQuietC;
  EXPECT_EQ(evaluate(fma_chain(rule), in), kQuietC);
  rule.invalid = NanRule::Invalid::first;
  EXPECT_EQ(evaluate(fma_chain(rule), in), kGenerated);
  rule = {.sum = NanRule::Sum::last, .generated = kGenerated};
  EXPECT_EQ(evaluate(fma_chain(rule), in), kGenerated);
  rule.invalid = NanRule::Invalid::last;
  EXPECT_EQ(evaluate(fma_chain(rule), in), kQuietC);
}

TEST(NanRule, MovesThePayloadsHighBits) {
  Adder block = exact_adder(fp32, Rounding::toward_zero);
  block.alignment_fraction_bits = 24;
  UnitModel wider = chain_model("dot2", 2, {fp16, fp16, fp32, fp32}, {{{0, 1}}, CEnters::first},
                                {block, {}, {}}, std::nullopt);
  wider.nan = NanRule{.products = NanRule::Products::descending, .generated = 0xffc00000};
  const DotInput in{{0x3c00, 0x3c00}, {0xfd55, 0x7c01}, 0};
  EXPECT_EQ(evaluate(wider, in), 0x7fc02000U) << "the last product goes first, its signalling NaN quieted";
  block.output_fraction_bits = 10;
  UnitModel narrower = chain_model("dot2", 2, {fp16, fp16, fp32, fp16}, {{{0, 1}}, CEnters::first},
                                   {block, {}, {}}, std::nullopt);
  narrower.nan = NanRule{.generated = 0x7fff};
  EXPECT_EQ(evaluate(narrower, {{0x3c00, 0x3c00}, {0x3c00, 0x7c01}, 0xff812345}), 0xfe09U);
}

Pattern special(Random& random, const FormatInfo& f) {
  switch (random.between(0, 5)) {
    case 0:
      return f.has_infinity() ? infinity_pattern(f) | (random.chance(1, 2) ? sign_pattern(f) : 0) : 0;
    case 1:
      return 0;
    default:
      return f.has_nan() ? test::random_nan(random, f.id) : 0;
  }
}

/// Specials at some places of an input that exercises the model.
DotInput with_specials(Random& random, const UnitModel& model) {
  DotInput in = test::random_input(random, model);
  const int rare = random.pick({2, 4, 8});
  for (Pattern& p : in.a)
    if (random.chance(1, rare)) p = special(random, info(model.formats.a));
  for (Pattern& p : in.b)
    if (random.chance(1, rare)) p = special(random, info(model.formats.b));
  if (model.formats.c && random.chance(1, rare)) in.c = special(random, info(*model.formats.c));
  return in;
}

NanRule random_rule(Random& random, Format d) {
  return {static_cast<NanRule::Sum>(random.between(0, 2)),
          static_cast<NanRule::Products>(random.between(0, 1)),
          static_cast<NanRule::Factors>(random.between(0, 1)),
          static_cast<NanRule::Invalid>(random.between(0, 2)),
          static_cast<NanRule::Signalling>(random.between(0, 1)),
          test::random_nan(random, d)};
}

const test::MakeEvaluation kEvaluator = [](const UnitModel& model) {
  return [unit = std::make_shared<Evaluator>(model)](const DotInput& in) { return (*unit)(in); };
};

void expect_agreement(std::uint64_t first_seed, long models, long inputs,
                      const std::function<UnitModel(Random&)>& random_model) {
  for (long i = 0; i < models; ++i) {
    const std::uint64_t seed = test::starting_seed(first_seed) + static_cast<std::uint64_t>(i);
    SCOPED_TRACE("MMAPRINT_TEST_SEED=" + std::to_string(seed));
    Random random(seed);
    UnitModel model = random_model(random);
    model.nan = random_rule(random, model.formats.d);
    ASSERT_NO_THROW(validate(model)) << test::describe(model);
    const auto evaluation = kEvaluator(model);
    for (long j = 0; j < inputs; ++j)
      if (!test::agrees_with_oracle(kEvaluator, evaluation, model, with_specials(random, model))) return;
  }
}

TEST(NanRule, OfAnyTreeIsTheOraclesOnRandomInputs) {
  expect_agreement(31, 50, test::count(10'000), [](Random& random) {
    UnitModel model = test::random_wide_unit(random, random.between(1, 8));
    return random.chance(1, 4) ? test::without_c(std::move(model)) : model;
  });
}

TEST(NanRule, OfATreeWithCarriedSumsIsTheOraclesOnRandomInputs) {
  expect_agreement(33, 40, test::count(1'000), [](Random& random) {
    return test::with_carried_sums(random, test::random_wide_unit(random, random.between(2, 8)));
  });
}

TEST(NanRule, OfAChainOfFmasIsTheOraclesOnRandomInputs) {
  expect_agreement(32, 48, test::count(10'500), [](Random& /*random*/) { return fma_chain({}); });
}

TEST(NanRule, IsFollowedAlikeByTheFlatEvaluator) {
  Random random(test::starting_seed(34));
  int compared = 0;
  for (int i = 0; i < test::count(300); ++i) {
    UnitModel model = i % 4 == 0 ? fma_chain({}) : test::random_wide_unit(random, random.between(1, 8));
    if (i % 4 == 1) model = test::with_carried_sums(random, std::move(model));
    if (i % 4 == 2) model = test::without_c(std::move(model));
    model.nan = random_rule(random, model.formats.d);
    compared += test::expect_flat_agrees(model, 60, [&] { return with_specials(random, model); }) ? 1 : 0;
    if (HasFailure()) return;
  }
  EXPECT_GT(compared, test::count(200));
}

TEST(NanRule, ComesBackFromADocument) {
  for (std::uint64_t seed = 40; seed < 60; ++seed) {
    Random random(seed);
    const UnitModel model = fma_chain(random_rule(random, fp64));
    const Json document = to_json(model);
    EXPECT_TRUE(document.at("unit").at("nan").is_object());
    EXPECT_EQ(document.at("unit").at("nan"), document.at("features").at("nan"));
    EXPECT_EQ(std::get<UnitModel>(model_from_json(document, "model")), model);
  }
}

std::string complaint_about(const Json& model) {
  try {
    (void)model_from_json(model, "model");
  } catch (const BadInput& error) {
    return error.what();
  }
  return "none";
}

TEST(NanRule, IsRefusedWhereADocumentIsWrongAboutIt) {
  const Json document = to_json(fma_chain({.generated = kGenerated}));
  const auto after = [&](auto&& change) {
    Json changed = document;
    changed.erase("features");
    change(changed["unit"]["nan"]);
    return complaint_about(changed);
  };
  EXPECT_EQ(after([](Json&) {}), "none");
  const auto mentions = [](const std::string& text, const std::string& what) {
    EXPECT_NE(text.find(what), std::string::npos) << text;
  };
  mentions(after([](Json& nan) { nan["generated"] = "3ff0000000000000"; }), "unit.nan.generated");
  mentions(after([](Json& nan) { nan["sum"] = "middle"; }), "unit.nan.sum");
  mentions(after([](Json& nan) { nan["rule"] = "largest"; }), "first-operand");
  mentions(after([](Json& nan) { nan.erase("factors"); }), "factors");
  mentions(after([](Json& nan) { nan["more"] = 1; }), "more");
}

TEST(NanRule, IsNoneOfIntegersAndOfOlderDocuments) {
  const UnitModel integer = integer_dot();
  EXPECT_EQ(integer.nan, NanBehaviour(NoNan{}));
  EXPECT_EQ(std::get<UnitModel>(model_from_json(to_json(integer), "model")), integer);
  UnitModel several = fma_chain({});
  several.nan = SeveralNans{};
  const Json document = to_json(several);
  EXPECT_EQ(document.at("unit").at("nan"), nullptr);
  EXPECT_EQ(std::get<UnitModel>(model_from_json(document, "model")), several);
  EXPECT_EQ(in_words(several.nan, fp64), "several patterns");
}

TEST(Validate, RejectsNanResultsThatIntegersOrNumbersHave) {
  UnitModel integer = integer_dot();
  EXPECT_NO_THROW(validate(integer));
  integer.nan = SeveralNans{};
  EXPECT_THROW(validate(integer), std::invalid_argument);
  EXPECT_THROW(validate(fma_chain({.generated = kOne})), std::invalid_argument);
  UnitModel floating = fma_chain({.generated = kGenerated});
  floating.nan = NoNan{};
  EXPECT_THROW(validate(floating), std::invalid_argument);
}

}  // namespace
}  // namespace mmaprint::nan_rule_test
