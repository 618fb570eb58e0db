// Inputs of a whole unit that bring one of its nodes into a state that the solver found.
#include "solver/node_input.h"

#include <gtest/gtest.h>

#include <array>

namespace mmaprint::node_input_test {
namespace {

using enum Format;

UnitModel two_blocks_of_fp8() {
  return chain_model("dot", 2, {e4m3, e4m3, fp32, fp32}, {{{0}, {1}}, CEnters::last},
                     {exact_adder(fp32, Rounding::nearest_even), {}, {}}, 0x7fffffff);
}

TEST(UnitInput, GivesAnEarlierResultAsProducts) {
  const DotInput found{{0, 0x38}, {0, 0x38}, 0};
  const std::array<Pattern, 1> earlier{0x40400000};  // 3
  const DotInput input = unit_input(Side(two_blocks_of_fp8()), 1, found, earlier);
  EXPECT_EQ(input.a[1], found.a[1]);
  EXPECT_NE(input.a[0], 0U);
}

TEST(UnitInput, LeavesOutAResultThatNoProductIsAsLargeOrAsSmallAs) {
  const DotInput found{{0, 0x38}, {0, 0x38}, 0};
  for (const Pattern huge_or_tiny : {0x72000000U, 0x08000000U, 0xf2000000U}) {
    const std::array<Pattern, 1> earlier{huge_or_tiny};
    const DotInput input = unit_input(Side(two_blocks_of_fp8()), 1, found, earlier);
    EXPECT_EQ(input.a[0], 0U);
    EXPECT_EQ(input.b[0], 0U);
  }
}

}  // namespace
}  // namespace mmaprint::node_input_test
