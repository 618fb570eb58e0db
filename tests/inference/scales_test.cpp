// Units with scales: their evaluator, sifting and the solver's formulas against the oracle, and whole
// identifications.
#include <gtest/gtest.h>

#include <algorithm>

#include "device/catalogue.h"
#include "inference/by_need.h"
#include "model/concrete.h"
#include "model/datapath.h"
#include "model/evaluator.h"
#include "model/fixed_parameters.h"
#include "model/model_json.h"
#include "oracle/oracle.h"
#include "skeleton_units/scaled_unit.h"
#include "solver/distinguish.h"
#include "support/agreement.h"
#include "support/describe.h"
#include "support/generate.h"
#include "whole_search.h"

namespace mmaprint::scales_test {
namespace {

using test::Random;

TEST(ScaledUnits, ComputeAsTheOracleSays) {
  test::expect_agreement_with_oracle([](const UnitModel& m) { return Evaluator(m); },
                                     test::starting_seed(310'000), test::count(120), 300,
                                     [](Random& random) { return test::scaled_unit(random.bits()); });
}

/// In fixed point over the whole range of exponents, without any layer.
Pattern plainly(const UnitModel& model, const DotInput& input) {
  using Words = Concrete<WideWord<4480>, FixedParameters>;
  using Plain = Specification<PlainLowering>;
  FixedParameters source(model);
  const Words algebra(source);
  const Plan plan(model.formats, model.k, skeleton_of(model));
  using Patterns = std::span<const Pattern>;
  const PatternOperands<Words, PlainLowering, Patterns> in(algebra, plan, Patterns(input.a),
                                                           Patterns(input.b), input.c);
  const auto result =
      Plain::dot(algebra, plan, ScaledOperands(in, algebra, plan, Patterns(input.sa), Patterns(input.sb)));
  return result.nan.value ? canonical_nan(model.formats.d)
                          : static_cast<Pattern>(low_word(result.pattern.value));
}

TEST(ScaledUnits, ComputeAsThePlainLoweringDoes) {
  Random random(test::starting_seed(311'000));
  for (long i = 0; i < test::count(20); ++i) {
    const UnitModel model = test::scaled_unit(random.bits());
    const Evaluator unit(model);
    for (int j = 0; j < 10; ++j) {
      const DotInput in = test::random_input(random, model);
      ASSERT_EQ(unit(in), plainly(model, in)) << test::describe(model, in);
    }
  }
}

TEST(ScaledUnits, AreReadAsTheyAreWritten) {
  Random random(test::starting_seed(312'000));
  for (int i = 0; i < 60; ++i) {
    const UnitModel model = test::scaled_unit(random.bits());
    EXPECT_EQ(std::get<UnitModel>(model_from_text(to_json(model).dump(), "f")), model);
  }
}

TEST(Scales, ThatAreMissingAreOnes) {
  const UnitModel model =
      catalogued_model("rtxpro6000", "mma.m16n8k64.kind::mxf4nvf4.block16.f32.e2m1.e2m1.f32.ue4m3").value();
  DotInput in{std::vector<Pattern>(64, 0x2), std::vector<Pattern>(64, 0x3), 0};  // 64 times 1 · 1.5
  const Pattern expected = oracle::pattern_of(Format::fp32, 96);
  EXPECT_EQ(evaluate(model, in), expected);
  const DotInput all = with_all_scales(in, model.formats);
  EXPECT_EQ(all.sa, std::vector<Pattern>(4, 0x38));
  EXPECT_EQ(evaluate(model, all), expected);
  EXPECT_EQ(oracle::evaluate(model, all), expected);
  in.sa = {0x38, 0x40, 0xc0, 0x00};  // 1, 2, 2 whose sign is not read, and 0
  in.sb = {0x38, 0x38, 0x38, 0x38};
  EXPECT_EQ(evaluate(model, in), oracle::pattern_of(Format::fp32, 24 + 48 + 48));
  in.sb[3] = 0x7f;
  EXPECT_EQ(evaluate(model, in), 0x7fffffffU);  // NaN, times zero
}

TEST(Scales, OfAModelThatTheyDoNotFitAreRefusedInOneLine) {
  const UnitModel good =
      catalogued_model("rtxpro6000", "mma.m16n8k64.kind::mxf4nvf4.block16.f32.e2m1.e2m1.f32.ue4m3").value();
  UnitModel bad = good;
  bad.formats.sa = bad.formats.sb = Scales{Format::ue4m3, 8};
  EXPECT_THROW(validate(bad), std::invalid_argument);  // a group has two scales
  bad = good;
  bad.tree.nodes.front().result = NodeResult::carried();
  EXPECT_THROW(validate(bad), std::invalid_argument);  // UE4M3 scales no product by itself
  bad = good;
  bad.formats.sa = bad.formats.sb = std::nullopt;
  EXPECT_THROW(validate(bad), std::invalid_argument);
  bad = good;
  bad.adders.front().alignment_fraction_bits = 20;
  EXPECT_THROW(validate(bad), std::invalid_argument);
}

}  // namespace
}  // namespace mmaprint::scales_test
