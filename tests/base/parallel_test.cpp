#include "base/parallel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <stdexcept>
#include <thread>
#include <vector>

namespace mmaprint::parallel_test {
namespace {

TEST(InParallel, DoesEachJobOnce) {
  for (const int threads : {-1, 0, 1, 2, 7}) {
    std::vector<std::atomic<int>> done(50);
    in_parallel(done.size(), threads, [&](std::size_t i) { ++done[i]; });
    EXPECT_TRUE(std::ranges::all_of(done, [](const auto& n) { return n == 1; })) << threads << " threads";
  }
  in_parallel(0, 4, [](std::size_t) { FAIL() << "there is no job"; });
}

TEST(InParallel, RunsAsManyJobsAtOnceAsThereAreThreads) {
  std::atomic<int> begun = 0;
  in_parallel(3, 3, [&](std::size_t) {
    ++begun;
    while (begun < 3) std::this_thread::yield();
  });
  EXPECT_EQ(begun, 3);
}

TEST(InParallel, LeavesThreadsThatFindNoJobToThoseThatStillHaveOne) {
  SharedThreads shared(8);
  EXPECT_EQ(shared.of_each(), 1);
  in_parallel(
      2, 8,
      [&](std::size_t i) {
        const int others = i == 0 ? 4 : 8;
        if (i == 1)
          while (shared.of_each() < others) std::this_thread::yield();  // the other one is done then
        EXPECT_GE(shared.of_each(), others);
      },
      nullptr, &shared);
}

TEST(InParallel, CarriesAnExceptionOfAnyThread) {
  for (const std::size_t thrower : {0U, 1U, 2U}) {
    const auto jobs = [&] {
      std::atomic<int> begun = 0;
      in_parallel(3, 3, [&](std::size_t i) {
        ++begun;
        while (begun < 3) std::this_thread::yield();  // so that each has a thread of its own
        if (i == thrower) throw std::runtime_error("broken");
      });
    };
    EXPECT_THROW(jobs(), std::runtime_error) << thrower;
  }
}

TEST(InParallel, AsksThoseThatRunToStopOnceOneHasThrown) {
  std::stop_source failed;
  std::atomic<int> begun = 0;
  const auto jobs = [&] {
    in_parallel(
        2, 2,
        [&](std::size_t i) {
          ++begun;
          while (begun < 2) std::this_thread::yield();
          if (i == 0) throw std::runtime_error("broken");
          while (!failed.stop_requested()) std::this_thread::yield();
        },
        &failed);
  };
  EXPECT_THROW(jobs(), std::runtime_error);
}

TEST(InParallel, BeginsNoFurtherJobAfterOneHasThrown) {
  std::vector<std::size_t> begun;
  const auto jobs = [&] {
    in_parallel(10, 1, [&](std::size_t i) {
      begun.push_back(i);
      if (i == 3) throw std::runtime_error("broken");
    });
  };
  EXPECT_THROW(jobs(), std::runtime_error);
  EXPECT_EQ(begun, (std::vector<std::size_t>{0, 1, 2, 3}));
}

}  // namespace
}  // namespace mmaprint::parallel_test
