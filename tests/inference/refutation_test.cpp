// The smallest conflict, against trying all sets of observations; and what is said when there is no time.
#include "inference/refutation.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "inference/by_need.h"
#include "inference/hitting_set.h"
#include "model/evaluator.h"
#include "samples.h"

namespace mmaprint::refutation_test {
namespace {

/// The small space, and what a unit outside of it gives.
struct Conflict {
  Space space = samples::small_space();
  std::vector<Observation> all = samples::observations(samples::stranger(), 25, 3);
  ObservationTable table{space.formats, space.k, all};

  [[nodiscard]] bool refutes(const std::vector<std::size_t>& some) const {
    auto left = space.whole();
    for (const std::size_t i : some) left = refine(space, left, all[i], 1);
    return left.empty();
  }
  [[nodiscard]] std::vector<std::size_t> everything() const {
    std::vector<std::size_t> indices;
    for (std::size_t i = 0; i < all.size(); ++i) indices.push_back(i);
    return indices;
  }
};

TEST(Refutation, FindsASmallestConflict) {
  const Conflict c;
  ASSERT_TRUE(c.refutes(c.everything()));
  const auto answer = refute(c.space, c.space.whole(), c.table, 2, Deadline());
  const auto* refuted = std::get_if<Refuted>(&answer);
  ASSERT_NE(refuted, nullptr);
  EXPECT_TRUE(c.refutes(refuted->observations));
  const auto smallest = smallest_conflict(c.space, c.space.whole(), c.table, refuted->observations, 2,
                                          kConflictWork, Deadline());
  EXPECT_TRUE(smallest.smallest);
  EXPECT_TRUE(c.refutes(smallest.observations));
  ASSERT_LE(smallest.observations.size(), 2U) << "the comparison below is written for one or two";
  if (smallest.observations.size() == 2) {
    for (std::size_t i = 0; i < c.all.size(); ++i) EXPECT_FALSE(c.refutes({i})) << i;
  }
}

TEST(Refutation, ExplainsWhatAHypothesisGives) {
  const Space space = samples::small_space();
  const auto seen = samples::observations(samples::unit(), 2000, 3);
  const auto answer =
      refute(space, space.whole(), ObservationTable(space.formats, space.k, seen), 2, Deadline());
  const auto* explained = std::get_if<Explained>(&answer);
  ASSERT_NE(explained, nullptr);
  const Evaluator model(explained->model);
  for (const Observation& o : seen) ASSERT_EQ(model(o.input), as_modelled(explained->model, o.d));
}

TEST(Refutation, KeepsTheConflictThatIsKnownWhenTheTimeIsUp) {
  const Conflict c;
  const auto kept =
      smallest_conflict(c.space, c.space.whole(), c.table, c.everything(), 2, kConflictWork, Deadline(0));
  EXPECT_EQ(kept.observations, c.everything());
  EXPECT_FALSE(kept.smallest);
  const auto undecided = refute(c.space, c.space.whole(), c.table, 2, Deadline(0));
  EXPECT_TRUE(std::holds_alternative<Undecided>(undecided));
}

TEST(Refutation, EndsWithItsWorkAndNotWithTheClock) {
  const Conflict c;
  const auto search = [&](std::int64_t work, int threads) {
    return smallest_conflict(c.space, c.space.whole(), c.table, c.everything(), threads, work, Deadline());
  };
  const auto none = search(0, 2);
  EXPECT_EQ(none.observations, c.everything());
  EXPECT_FALSE(none.smallest);
  for (std::int64_t work = 1; work < kConflictWork; work *= 8) {
    const auto one = search(work, 1);
    const auto two = search(work, 2);
    EXPECT_EQ(one.observations, two.observations) << work;
    EXPECT_EQ(one.smallest, two.smallest) << work;
    EXPECT_TRUE(c.refutes(one.observations)) << work;
  }
  EXPECT_TRUE(search(kConflictWork, 2).smallest);
}

TEST(Refutation, CountsWhatTheLikelyModelExplainsWhenTheTimeIsUp) {
  const Conflict c;
  const UnitModel likely = samples::unit();
  const Nearest nearest = explains_most(c.space, c.space.whole(), c.table, likely, 1, 2, Deadline(0));
  EXPECT_EQ(nearest.model, likely);
  std::size_t expected = 0;
  for (const Observation& o : c.all)
    expected += evaluate(likely, o.input) == as_modelled(likely, o.d) ? 1U : 0U;
  EXPECT_EQ(nearest.explained, expected);
}

TEST(Refutations, FindTheSmallestSetThatRefutesACollection) {
  const Conflict c;
  std::vector<UnitModel> models;
  for (const auto& set : c.space.whole())
    models.push_back(c.space.model(set.skeleton, set.box.lowest(), Pattern{0x7fffffff}));
  Refutations collected(c.table, 2);
  ASSERT_TRUE(collected.add(models, Deadline()));
  constexpr std::int64_t kEnough = 1'000'000;
  std::int64_t tried = 0;
  const auto found = collected.smallest(4, kEnough, tried, Deadline());
  ASSERT_TRUE(found);
  const std::int64_t needed = tried;
  EXPECT_EQ(collected.smallest(4, needed + 1, tried, Deadline()), found);
  EXPECT_EQ(tried, 2 * needed);
  EXPECT_FALSE(collected.smallest(4, needed - 1, tried, Deadline()));
  const auto refuted = [&](const std::vector<std::size_t>& some) {
    return std::ranges::all_of(models, [&](const UnitModel& m) {
      return std::ranges::any_of(
          some, [&](std::size_t i) { return evaluate(m, c.all[i].input) != as_modelled(m, c.all[i].d); });
    });
  };
  EXPECT_TRUE(refuted(*found));
  if (found->size() > 1) {
    for (std::size_t i = 0; i < c.all.size(); ++i) EXPECT_FALSE(refuted({i})) << i;
  }
  EXPECT_FALSE(collected.smallest(4, kEnough, tried, Deadline(0)));
  EXPECT_FALSE(collected.smallest(found->size() - 1, kEnough, tried, Deadline()));
}

}  // namespace
}  // namespace mmaprint::refutation_test
