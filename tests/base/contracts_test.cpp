#define MMAPRINT_CONTRACTS 1
#include "base/contracts.h"

#include <gtest/gtest.h>

namespace mmaprint::contracts_test {
namespace {

TEST(Contracts, EndTheProgramWithTheBrokenCondition) {
  const int sum = 3;
  EXPECT_DEATH(MMAPRINT_EXPECTS(sum == 2), "broken precondition: sum == 2");
  EXPECT_DEATH(MMAPRINT_ENSURES(sum < 0), "contracts_test.cpp:[0-9]+: broken postcondition: sum < 0");
}

TEST(Contracts, SayNothingWhereTheyHold) {
  const int sum = 3;
  MMAPRINT_EXPECTS(sum == 3);
  MMAPRINT_ENSURES(sum > 0);
}

}  // namespace
}  // namespace mmaprint::contracts_test
