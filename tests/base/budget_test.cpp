#include "base/budget.h"

#include <gtest/gtest.h>

namespace mmaprint::budget_test {
namespace {

TEST(Budget, IsSpentWhenAsMuchWasDoneAsMayBe) {
  Budget budget(3);
  budget.spend(2);
  EXPECT_FALSE(budget.is_spent());
  budget.spend(1);
  EXPECT_TRUE(budget.is_spent());
}

TEST(Budget, OfNothingIsSpentAtOnce) { EXPECT_TRUE(Budget(0).is_spent()); }

TEST(Budget, MayBeOverdrawnByWhatWasBegun) {
  Budget budget(1);
  budget.spend(100);
  EXPECT_TRUE(budget.is_spent());
}

}  // namespace
}  // namespace mmaprint::budget_test
