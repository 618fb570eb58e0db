// Steps: what is spent is told, what is shared is shared, and the same question takes the same.
#include "solver/limits.h"

#include <gtest/gtest.h>

#include "device/catalogue.h"
#include "solver/distinguish.h"

namespace mmaprint::limits_test {
namespace {

TEST(Allowance, HandsOutWhatIsLeftOfItsSteps) {
  std::int64_t spent = 5;
  {
    Limits limits;
    limits.steps = 100;
    limits.spent = &spent;
    Allowance allowance(limits);
    EXPECT_EQ(allowance.rest().steps, 100);
    EXPECT_EQ(allowance.rest(30).steps, 30);
    *allowance.rest(30).spent += 30;
    EXPECT_EQ(allowance.rest().steps, 70);
    EXPECT_EQ(allowance.rest(90).steps, 70);
    EXPECT_FALSE(allowance.used_up());
    *allowance.rest().spent += 80;
    EXPECT_EQ(allowance.rest().steps, 0);
    EXPECT_TRUE(allowance.used_up());
  }
  EXPECT_EQ(spent, 5 + 30 + 80) << "it is told to whoever gave the limits";
}

TEST(Allowance, WithoutLimitsIsNeverUsedUpButLimitsASingleQuestion) {
  Allowance allowance({});
  *allowance.rest().spent += 1'000'000'000;
  EXPECT_FALSE(allowance.used_up());
  EXPECT_FALSE(allowance.rest().steps);
  EXPECT_EQ(allowance.rest(10).steps, 10);
}

TEST(Allowance, IsUsedUpWhenItsTimeIs) {
  Limits limits;
  limits.seconds = 0;
  EXPECT_TRUE(Allowance(limits).used_up());
}

/// Two units that lose other bits in alignment, compared with so many steps where a and b are powers of two.
Distinction asked(std::optional<std::int64_t> steps, std::int64_t* spent, Solver solver = Solver::cadical) {
  const Chain chain{{{0, 1}}, CEnters::first};
  const Signature formats{Format::e4m3, Format::e4m3, Format::fp16, Format::fp16};
  ChainParameters values;
  values.block.output_fraction_bits = 10;
  UnitModel left = chain_model("dot", 2, formats, chain, values, 0x7fff);
  UnitModel right = left;
  // An input that tells them apart, or, which takes Z3 half a minute, a proof that there is none.
  const int bits = solver == Solver::z3 ? 11 : 23;
  right.adders.front().alignment_fraction_bits = bits + 1;
  left.adders.front().alignment_fraction_bits = bits;
  Limits limits;
  limits.steps = steps;
  limits.spent = spent;
  Restriction powers_of_two;
  powers_of_two.leading_fraction_bits = 0;
  return make_checker(solver)->distinguish(left, right, powers_of_two, limits);
}

TEST(Steps, AreTheSameForTheSameQuestion) {
  std::int64_t first = 0, second = 0;
  (void)asked(std::nullopt, &first);
  (void)asked(std::nullopt, &second);
  EXPECT_GT(first, 0);
  EXPECT_EQ(first, second);
}

TEST(Steps, ThatSufficeGiveTheAnswerAndFewerGiveNone) {
  for (const Solver solver : {Solver::cadical, Solver::z3}) {
    std::int64_t needed = 0;
    const auto answer = asked(std::nullopt, &needed, solver);
    ASSERT_FALSE(std::holds_alternative<Unknown>(answer));
    std::int64_t spent = 0;
    EXPECT_EQ(asked(4 * needed + 10, &spent, solver).index(), answer.index());
    EXPECT_TRUE(std::holds_alternative<Unknown>(asked(0, &spent, solver)));
    EXPECT_TRUE(std::holds_alternative<Unknown>(asked(1, &spent, solver))) << "not even the formula is built";
  }
}

}  // namespace
}  // namespace mmaprint::limits_test
