// Inputs at joins: those that tell a bit of a carried sum that only cancelling products can put there.
#include "inference/join_inputs.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "device/catalogue.h"
#include "model/evaluator.h"
#include "support/random.h"

namespace mmaprint::join_inputs_test {
namespace {

/// With F bits of the carried sum where it joins c.
UnitModel with_bits(UnitModel unit, int f) {
  const auto join = std::ranges::find_if(unit.tree.nodes, [](const Node& node) {
    return std::ranges::find(node.operands, Leaf(CLeaf{})) != node.operands.end();
  });
  Adder& adder = unit.adders[static_cast<std::size_t>(join->adder)];
  adder.alignment_fraction_bits = f;
  validate(unit);
  return unit;
}

TEST(InputsAtJoins, TellABitOfACarriedSumThatIsRoundedTwiceAfterIt) {
  for (const char* name : {"mfma.f32_32x32x16_fp8_fp8", "mfma.f32_16x16x32_bf8_fp8"}) {
    const UnitModel unit = *catalogued_model("mi300", name);
    const UnitModel x = with_bits(unit, 32), y = with_bits(unit, 31);
    InputsAtJoins joins(x, y, test::starting_seed(9'100));
    ASSERT_TRUE(joins.has_any());
    const Evaluator one(x), other(y);
    int different = 0;
    for (int i = 0; i < 4'000; ++i)
      if (const auto input = joins.next()) different += one(*input) != other(*input) ? 1 : 0;
    EXPECT_GT(different, 0) << name;
  }
}

TEST(InputsAtJoins, AreOfUnitsAloneThatDifferWhereACarriedSumJoinsC) {
  const UnitModel mi300 = *catalogued_model("mi300", "mfma.f32_32x32x16_fp8_fp8");
  EXPECT_FALSE(InputsAtJoins(mi300, mi300, 1).has_any());
  const UnitModel h100 = *catalogued_model("h100", "mma.m16n8k16.f32.e5m2.e4m3.f32");
  UnitModel other = h100;
  other.adders.front().rounding = Rounding::up;
  EXPECT_FALSE(InputsAtJoins(h100, other, 1).has_any());
}

}  // namespace
}  // namespace mmaprint::join_inputs_test
