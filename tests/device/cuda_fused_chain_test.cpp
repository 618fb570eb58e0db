// Chains of fused multiply-adds in FP64 by the processor's own, as GPUs run them.
#include <gtest/gtest.h>

#include "device/cuda/fused_chain.h"
#include "support/flat.h"
#include "support/generate.h"

namespace mmaprint::cuda_fused_chain_test {
namespace {

using test::Random;

constexpr Signature kDoubles{Format::fp64, Format::fp64, Format::fp64, Format::fp64};

UnitModel chain_of_adds(int k, int width, Rounding rounding, Overflow overflow) {
  Chain chain;
  for (int i = 0; i < k; ++i) {
    if (i % width == 0) chain.blocks.emplace_back();
    chain.blocks.back().push_back(i);
  }
  ChainParameters values;
  values.block = exact_adder(Format::fp64, rounding);
  values.conventions.overflow = overflow;
  return chain_model("fma", k, kDoubles, chain, values, canonical_nan(Format::fp64));
}

TEST(FusedChains, GiveWhatTheDatapathGivesInEachRounding) {
  Random random(test::starting_seed(911));
  for (const Rounding rounding :
       {Rounding::nearest_even, Rounding::toward_zero, Rounding::up, Rounding::down})
    for (long i = 0; i < test::count(40); ++i) {
      UnitModel model = chain_of_adds(random.between(1, 8), 1, rounding, Overflow::by_direction);
      model.nan = test::random_nan(random, Format::fp64);
      model.adders[0].product = random.pick({ProductKind::exact_unnormalised, ProductKind::exact_normalised});
      model.adders[0].normalisation = random.pick({Normalisation::late, Normalisation::immediate});
      ASSERT_TRUE(is_fused_chain(model));
      const auto flat = flat_unit(model);
      ASSERT_TRUE(flat.has_value());
      const Evaluator expected(model);
      for (int n = 0; n < 200; ++n) {
        const DotInput in = test::random_input(random, model);
        ASSERT_EQ(test::run_flat<FusedChainEvaluator>(*flat, in), expected(in)) << test::describe(model, in);
      }
    }
}

TEST(FusedChains, AreThoseThatLoseNothingAndFollowTheStandard) {
  EXPECT_TRUE(is_fused_chain(chain_of_adds(4, 1, Rounding::nearest_even, Overflow::infinity)));
  EXPECT_FALSE(is_fused_chain(chain_of_adds(4, 2, Rounding::nearest_even, Overflow::infinity)));
  EXPECT_FALSE(is_fused_chain(chain_of_adds(4, 1, Rounding::toward_zero, Overflow::infinity)));
  EXPECT_FALSE(is_fused_chain(chain_of_adds(4, 1, Rounding::nearest_away, Overflow::by_direction)));
  EXPECT_FALSE(is_fused_chain(chain_of_adds(4, 1, Rounding::nearest_even, Overflow::saturate)));
  UnitModel of_floats = chain_of_adds(4, 1, Rounding::nearest_even, Overflow::infinity);
  of_floats.formats = {Format::fp32, Format::fp32, Format::fp32, Format::fp32};
  of_floats.adders[0].output_fraction_bits = 23;
  EXPECT_FALSE(is_fused_chain(of_floats));
  UnitModel with_c_last = chain_of_adds(2, 1, Rounding::nearest_even, Overflow::infinity);
  with_c_last.tree = Tree{
      {{{ProductLeaf{0}}, 0, {}}, {{NodeLeaf{0}, ProductLeaf{1}}, 0, {}}, {{NodeLeaf{1}, CLeaf{}}, 0, {}}}};
  EXPECT_FALSE(is_fused_chain(with_c_last));
  UnitModel positive = chain_of_adds(4, 1, Rounding::nearest_even, Overflow::infinity);
  positive.conventions.zero_sign.all_zero = ZeroSign::positive;
  EXPECT_FALSE(is_fused_chain(positive));
  UnitModel clamped = chain_of_adds(4, 1, Rounding::nearest_even, Overflow::infinity);
  clamped.adders[0].minimum_alignment_exponent = 0;
  EXPECT_FALSE(is_fused_chain(clamped));
  UnitModel flushing = chain_of_adds(4, 1, Rounding::nearest_even, Overflow::infinity);
  flushing.conventions.output_subnormals = Subnormals::flushed;
  EXPECT_FALSE(is_fused_chain(flushing));
  UnitModel truncating = chain_of_adds(4, 1, Rounding::nearest_even, Overflow::infinity);
  truncating.adders[0].alignment_fraction_bits = 60;
  EXPECT_FALSE(is_fused_chain(truncating));
}

}  // namespace
}  // namespace mmaprint::cuda_fused_chain_test
