// Which input is proposed: one that splits what is left, and none where nothing does.
#include "inference/experiments.h"

#include <gtest/gtest.h>

#include <array>
#include <set>

#include "inference/by_need.h"
#include "samples.h"
#include "support/random.h"

namespace mmaprint::experiments_test {
namespace {

using enum Parameter;

/// All of the small space's first chain.
HypothesisSet first_chain(const Space& space) { return {0, space.whole().front().box, 0x7fffffff}; }

/// The results of a set's hypotheses, which differ in some parameters only.
std::set<Pattern> results(const Space& space, const HypothesisSet& set, const DotInput& input) {
  std::set<Pattern> all;
  for (const int bits : set.box[alignment_fraction_bits].values())
    for (const int lost : set.box[alignment_rounding].values())
      for (const int rounding : set.box[block_rounding].values()) {
        ParameterValues values = set.box.lowest();
        set_value(values, {alignment_fraction_bits}, bits);
        set_value(values, {alignment_rounding}, lost);
        set_value(values, {block_rounding}, rounding);
        all.insert(evaluate(space.model(set.skeleton, values, set.nan), input));
      }
  return all;
}

constexpr std::array kLook{Look{InputFamily::any, 400, 48}};
constexpr std::array kFew{Look{InputFamily::any, 100, 48, 0.05}};

TEST(Experiments, ProposeAnInputOnWhichHypothesesDiffer) {
  const Space space = samples::small_space();
  const HypothesisSet set = first_chain(space);
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Experiments experiments(space, seed);
    const auto input = experiments.best({set}, kLook);
    ASSERT_TRUE(input);
    EXPECT_GE(results(space, set, *input).size(), 2U);
  }
}

TEST(Experiments, ProposeAnInputThatCostsLessToSiftByWhereThatIsAskedFor) {
  if (test::counts_are_reduced()) GTEST_SKIP() << test::kTakesMinutesThen;
  const Space space = default_space("dot", 4, {Format::bf16, Format::bf16, Format::fp32, Format::fp32});
  const auto cost = [&](const DotInput& input) {
    return cost_of_sifting(space, space.whole(), input, 1'000'000'000, 2, Deadline())->operands;
  };
  std::int64_t best = 0, cheap = 0;
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    Experiments experiments(space, seed), frugal(space, seed);
    const auto input = frugal.most_for_its_cost(space.whole(), kFew);
    ASSERT_TRUE(input) << "seed " << seed;
    const Observation seen{*input, evaluate(space.model(0, space.box.lowest(), std::nullopt), *input)};
    EXPECT_LT(count(refine(space, space.whole(), seen, 2)), space.size());
    cheap += cost(*input);
    best += cost(experiments.best(space.whole(), kFew).value());
  }
  EXPECT_LT(cheap, best);
}

TEST(Experiments, ChooseAmongWhatWasAskedBeforeOnlyWhatTellsSomething) {
  const Space space = samples::small_space();
  const HypothesisSet set = first_chain(space);
  Experiments experiments(space, 1);
  const DotInput telling = experiments.best({set}, kLook).value();
  const DotInput zeros{std::vector<Pattern>(telling.a.size(), 0), std::vector<Pattern>(telling.a.size(), 0),
                       0};
  EXPECT_EQ(experiments.most_for_its_cost({set}, std::vector<Observation>{{zeros, 0}, {telling, 0}}, 48,
                                          Experiments::Patience::much),
            1U);
  EXPECT_FALSE(experiments.most_for_its_cost({set}, std::vector<Observation>{{zeros, 0}}, 48,
                                             Experiments::Patience::much));
}

TEST(Experiments, ChooseAmongKnownAnswersTheOneThatFewestHypothesesGive) {
  const Space space = samples::small_space();
  const HypothesisSet set = first_chain(space);
  Experiments experiments(space, 1);
  const DotInput telling = experiments.best({set}, kLook).value();
  const std::vector<Pattern> none(telling.a.size(), 0);
  const Pattern usual = evaluate(space.model(set.skeleton, set.box.lowest(), std::nullopt), telling);
  const Observation impossible{{none, none, 0}, Pattern{1}};
  EXPECT_EQ(experiments.most_for_its_cost({set}, std::vector<Observation>{{telling, usual}, impossible}, 48,
                                          Experiments::Patience::little),
            1U)
      << "a sum of zeros is no subnormal";
}

TEST(Experiments, ProposeTheSameOnAnyNumberOfThreads) {
  if (test::counts_are_reduced()) GTEST_SKIP() << test::kTakesMinutesThen;
  const Space space = default_space("dot", 4, {Format::fp16, Format::fp16, Format::fp32, Format::fp32});
  const auto proposed = [&](int threads) {
    Experiments experiments(space, 5, {}, threads);
    std::vector<std::optional<DotInput>> inputs;
    for (int n = 0; n < 3; ++n) inputs.push_back(experiments.most_for_its_cost(space.whole(), kFew));
    return std::pair(inputs, experiments.tried());
  };
  EXPECT_EQ(proposed(1), proposed(3));
}

TEST(Experiments, ProposeNothingWhereOneHypothesisIsLeft) {
  const Space space = samples::small_space();
  HypothesisSet set = first_chain(space);
  for (ValueSet& values : set.box.sets()) values = ValueSet::single(values.first());
  Experiments experiments(space, 1);
  EXPECT_FALSE(experiments.best({set}, kLook));
}

TEST(Experiments, ProposeNothingThatTellsLessThanAsked) {
  const Space space = samples::small_space();
  Experiments experiments(space, 1);
  EXPECT_FALSE(experiments.best({first_chain(space)}, std::array{Look{InputFamily::any, 400, 48, 20.0}}))
      << "48 hypotheses have less than 6 bits";
}

TEST(Experiments, ProposeTheSameForTheSameSeed) {
  const Space space = samples::small_space();
  const auto proposed = [&](std::uint64_t seed) {
    Experiments experiments(space, seed);
    return experiments.best({first_chain(space)}, kLook);
  };
  EXPECT_EQ(proposed(7), proposed(7));
  EXPECT_NE(proposed(7), proposed(8));
}

TEST(Experiments, SeparateAModelFromOthersAndFindNothingInTheModelItself) {
  const Space space = samples::small_space();
  const UnitModel model = samples::unit();
  Experiments experiments(space, 1);
  EXPECT_FALSE(experiments.separating(model, {model}));
  EXPECT_FALSE(experiments.separating(model, {}));
  const auto input = experiments.separating(model, {model, samples::stranger()});
  ASSERT_TRUE(input);
  EXPECT_NE(evaluate(model, *input), evaluate(samples::stranger(), *input));
}

TEST(Experiments, FindNothingOnceTheTimeIsUp) {
  const Space space = samples::small_space();
  Experiments late(space, 1, Deadline(0));
  EXPECT_FALSE(late.best({first_chain(space)}, kLook));
  EXPECT_FALSE(late.separating(samples::unit(), {samples::stranger()}));
}

TEST(Sampler, DrawsMembersOfTheSetsAlone) {
  const Space space = samples::small_space();
  VersionSpace sets = space.whole();
  sets.erase(sets.begin() + 1);
  sets.front().box[alignment_fraction_bits] = ValueSet::range(24, 25);
  Sampler sampler(space, 3);
  std::set<int> skeletons;
  for (const UnitModel& model : sampler.some(sets, 200)) {
    bool member = false;
    for (const HypothesisSet& set : sets) {
      if (space.skeleton(set) != skeleton_of(model)) continue;
      skeletons.insert(set.skeleton);
      member = member || set.box.contains(values_of(model));
    }
    EXPECT_TRUE(member);
  }
  EXPECT_EQ(skeletons, (std::set<int>{0, 2})) << "both sets are drawn from";
}

}  // namespace
}  // namespace mmaprint::experiments_test
