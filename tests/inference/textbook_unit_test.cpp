#include "skeleton_units/textbook_unit.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>

#include "model/evaluator.h"

namespace mmaprint::textbook_unit_test {
namespace {

TEST(TextbookUnits, HoldFortyDifferentFmas) {
  std::vector<UnitModel> all;
  for (std::uint64_t seed = 1; seed <= test::kIeeeFmas; ++seed) {
    const UnitModel unit = test::ieee_fma(seed);
    EXPECT_TRUE(is_legal(unit)) << seed;
    EXPECT_EQ(std::ranges::count(all, unit), 0) << seed;
    all.push_back(unit);
  }
  EXPECT_EQ(test::ieee_fma(test::kIeeeFmas + 1), all.front());
}

TEST(TextbookUnits, HoldALoopThatIsTheProcessorsFma) {
  const UnitModel loop = test::fma_loop(1);
  ASSERT_EQ(loop.k, 16);
  DotInput input{std::vector<Pattern>(16), std::vector<Pattern>(16), std::bit_cast<std::uint32_t>(0.3F)};
  float d = 0.3F;
  for (std::size_t i = 0; i < 16; ++i) {
    const float a = 1.1F / static_cast<float>(i + 1), b = i % 2 == 0 ? -0.7F : 0.9F;
    input.a[i] = std::bit_cast<std::uint32_t>(a);
    input.b[i] = std::bit_cast<std::uint32_t>(b);
    d = std::fma(a, b, d);
  }
  EXPECT_EQ(evaluate(loop, input), std::bit_cast<std::uint32_t>(d));
}

TEST(TextbookUnits, HoldIntegerSumsThatWrapAndThatSaturate) {
  for (const auto& [seed, expected] : {std::pair{1, 0x80000000U}, std::pair{8, 0x7fffffffU}}) {
    const UnitModel sum = test::integer_sum(static_cast<std::uint64_t>(seed));
    DotInput input{std::vector<Pattern>(256, 0), std::vector<Pattern>(256, 0), 0x7fffffff};
    input.a[3] = input.b[3] = 1;
    EXPECT_EQ(evaluate(sum, input), expected);
  }
}

}  // namespace
}  // namespace mmaprint::textbook_unit_test
