#include "base/deadline.h"

#include <gtest/gtest.h>

namespace mmaprint::deadline_test {
namespace {

constexpr double kAges = 1e6;

TEST(Deadline, NeverPassesWhereThereIsNone) {
  EXPECT_FALSE(Deadline().passed());
  EXPECT_FALSE(Deadline(std::nullopt).passed());
  EXPECT_GT(Deadline().remaining(), kAges);
  EXPECT_TRUE(Deadline().reason().empty());
}

TEST(Deadline, HasPassedAtOnceAfterNoTime) {
  const Deadline deadline(0);
  EXPECT_TRUE(deadline.passed());
  EXPECT_EQ(deadline.remaining(), 0);
  EXPECT_EQ(deadline.reason(), "time limit reached");
}

TEST(Deadline, TakesAnyNumberOfSeconds) {
  EXPECT_TRUE(Deadline(-1).passed());
  EXPECT_FALSE(Deadline(1e300).passed());
}

TEST(Deadline, PassesWhenAStopIsRequested) {
  std::stop_source source;
  const Deadline deadline(kAges, source.get_token());
  const Deadline copy = deadline.within(kAges);
  EXPECT_FALSE(copy.passed());
  source.request_stop();
  for (const Deadline& d : {deadline, copy}) {
    EXPECT_TRUE(d.passed());
    EXPECT_EQ(d.remaining(), 0);
    EXPECT_EQ(d.reason(), "interrupted");
  }
}

TEST(Deadline, WithinIsTheEarlierOfTheTwo) {
  EXPECT_TRUE(Deadline(kAges).within(0).passed());
  EXPECT_TRUE(Deadline().within(0).passed());
  EXPECT_TRUE(Deadline(0).within(kAges).passed());
  EXPECT_FALSE(Deadline(2 * kAges).within(kAges).passed());
}

TEST(Deadline, IsRequiredNotToHavePassed) {
  Deadline().require();
  EXPECT_TRUE(Deadline().is_never());
  EXPECT_FALSE(Deadline(1000.0).is_never());
  EXPECT_THROW(Deadline(0.0).require(), DeadlinePassed);
  Checkpoint late(Deadline(0.0), 10);
  EXPECT_THROW(
      {
        for (int i = 0; i < 10; ++i) late.require();
      },
      DeadlinePassed);
}

TEST(Checkpoint, AsksNowAndThenAndStaysPassed) {
  std::stop_source source;
  Checkpoint checkpoint(Deadline(std::nullopt, source.get_token()), 3);
  EXPECT_FALSE(checkpoint.passed());
  source.request_stop();
  EXPECT_FALSE(checkpoint.passed()) << "not its turn";
  EXPECT_TRUE(checkpoint.passed());
  EXPECT_TRUE(checkpoint.passed());
  EXPECT_TRUE(checkpoint.passed_now());
}

}  // namespace
}  // namespace mmaprint::deadline_test
