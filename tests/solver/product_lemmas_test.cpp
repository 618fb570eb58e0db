// Facts about products: found by a search through pairs of factors, and as short as they may be.
#include "solver/product_lemmas.h"

#include <gtest/gtest.h>

#include "support/random.h"

namespace mmaprint::product_lemmas_test {
namespace {

using test::Random;

KnownBits some_bits(Random& random, int width) {
  const std::uint64_t mask = random.bits() & random.bits() & ((std::uint64_t{1} << width) - 1);
  return {mask, random.bits() & mask};
}

/// What a search without any shortcut says.
bool exist(const PartlyKnown& known, const FactorWidths& widths) {
  for (std::uint64_t x = 0; x < std::uint64_t{1} << widths.x; ++x)
    for (std::uint64_t y = 0; y < std::uint64_t{1} << widths.y; ++y)
      if (known.x.allows(x) && known.y.allows(y) && known.product.allows(x * y)) return true;
  return false;
}

struct Case {
  FactorWidths widths;
  PartlyKnown known;
};
Case any_case(Random& random) {
  const FactorWidths widths{random.between(1, 6), random.between(1, 6)};
  KnownBits product = some_bits(random, widths.x + widths.y);
  if (random.chance(1, 2)) {  // its lowest bits, or its highest ones
    const std::uint64_t part = (std::uint64_t{1} << random.between(0, widths.x + widths.y)) - 1;
    product.mask |= random.chance(1, 2) ? part : part << (widths.x + widths.y) >> random.between(0, 6);
    product.mask &= (std::uint64_t{1} << (widths.x + widths.y)) - 1;
    product.value = random.bits() & product.mask;
  }
  return {widths, {some_bits(random, widths.x), some_bits(random, widths.y), product}};
}

TEST(Factors, AreFoundWhereThereAreAnyAndOnlyThere) {
  Random random(test::starting_seed(5'100));
  std::int64_t tried = 0;
  for (int i = 0; i < 20'000; ++i) {
    const auto [widths, known] = any_case(random);
    const auto found = find_factors(known, widths, tried);
    ASSERT_EQ(found.has_value(), exist(known, widths)) << i;
    if (!found) continue;
    ASSERT_TRUE(known.x.allows(found->x) && known.y.allows(found->y) &&
                known.product.allows(found->x * found->y))
        << i;
    ASSERT_TRUE(found->x >> widths.x == 0 && found->y >> widths.y == 0) << i;
  }
}

TEST(Factors, OfLongWordsAreSoughtAmongThoseThatLowBitsLeave) {
  constexpr FactorWidths kWidths{12, 12};
  std::int64_t tried = 0;
  const KnownBits low{(1 << 20) - 1, (1 << 19) + 1};
  const auto found = find_factors({{}, {}, low}, kWidths, tried);
  EXPECT_TRUE(!found || ((found->x * found->y) & low.mask) == low.value);
  EXPECT_LT(tried, 3 * 4096);
}

TEST(GeneralisedLemmas, SayMoreAndStillHold) {
  Random random(test::starting_seed(5'200));
  std::int64_t tried = 0;
  int shorter = 0;
  for (int i = 0; i < 3'000; ++i) {
    const auto [widths, known] = any_case(random);
    if (exist(known, widths)) continue;
    const PartlyKnown less = generalised(known, widths, 1 << 20, tried);
    ASSERT_FALSE(exist(less, widths)) << i;
    const auto is_part = [](const KnownBits& of, const KnownBits& part) {
      return (part.mask & ~of.mask) == 0 && part.value == (of.value & part.mask);
    };
    ASSERT_TRUE(is_part(known.x, less.x) && is_part(known.y, less.y) && is_part(known.product, less.product));
    shorter += less == known ? 0 : 1;
    // No bit can be given up.
    for (const auto word : {&PartlyKnown::x, &PartlyKnown::y, &PartlyKnown::product})
      for (std::uint64_t rest = (less.*word).mask; rest != 0; rest &= rest - 1) {
        PartlyKnown fewer = less;
        const std::uint64_t bit = rest & (~rest + 1);
        (fewer.*word).mask &= ~bit;
        (fewer.*word).value &= ~bit;
        ASSERT_TRUE(exist(fewer, widths)) << i;
      }
  }
  EXPECT_GT(shorter, 100);
}

}  // namespace
}  // namespace mmaprint::product_lemmas_test
