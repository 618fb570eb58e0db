// Ways from model to model by what bounds show to mean nothing.
#include "inference/idle_steps.h"

#include <gtest/gtest.h>

#include "model/evaluator.h"
#include "support/generate.h"

namespace mmaprint::idle_steps_test {
namespace {

using enum Format;

/// {p0} + {p1}: FP16 products, exact in FP32, and their sum with guard bits and a sticky one.
UnitModel sum_with_guard_bits(int fraction_bits) {
  UnitModel unit = chain_model("sum", 2, {fp16, fp16, {}, fp32}, Chain{{{0, 1}}, std::nullopt},
                               {exact_adder(fp32, Rounding::nearest_even), {}, {}}, canonical_nan(fp32));
  unit.adders.push_back(unit.adders.front());
  unit.adders[1].alignment_fraction_bits = fraction_bits;
  unit.adders[1].alignment_rounding = AlignmentRounding::sticky;
  unit.tree.nodes = {{{ProductLeaf{0}}, 0}, {{ProductLeaf{1}}, 0}, {{NodeLeaf{0}, NodeLeaf{1}}, 1}};
  validate(unit);
  return unit;
}

ParameterValues exact(const UnitModel& unit) {
  ParameterValues values = values_of(unit);
  for (Adder& adder : values.adders) adder.alignment_fraction_bits.reset();
  return values;
}

TEST(IdleSteps, LeadFromGuardBitsThatSufficeToExactSumsThatComputeTheSame) {
  test::Random random(test::starting_seed(8'800));
  for (const int bits : {26, 27, 30}) {
    const UnitModel unit = sum_with_guard_bits(bits);
    const std::vector<ModelStep> steps = idle_steps(unit, exact(unit));
    ASSERT_FALSE(steps.empty()) << bits;
    EXPECT_EQ(steps.front().left, unit);
    EXPECT_EQ(steps.back().right.adders[1].alignment_fraction_bits, std::nullopt);
    const Evaluator from(unit), to(steps.back().right);
    for (long i = 0; i < test::count(10'000); ++i) {
      const DotInput input = test::random_input(random, unit);
      ASSERT_EQ(from(input), to(input)) << bits;
    }
  }
}

TEST(IdleSteps, AreNoneWhereBitsMatter) {
  const UnitModel unit = sum_with_guard_bits(20);
  EXPECT_TRUE(idle_steps(unit, exact(unit)).empty());
}

}  // namespace
}  // namespace mmaprint::idle_steps_test
