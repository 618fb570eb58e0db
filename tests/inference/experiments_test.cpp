// Which input is proposed: one that splits what is left, and none where nothing does.
#include "inference/experiments.h"

#include <gtest/gtest.h>

#include <set>

#include "samples.h"

namespace mmaprint {
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

TEST(Experiments, ProposeAnInputOnWhichHypothesesDiffer) {
  const Space space = samples::small_space();
  const HypothesisSet set = first_chain(space);
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    Experiments experiments(space, seed);
    const auto input = experiments.best({set}, InputFamily::any, 400, 48);
    ASSERT_TRUE(input);
    EXPECT_GE(results(space, set, *input).size(), 2U);
  }
}

TEST(Experiments, ProposeNothingWhereOneHypothesisIsLeft) {
  const Space space = samples::small_space();
  HypothesisSet set = first_chain(space);
  for (ValueSet& values : set.box.sets()) values = ValueSet::single(values.first());
  Experiments experiments(space, 1);
  EXPECT_FALSE(experiments.best({set}, InputFamily::any, 400, 48));
}

TEST(Experiments, ProposeNothingThatTellsLessThanAsked) {
  const Space space = samples::small_space();
  Experiments experiments(space, 1);
  EXPECT_FALSE(experiments.best({first_chain(space)}, InputFamily::any, 400, 48, 20.0))
      << "48 hypotheses have less than 6 bits";
}

TEST(Experiments, ProposeTheSameForTheSameSeed) {
  const Space space = samples::small_space();
  const auto proposed = [&](std::uint64_t seed) {
    Experiments experiments(space, seed);
    return experiments.best({first_chain(space)}, InputFamily::any, 400, 48);
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
  EXPECT_FALSE(late.best({first_chain(space)}, InputFamily::any, 400, 48));
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
}  // namespace mmaprint
