// Products beside multiples of powers of two, against all pairs of significands.
#include "inference/near_products.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <utility>

namespace mmaprint::near_products_test {
namespace {

/// How many pairs and distances there are for 2^power.
std::size_t count_of(int bits_a, int bits_b, std::size_t power) {
  std::size_t count = 0;
  for (std::uint32_t a = 1U << bits_a; a < 2U << bits_a; ++a)
    for (std::uint32_t b = 1U << bits_b; b < 2U << bits_b; ++b)
      for (const int distance : {-4, -3, -2, -1, 1, 2, 3, 4}) {
        const std::int64_t multiple = std::int64_t{a} * b - distance;
        if (multiple > 0 && std::cmp_equal(std::countr_zero(static_cast<std::uint64_t>(multiple)), power))
          ++count;
      }
  return count;
}

TEST(NearProducts, AreAllWhereThereAreFew) {
  for (const auto& [bits_a, bits_b] :
       {std::pair(3, 2), std::pair(2, 2), std::pair(7, 7), std::pair(10, 10)}) {
    const auto* all = near_products(bits_a, bits_b);
    ASSERT_NE(all, nullptr);
    for (std::size_t power = 1; power < all->size(); ++power) {
      const std::size_t count = count_of(bits_a, bits_b, power);
      EXPECT_EQ((*all)[power].size(), std::min<std::size_t>(count, 1024)) << bits_a << " " << power;
      for (const auto& [a, b, distance] : (*all)[power]) {
        EXPECT_EQ(a >> bits_a, 1U);
        EXPECT_EQ(b >> bits_b, 1U);
        EXPECT_TRUE(distance != 0 && std::abs(distance) <= 4);
        const std::int64_t multiple = std::int64_t{a} * b - distance;
        EXPECT_TRUE(std::cmp_equal(std::countr_zero(static_cast<std::uint64_t>(multiple)), power));
      }
    }
  }
}

TEST(NearProducts, AreNotLookedForAmongTooManyPairs) {
  EXPECT_EQ(near_products(23, 23), nullptr);
  EXPECT_EQ(near_products(12, 12), nullptr);
}

}  // namespace
}  // namespace mmaprint::near_products_test
