// A zero product takes part in E with its scales' exponent, too: bounds know that.
#include <gtest/gtest.h>

#include "model/evaluator.h"
#include "model/pattern.h"
#include "solver/idle_values.h"
#include "support/chains.h"

namespace mmaprint::zeros_beside_scales_test {
namespace {

TEST(ZerosBesideScales, AreNotCalledIdleWhereAScaleRaisesThem) {
  const Signature formats{.a = Format::e2m1,
                          .b = Format::e2m1,
                          .c = Format::fp32,
                          .d = Format::fp32,
                          .sb = Scales{Format::ue8m0, 2}};
  ChainParameters values;
  values.block = exact_adder(Format::fp32, Rounding::nearest_even);
  values.block.alignment_fraction_bits = 24;
  const UnitModel unit =
      chain_model("scaled", 2, formats, {{{0, 1}}, CEnters::first}, values, canonical_nan(Format::fp32));
  UnitModel counting = unit;
  counting.adders.front().zero_addends = ZeroAddends::factor_exponent(-150);
  const DotInput input{.a = {0, 0}, .b = {7, 0}, .c = Pattern{127 - 100} << 23, .sb = {254}};  // 2^-100 + 0
  ASSERT_EQ(evaluate(unit, input), input.c);
  ASSERT_EQ(evaluate(counting, input), 0U) << "aligned to 2^(2 + 127 - 150)";
  Box both(values_of(unit));
  const ParameterKey key{Parameter::zero_addends};
  both[key].insert(value_index(values_of(counting), key));
  EXPECT_LT(idle_values(Plan(unit.formats, unit.k, skeleton_of(unit)), both, key).size(), 2);
}

}  // namespace
}  // namespace mmaprint::zeros_beside_scales_test
