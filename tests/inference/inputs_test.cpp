// What random inputs are likely to show.
#include "inference/inputs.h"

#include <gtest/gtest.h>

#include "model/evaluator.h"
#include "model/pattern.h"
#include "support/random.h"

namespace mmaprint::inputs_test {
namespace {

/// FP32 factors that are rounded to TF32; blocks of 8 in FP32, without c, and `carry` bits above E.
UnitModel rounded_to_tf32(std::optional<int> carry) {
  UnitModel unit;
  unit.instruction = "tf32";
  unit.k = 16;
  unit.formats = {Format::fp32, Format::fp32, std::nullopt, Format::fp32};
  unit.paths.a = unit.paths.b = Converted{Format::tf32, Conversion::nearest_even};
  Node first, second;
  second.operands.emplace_back(NodeLeaf{0});
  for (int k = 0; k < 8; ++k) {
    first.operands.emplace_back(ProductLeaf{k});
    second.operands.emplace_back(ProductLeaf{8 + k});
  }
  unit.tree.nodes = {first, second};
  Adder adder = exact_adder(Format::fp32, Rounding::toward_zero);
  adder.alignment_fraction_bits = 25;
  adder.extra_carry_bits = carry;
  unit.adders = {adder};
  unit.nan = canonical_nan(Format::fp32);
  validate(unit);
  return unit;
}

/// Nine operands reach 32 times E's power of two only if all eight products are near their largest.
TEST(RandomInputs, WrapSumsOfFactorsThatAreRoundedToFewerBits) {
  const Evaluator wraps(rounded_to_tf32(4)), never(rounded_to_tf32(std::nullopt));
  InputGenerator inputs(16, wraps.model().formats, test::starting_seed(61'000));
  int told_apart = 0;
  for (int i = 0; i < 20'000; ++i) {
    const DotInput input = inputs.next();
    told_apart += wraps(input) != never(input) ? 1 : 0;
  }
  EXPECT_GT(told_apart, 10);
}

}  // namespace
}  // namespace mmaprint::inputs_test
