// Millions of inputs, on any number of threads.
#include "inference/rare_difference.h"

#include <gtest/gtest.h>

#include "device/catalogue.h"
#include "model/evaluator.h"

namespace mmaprint::rare_difference_test {
namespace {

UnitModel a100() { return *catalogued_model("a100", "mma.m16n8k8.f32.bf16.bf16.f32"); }

RareSearch search(int threads) {
  RareSearch options;
  options.seed = 5;
  options.threads = threads;
  options.inputs = 1 << 16;
  return options;
}

TEST(RareDifference, IsTheSameOnAnyNumberOfThreads) {
  UnitModel other = a100();
  other.adders[0].minimum_alignment_exponent = -126;
  const auto input = rare_difference(a100(), {a100(), other}, search(1));
  ASSERT_TRUE(input);
  EXPECT_NE(evaluate(a100(), *input), evaluate(other, *input));
  for (const int threads : {2, 3, 8})
    EXPECT_EQ(rare_difference(a100(), {a100(), other}, search(threads)), input);
}

TEST(RareDifference, IsNotFoundWhereThereIsNone) {
  EXPECT_FALSE(rare_difference(a100(), {a100()}, search(2)));
  EXPECT_FALSE(rare_difference(a100(), {}, search(2)));
}

TEST(RareDifference, IsLookedForNoLongerThanAsked) {
  UnitModel other = a100();
  other.adders[0].alignment_fraction_bits = 3;
  RareSearch none = search(2);
  none.seconds = 0;
  EXPECT_FALSE(rare_difference(a100(), {other}, none));
}

}  // namespace
}  // namespace mmaprint::rare_difference_test
