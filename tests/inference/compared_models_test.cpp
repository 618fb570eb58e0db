// What is remembered of models that were compared.
#include "inference/compared_models.h"

#include <gtest/gtest.h>

#include "support/chains.h"

namespace mmaprint::compared_models_test {
namespace {

UnitModel with_bits(int fraction_bits) {
  ChainParameters values;
  values.block.alignment_fraction_bits = fraction_bits;
  return chain_model("compared", 4, {Format::fp16, Format::fp16, Format::fp32, Format::fp32},
                     Chain{{{0, 1}, {2, 3}}, CEnters::first}, values, canonical_nan(Format::fp32));
}

TEST(ComparedModels, AreEqualByWayOfOneThatBothWereProvedEqualTo) {
  ComparedModels known;
  const UnitModel model = with_bits(30);
  known.add_equal(model, std::vector{with_bits(29)});
  known.add_equal(with_bits(29), std::vector{with_bits(28)});
  EXPECT_TRUE(known.are_equal(model, with_bits(28)));
  EXPECT_TRUE(known.are_equal(with_bits(27), with_bits(27)));
  EXPECT_FALSE(known.are_equal(model, with_bits(27)));
}

TEST(ComparedModels, AreAskedAboutAgainWithMoreStepsThanBefore) {
  ComparedModels known;
  known.give_up(with_bits(30), with_bits(29), 1'000);
  EXPECT_TRUE(known.is_given_up(with_bits(29), with_bits(30), 1'000));
  EXPECT_FALSE(known.is_given_up(with_bits(29), with_bits(30), 1'001));
  EXPECT_FALSE(known.are_equal(with_bits(30), with_bits(29)));
}

}  // namespace
}  // namespace mmaprint::compared_models_test
