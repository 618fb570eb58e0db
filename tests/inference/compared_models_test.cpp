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
  known.add_equal(model, std::vector{with_bits(29)}, 7);
  known.add_equal(with_bits(29), std::vector{with_bits(28)}, 4);
  EXPECT_EQ(known.clauses_of(model, with_bits(28)), 11);
  EXPECT_EQ(known.clauses_of(with_bits(27), with_bits(27)), 0);
  EXPECT_EQ(known.clauses_of(model, with_bits(27)), std::nullopt);
}

TEST(ComparedModels, AreForgottenWhereThereAreTooMany) {
  ComparedModels known;
  const UnitModel model = with_bits(1);
  std::vector<UnitModel> others(1'000, model);
  for (std::size_t i = 0; i < others.size(); ++i) others[i].instruction = std::to_string(i);
  known.add_equal(model, others, 1);
  EXPECT_EQ(known.clauses_of(model, others.front()), 1);
  EXPECT_EQ(known.clauses_of(model, others.back()), std::nullopt);
}

TEST(ComparedModels, AreAskedAboutAgainWithMoreStepsThanBefore) {
  ComparedModels known;
  known.give_up(with_bits(30), with_bits(29), 1'000);
  EXPECT_TRUE(known.is_given_up(with_bits(29), with_bits(30), 1'000));
  EXPECT_FALSE(known.is_given_up(with_bits(29), with_bits(30), 1'001));
  EXPECT_EQ(known.clauses_of(with_bits(30), with_bits(29)), std::nullopt);
}

}  // namespace
}  // namespace mmaprint::compared_models_test
