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

ModelStep step(int from, int to) { return {with_bits(from), with_bits(to), ByIdleValues{}}; }

/// Where steps lead from there; nullopt where one has no model of the one before.
std::optional<UnitModel> led_to(UnitModel at, const std::vector<ModelStep>& steps) {
  for (const ModelStep& s : steps) {
    if (s.left != at && s.right != at) return std::nullopt;
    at = s.left == at ? s.right : s.left;
  }
  return at;
}

TEST(ComparedModels, AreEqualByWayOfOneThatBothWereProvedEqualTo) {
  ComparedModels known;
  const UnitModel model = with_bits(30);
  known.add_equal(model, std::vector{step(29, 30)}, 7);
  known.add_equal(with_bits(29), std::vector{step(28, 29)}, 4);
  ASSERT_TRUE(known.equal(model, with_bits(28)));
  EXPECT_EQ(known.equal(model, with_bits(28))->clauses, 11);
  EXPECT_EQ(known.equal(with_bits(27), with_bits(27))->clauses, 0);
  EXPECT_FALSE(known.equal(model, with_bits(27)));
}

TEST(ComparedModels, TellEveryStepBetweenTwoOfThem) {
  ComparedModels known;
  const UnitModel model = with_bits(30);
  known.add_equal(model, std::vector{step(20, 21), step(22, 21), step(22, 30)}, 1);
  known.add_equal(model, std::vector{step(10, 11), step(21, 11)}, 1);
  known.add_equal(model, std::vector{step(5, 30)}, 1);
  for (const int from : {5, 10, 11, 20, 21, 22, 30})
    for (const int to : {5, 10, 11, 20, 21, 22, 30}) {
      const auto way = known.equal(with_bits(from), with_bits(to));
      ASSERT_TRUE(way) << from << " " << to;
      EXPECT_EQ(led_to(with_bits(from), way->steps), with_bits(to)) << from << " " << to;
    }
}

TEST(ComparedModels, AreForgottenWhereThereAreTooMany) {
  ComparedModels known;
  const UnitModel model = with_bits(1);
  std::vector<UnitModel> others(1'000, model);
  for (std::size_t i = 0; i < others.size(); ++i) {
    others[i].instruction = std::to_string(i);
    known.add_equal(model, std::vector{ModelStep{others[i], model, ByIdleValues{}}}, 1);
  }
  EXPECT_TRUE(known.equal(model, others.front()));
  EXPECT_FALSE(known.equal(model, others.back()));
}

TEST(ComparedModels, AreAskedAboutAgainWithMoreStepsThanBefore) {
  ComparedModels known;
  known.give_up(with_bits(30), with_bits(29), 1'000);
  EXPECT_TRUE(known.is_given_up(with_bits(29), with_bits(30), 1'000));
  EXPECT_FALSE(known.is_given_up(with_bits(29), with_bits(30), 1'001));
  EXPECT_FALSE(known.equal(with_bits(30), with_bits(29)));
}

}  // namespace
}  // namespace mmaprint::compared_models_test
