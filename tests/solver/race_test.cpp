#include <gtest/gtest.h>

#include <array>
#include <chrono>
#include <thread>

#include "model/unit_model.h"
#include "solver/by_nodes.h"
#include "solver/first_answer.h"
#include "solver/sat_engine.h"

namespace mmaprint::race_test {
namespace {

using namespace std::chrono_literals;

Way equal_after(std::int64_t steps, std::chrono::milliseconds pause) {
  return [=](const Limits& limits) -> Distinction {
    std::this_thread::sleep_for(pause);
    *limits.spent += steps;
    return Equivalent{steps};
  };
}
Way unknown_after(std::int64_t steps) {
  return [=](const Limits& limits) -> Distinction {
    *limits.spent += steps;
    return Unknown{};
  };
}

struct Outcome {
  Distinction answer;
  std::int64_t steps = 0;
};
Outcome outcome_of(std::span<const Way> ways) {
  Outcome outcome;
  Limits limits;
  limits.spent = &outcome.steps;
  outcome.answer = first_answer(ways, limits);
  return outcome;
}

TEST(Race, IsWonByTheFewestStepsWhicheverEndsFirst) {
  for (const auto pause : {0ms, 20ms}) {
    const auto [answer, steps] =
        outcome_of(std::array{equal_after(700, 20ms - pause), equal_after(500, pause)});
    ASSERT_TRUE(std::holds_alternative<Equivalent>(answer));
    EXPECT_EQ(std::get<Equivalent>(answer).clauses, 500);
    EXPECT_EQ(steps, 500);
  }
}

TEST(Race, IsNotWonByWhoGivesUpSooner) {
  const auto [answer, steps] = outcome_of(std::array{unknown_after(3), equal_after(500, 0ms)});
  EXPECT_TRUE(std::holds_alternative<Equivalent>(answer));
  EXPECT_EQ(steps, 500);
}

TEST(Race, IsUnknownWhereAllGiveUpAndCountsTheLongest) {
  const auto [answer, steps] = outcome_of(std::array{unknown_after(30), unknown_after(20)});
  EXPECT_TRUE(std::holds_alternative<Unknown>(answer));
  EXPECT_EQ(steps, 30);
}

TEST(Race, IsLostByWhoNeedsMoreStepsAlone) {
  Race race;
  EXPECT_FALSE(race.is_lost(1'000'000));
  race.decided(500);
  race.decided(700);
  EXPECT_FALSE(race.is_lost(500));
  EXPECT_TRUE(race.is_lost(501));
}

/// One pigeon more than holes: no proof by resolution is short (Haken 1985).
std::unique_ptr<SatEngine> pigeons(int holes) {
  auto engine = make_cadical();
  const auto in = [&](int pigeon, int hole) { return pigeon * holes + hole + 1; };
  for (int pigeon = 0; pigeon <= holes; ++pigeon) {
    for (int hole = 0; hole < holes; ++hole) engine->add(in(pigeon, hole));
    engine->add(0);
  }
  for (int hole = 0; hole < holes; ++hole)
    for (int pigeon = 0; pigeon <= holes; ++pigeon)
      for (int other = 0; other < pigeon; ++other)
        for (const int literal : {-in(pigeon, hole), -in(other, hole), 0}) engine->add(literal);
  return engine;
}

TEST(Race, EndsASearchThatCanNotWinAnyMore) {
  Race race;
  race.decided(2'000);
  Limits limits;
  limits.conflicts = 1'000'000;
  limits.racing = {&race, 500, 2};
  const auto engine = pigeons(11);
  EXPECT_EQ(engine->solve(limits), Verdict::unknown);
  EXPECT_GE(engine->conflicts(), 750);
  EXPECT_LT(engine->conflicts(), 20'000);
}

TEST(Race, LetsASearchGoOnThatMayWin) {
  Race race;
  race.decided(100'000'000);
  Limits limits;
  limits.racing = {&race, 500, 2};
  EXPECT_EQ(pigeons(6)->solve(limits), Verdict::unsatisfiable);
}

TEST(Race, CountsWhatItsWayTookBefore) {
  Race race;
  Limits limits;
  limits.racing = {&race, 30, 1};
  Allowance allowance(limits);
  *allowance.rest().spent += 70;
  EXPECT_EQ(allowance.rest().racing.before, 100);
  EXPECT_EQ(allowance.rest().racing.race, &race);
}

/// An FP16 FMA; one that keeps so few bits differs from it where factors are subnormal.
UnitModel fma(std::optional<int> alignment_fraction_bits) {
  ChainParameters values;
  values.block = exact_adder(Format::fp16, Rounding::toward_zero);
  values.final_rounding = Rounding::toward_zero;
  values.block.alignment_fraction_bits = alignment_fraction_bits;
  values.block.alignment_rounding = AlignmentRounding::sticky;
  return chain_model("fma", 1, {Format::fp16, Format::fp16, Format::fp16, Format::fp16}, Chain{{{0}}}, values,
                     canonical_nan(Format::fp16));
}

TEST(Race, OfQuestionsWithAndWithoutProductsHasTheSameEndEachTime) {
  const auto checker = make_checker(Solver::cadical);
  for (const int f : {20, 40}) {
    std::array<std::int64_t, 3> steps{};
    for (std::int64_t& spent : steps) {
      Limits limits;
      limits.steps = 400'000;
      limits.spent = &spent;
      limits.threads = 2;
      const auto answer = compare_by_nodes(*checker, fma(std::nullopt), fma(f), limits);
      if (f == 20)
        EXPECT_TRUE(std::holds_alternative<Witness>(answer));
      else
        EXPECT_TRUE(std::holds_alternative<Equivalent>(answer));
    }
    EXPECT_EQ(steps[0], steps[1]);
    EXPECT_EQ(steps[0], steps[2]);
  }
}

}  // namespace
}  // namespace mmaprint::race_test
