// Products beside multiples of powers of two, against all pairs of significands.
#include "inference/near_products.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstdlib>
#include <utility>

namespace mmaprint::near_products_test {
namespace {

/// The size of the distance to the nearest odd multiple of 2^power; 0 on one.
std::size_t size_of(std::int64_t product, int power) {
  const std::int64_t odd = std::int64_t{1} << power, below = product / (2 * odd) * (2 * odd) + odd;
  std::int64_t least = std::abs(product - below);
  for (const std::int64_t other : {below - 2 * odd, below + 2 * odd})
    if (other > 0) least = std::min(least, std::abs(product - other));
  return static_cast<std::size_t>(std::bit_width(static_cast<std::uint64_t>(least)));
}
/// How many pairs there are of each size.
std::array<std::size_t, 64> counts_of(int bits_a, int bits_b, int power) {
  std::array<std::size_t, 64> counts{};
  for (std::uint32_t a = 1U << bits_a; a < 2U << bits_a; ++a)
    for (std::uint32_t b = 1U << bits_b; b < 2U << bits_b; ++b)
      ++counts.at(size_of(std::int64_t{a} * b, power));
  return counts;
}

TEST(NearProducts, AreAllWhereThereAreFew) {
  for (const auto& [bits_a, bits_b] :
       {std::pair(3, 2), std::pair(2, 2), std::pair(7, 7), std::pair(10, 10)}) {
    const auto* all = near_products(bits_a, bits_b);
    ASSERT_NE(all, nullptr);
    for (std::size_t power = 1; power < all->size(); ++power) {
      const auto counts = counts_of(bits_a, bits_b, static_cast<int>(power));
      for (std::size_t size = 0; size < kSizesOfDistances; ++size) {
        const auto& of_size = (*all)[power][size];
        EXPECT_EQ(of_size.size(), std::min<std::size_t>(counts[size + 1], 256)) << bits_a << " " << power;
        for (const auto& [a, b, distance] : of_size) {
          EXPECT_EQ(a >> bits_a, 1U);
          EXPECT_EQ(b >> bits_b, 1U);
          EXPECT_TRUE(std::cmp_equal(std::bit_width(static_cast<unsigned>(std::abs(distance))), size + 1));
          const std::int64_t multiple = std::int64_t{a} * b - distance;
          EXPECT_TRUE(std::cmp_equal(std::countr_zero(static_cast<std::uint64_t>(multiple)), power));
        }
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
