// Several steps as one unit: they compute what the steps compute one after the other.
#include "model/chained.h"

#include <gtest/gtest.h>

#include "model/evaluator.h"
#include "model/model_json.h"
#include "support/generate.h"
#include "support/wide_units.h"

namespace mmaprint::chained_test {
namespace {

using test::Random;

/// What so many steps give, one after the other.
Pattern step_by_step(const UnitModel& step, const DotInput& in) {
  const auto k = static_cast<std::ptrdiff_t>(step.k);
  Pattern c = in.c;
  for (auto from = std::ptrdiff_t{0}; from < std::ssize(in.a); from += k)
    c = evaluate(
        step,
        {{in.a.begin() + from, in.a.begin() + from + k}, {in.b.begin() + from, in.b.begin() + from + k}, c});
  return c;
}

TEST(Steps, ComputeAsOneUnitWhatTheyComputeOneAfterTheOtherOnRandomInputs) {
  Random random(test::starting_seed(61));
  int compared = 0;
  for (long n = 0; n < test::count(2'000); ++n) {
    UnitModel step = test::random_wide_unit(random, random.between(1, 5));
    if (random.chance(1, 4)) step = test::with_carried_sums(random, std::move(step));
    if (random.chance(1, 4)) step = test::with_rare_rules(random, std::move(step));
    const int times = random.between(1, 4);
    if (not_chainable(step, times)) continue;
    ++compared;
    const UnitModel all = chained(step, times);
    validate(all);
    for (int i = 0; i < 50; ++i) {
      const DotInput in = test::random_input(random, all);
      ASSERT_EQ(evaluate(all, in), step_by_step(step, in)) << to_json(step).dump();
    }
  }
  EXPECT_GT(compared, test::count(100));
}

UnitModel step(std::optional<Format> c, Format d) {
  const Signature formats{Format::fp16, Format::fp16, c, d};
  const auto enters = c ? std::optional(CEnters::first) : std::nullopt;
  return chain_model("step", 4, formats, {{{0, 1, 2, 3}}, enters},
                     {exact_adder(d, Rounding::nearest_even), {}, {}}, canonical_nan(d));
}

TEST(Steps, AreOfUnitsWhoseResultsAreTheirC) {
  EXPECT_EQ(not_chainable(step(Format::fp32, Format::fp32), 2), std::nullopt);
  EXPECT_EQ(not_chainable(step(Format::fp16, Format::fp32), 2), "its c is fp16, its d fp32");
  EXPECT_EQ(not_chainable(step(Format::fp16, Format::fp32), 1), std::nullopt);
  EXPECT_EQ(not_chainable(step(std::nullopt, Format::fp32), 2), "it has no c");
  EXPECT_EQ(not_chainable(step(Format::fp32, Format::fp32), 1'000), "expected 1024 products at most");
  UnitModel flushes = step(Format::fp32, Format::fp32);
  flushes.conventions.c_subnormals = Subnormals::flushed;
  EXPECT_EQ(not_chainable(flushes, 2), "it flushes c");
  EXPECT_THROW((void)chained(step(std::nullopt, Format::fp32), 2), std::invalid_argument);
}

TEST(Steps, OfAChainAreALongerChain) {
  const UnitModel all = chained(step(Format::fp32, Format::fp32), 3);
  EXPECT_EQ(all.k, 12);
  const auto chain = chain_of(all.tree);
  ASSERT_TRUE(chain);
  EXPECT_EQ(chain->blocks, (std::vector<std::vector<int>>{{0, 1, 2, 3}, {4, 5, 6, 7}, {8, 9, 10, 11}}));
}

}  // namespace
}  // namespace mmaprint::chained_test
