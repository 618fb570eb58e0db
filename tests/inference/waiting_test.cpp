// Observations that wait, and searches in which some do.
#include "inference/waiting.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "device/simulated.h"
#include "inference/identify.h"
#include "model/unit_model.h"
#include "samples.h"
#include "support/random.h"

namespace mmaprint::waiting_test {
namespace {

Observation observation(Pattern c) { return {{{0}, {0}, c}, c}; }

TEST(Waiting, GivesBackAllThatItWasGiven) {
  Waiting waiting;
  waiting.add(observation(1));
  EXPECT_TRUE(waiting.put_off(observation(2), 100));
  EXPECT_EQ(waiting.size(), 2U);
  EXPECT_EQ(waiting.rest(), (std::vector<Observation>{observation(1), observation(2)}));
  EXPECT_TRUE(waiting.empty());
  EXPECT_FALSE(waiting.has_put_off());
}

TEST(Waiting, TakesWhatWasPutOffAgainOnceFarFewerHypothesesAreLeft) {
  Waiting waiting;
  EXPECT_TRUE(waiting.put_off(observation(2), 1000));
  EXPECT_TRUE(waiting.empty());
  waiting.wake(999);
  EXPECT_TRUE(waiting.empty()) << "they would split as they did";
  waiting.wake(100);
  EXPECT_FALSE(waiting.empty());
  EXPECT_FALSE(waiting.has_put_off());
}

TEST(Waiting, SaysWhenToGiveUp) {
  Waiting waiting;
  int times = 1;
  while (waiting.put_off(observation(1), 1) && times < 1000) ++times;
  EXPECT_LT(times, 1000);
}

TEST(Observations, WaitThatWouldSplitTheHypothesesTooMuchUntilOthersHaveLeftFewer) {
  if (test::counts_are_reduced()) GTEST_SKIP() << test::kTakesMinutesThen;
  Adder adder = exact_adder(Format::fp32, Rounding::toward_zero);
  adder.alignment_fraction_bits = 24;
  const UnitModel hidden = chain_model("dot", 4, {Format::fp16, Format::fp16, Format::fp32, Format::fp32},
                                       {{{0, 1, 2, 3}}, CEnters::first}, {adder, {}, {}}, 0x7fffffff);
  SimulatedUnit unit("hidden", "hidden", {hidden});
  const Instruction instruction{"dot", 4, hidden.formats};
  const Space space = default_space("dot", 4, hidden.formats);
  std::size_t ended = 0, with_some_put_off = 0;
  for (const std::size_t most_sets : {1500U, 8000U}) {
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
      SCOPED_TRACE("seed " + std::to_string(seed) + ", sets " + std::to_string(most_sets));
      std::vector<Observation> asked;
      IdentifyOptions options;
      options.seed = seed;
      options.threads = 2;
      options.most_sets = most_sets;
      IdentifyHooks hooks;
      hooks.observed = [&](const Observation& seen) { asked.push_back(seen); };
      const Identification found = identify(space, space.whole(), unit, instruction, {}, options, hooks);
      const bool in_order = asked == found.observations;
      std::vector<Observation> kept = found.observations;
      std::ranges::sort(kept);
      std::ranges::sort(asked);
      EXPECT_EQ(kept, asked) << "nothing that was observed is lost";
      if (found.verdict() == Identification::Verdict::unknown) {
        EXPECT_EQ(found.reason(), kTooManySets);
        EXPECT_GT(found.unused, 0U);
        continue;
      }
      EXPECT_EQ(found.verdict(), Identification::Verdict::equivalent);
      EXPECT_EQ(found.unused, 0U);
      ++ended;
      if (!in_order) ++with_some_put_off;
    }
  }
  EXPECT_GE(ended, 4U);
  EXPECT_GT(with_some_put_off, 0U);
}

}  // namespace
}  // namespace mmaprint::waiting_test
