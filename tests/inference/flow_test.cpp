// Where a run goes from each state, by what it left and how much is left.
#include "inference/flow.h"

#include <gtest/gtest.h>

namespace mmaprint::flow::flow_test {
namespace {

template <class Expected>
void expect_state(const State& state) {
  EXPECT_TRUE(std::holds_alternative<Expected>(state)) << "it is " << name_of(state);
}

TEST(Flow, SearchesForStructureAsLongAsVeryManyHypothesesAreLeft) {
  expect_state<Structure>(search(Remaining::many));
  expect_state<Sift>(search(Remaining::few));
  expect_state<Conclude>(search(Remaining::nothing));
}

TEST(Flow, GoesOnFromEachAnswerAsThatLeavesIt) {
  for (const Remaining remaining : {Remaining::nothing, Remaining::few, Remaining::many}) {
    const std::size_t expected = search(remaining).index();
    EXPECT_EQ(after(Structure{}, Answered{}, remaining).index(), expected);
    EXPECT_EQ(after(Sift{}, Answered{}, remaining).index(), expected);
    EXPECT_EQ(after(Separate{}, Answered{}, remaining).index(), expected);
    EXPECT_EQ(after(Separate{}, Surprised{}, remaining).index(), expected);
    EXPECT_EQ(after(Prove{}, Answered{}, remaining).index(), expected);
    EXPECT_EQ(after(Confirm{}, Surprised{}, remaining).index(), expected);
  }
}

TEST(Flow, ProvesOnlyWhatNoInputTellsApartAndConfirmsOnlyWhatIsNoted) {
  expect_state<Separate>(after(Structure{}, NothingTells{}, Remaining::many));
  expect_state<Separate>(after(Sift{}, NothingTells{}, Remaining::few));
  expect_state<Prove>(after(Separate{}, NothingTells{}, Remaining::few));
  expect_state<Confirm>(after(Prove{}, AllNoted{}, Remaining::few));
  expect_state<Conclude>(after(Confirm{}, Agreed{}, Remaining::few));
}

TEST(Flow, ConcludesFromAnyStateOnceItIsOver) {
  expect_state<Conclude>(after(Structure{}, Over{}, Remaining::many));
  expect_state<Conclude>(after(Sift{}, Over{}, Remaining::few));
  expect_state<Conclude>(after(Separate{}, Over{}, Remaining::few));
  expect_state<Conclude>(after(Prove{}, Over{}, Remaining::few));
  expect_state<Conclude>(after(Confirm{}, Over{}, Remaining::few));
}

}  // namespace
}  // namespace mmaprint::flow::flow_test
