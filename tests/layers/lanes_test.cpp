// Many inputs at once on a vector unit, against the evaluator, which the tests beside this one compare with
// the specification: every set of vector instructions that this processor has.
#include <gtest/gtest.h>

#include <numeric>

#include "model/batch_evaluator.h"
#include "model/pattern.h"
#include "support/chains.h"
#include "support/describe.h"
#include "support/generate.h"
#include "support/wide_units.h"

namespace mmaprint::lanes_test {
namespace {

using test::Random;

class EveryKernel : public testing::TestWithParam<std::size_t> {
 protected:
  void SetUp() override {
    if (GetParam() >= lane_kernels().size()) GTEST_SKIP() << "this processor has no such vector instructions";
  }
  static LaneKernel kernel() { return lane_kernels()[GetParam()]; }
};
INSTANTIATE_TEST_SUITE_P(FastestFirst, EveryKernel, testing::Range(std::size_t{0}, std::size_t{4}));

void expect_alike(const UnitModel& model, const BatchEvaluator& together, std::span<const DotInput> inputs) {
  const Evaluator evaluator(model);
  const std::vector<Pattern> results = together(inputs);
  for (std::size_t i = 0; i < inputs.size(); ++i)
    ASSERT_EQ(results[i], evaluator(inputs[i])) << test::describe(model) << test::describe(model, inputs[i])
                                                << "input " << i << " of " << inputs.size();
}

std::vector<DotInput> random_inputs(Random& random, const UnitModel& model, int count) {
  std::vector<DotInput> inputs;
  inputs.reserve(static_cast<std::size_t>(count));
  for (int i = 0; i < count; ++i) {
    inputs.push_back(test::random_input(random, model));
    const bool has_zeros = random.chance(1, 4);
    for (Pattern& p : inputs.back().a)
      if (has_zeros && random.chance(2, 3)) p = zero_pattern(info(model.formats.a), random.chance(1, 2));
  }
  return inputs;
}

UnitModel equal_blocks(Random& random) {
  const int width = 4 << random.between(0, 3);
  const int k = width * random.between(1, 2);
  const Signature formats = random.pick({Signature{Format::fp16, Format::fp16, Format::fp32, Format::fp32},
                                         Signature{Format::bf16, Format::bf16, Format::fp32, Format::fp32},
                                         Signature{Format::e4m3, Format::e5m2, Format::fp16, Format::fp16}});
  ChainParameters values;
  values.conventions = test::random_conventions(random);
  values.block.alignment_fraction_bits = random.between(8, 27);
  values.block.rounding = random.pick({Rounding::toward_zero, Rounding::nearest_even, Rounding::odd});
  values.block.output_fraction_bits = info(formats.d).fraction_bits;
  std::vector<int> order(static_cast<std::size_t>(k));  // of the products
  std::iota(order.begin(), order.end(), 0);
  if (random.chance(1, 2))
    for (std::size_t i = order.size(); i-- > 1;)
      std::swap(order[i], order[static_cast<std::size_t>(random.between(0, static_cast<int>(i)))]);
  Chain chain;
  for (std::size_t i = 0; i < order.size(); ++i) {
    if (i % static_cast<std::size_t>(width) == 0) chain.blocks.emplace_back();
    chain.blocks.back().push_back(order[i]);
  }
  UnitModel model = chain_model("equal blocks", k, formats, chain, values, canonical_nan(formats.d));
  if (random.chance(1, 4)) model.nan = NanRule{.generated = canonical_nan(formats.d)};
  validate(model);
  return model;
}

/// Chains of equal blocks among them, for which there are instances of their own.
UnitModel any_unit(Random& random) {
  UnitModel model = test::random_wide_unit(random, random.between(1, 9));
  switch (random.between(0, 3)) {
    case 0:
      return test::with_rare_rules(random, std::move(model));
    case 1:
      return test::with_carried_sums(random, std::move(model));
    case 2:
      return equal_blocks(random);
    default:
      return model;
  }
}

TEST_P(EveryKernel, GivesTheEvaluatorsResultsOnRandomInputs) {
  Random random(test::starting_seed(8'100));
  int in_lanes = 0;
  for (long i = 0; i < test::count(2'000); ++i) {
    const UnitModel model = any_unit(random);
    const BatchEvaluator together(model, kernel());
    in_lanes += together.uses_lanes() ? 1 : 0;
    expect_alike(model, together, random_inputs(random, model, 40));
    if (HasFatalFailure()) return;
  }
  EXPECT_GT(in_lanes, test::count(2'000) / (kernel()->bits == 64 ? 4 : 20));
}

TEST_P(EveryKernel, GivesThemForAnyNumberOfInputs) {
  Random random(test::starting_seed(8'200));
  for (int count = 0; count < 140; ++count) {
    const UnitModel model = any_unit(random);
    expect_alike(model, BatchEvaluator(model, kernel()), random_inputs(random, model, count));
    if (HasFatalFailure()) return;
  }
}

/// A c that counts as a zero beside zero products: all are zeros then, and nothing cancels.
TEST_P(EveryKernel, KnowsThatProductsAreZerosWhereCIsDropped) {
  constexpr Signature kFormats{Format::fp16, Format::fp16, Format::fp32, Format::fp32};
  ChainParameters values;
  values.block.minimum_alignment_exponent = -4;
  values.block.alignment_fraction_bits = 20;
  values.block.c_dropped_below = 2;
  values.block.output_fraction_bits = 23;
  values.conventions.zero_sign.cancelled = ZeroSign::positive;
  const UnitModel model =
      chain_model("dropped", 2, kFormats, Chain{{{0, 1}}}, values, canonical_nan(Format::fp32));
  const BatchEvaluator together(model, kernel());
  const Pattern c = 0xBD000000;  // -2^-5, and the others' signs
  std::vector<DotInput> inputs;
  for (const Pattern minus : {Pattern{0}, Pattern{0x8000}})
    for (const Pattern small : {Pattern{0}, Pattern{0x3000000}})
      inputs.push_back({{minus, minus}, {0, 0x3C00}, c - small});
  expect_alike(model, together, inputs);
  EXPECT_EQ(together.one()(inputs.back()), Pattern{0x80000000});
}

/// Bytes that hold patterns of the format, of all that do one by chance.
int some_bytes(Random& random, Format format) {
  int log2_least = 0;
  while (8 << log2_least < info(format).container_bits) ++log2_least;
  return 1 << random.between(log2_least, 3);
}

TEST_P(EveryKernel, GivesTheSameResultsOfArraysOfAnyWidth) {
  Random random(test::starting_seed(8'400));
  for (int count = 0; count < 140; ++count) {
    const UnitModel model = any_unit(random);
    const BatchEvaluator together(model, kernel());
    const std::vector<DotInput> inputs = random_inputs(random, model, count);
    const auto c = beside_each_other<Pattern>(inputs, Role::c);
    std::vector<Pattern> results(inputs.size());
    with_element_type(some_bytes(random, model.formats.a), [&](auto of_a) {
      const auto a = beside_each_other<decltype(of_a)>(inputs, Role::a);
      with_element_type(some_bytes(random, model.formats.b), [&](auto of_b) {
        const auto b = beside_each_other<decltype(of_b)>(inputs, Role::b);
        together({std::span(a), std::span(b), model.formats.c ? Elements(std::span(c)) : Elements()},
                 results);
      });
    });
    for (std::size_t i = 0; i < inputs.size(); ++i)
      ASSERT_EQ(results[i], together.one()(inputs[i])) << test::describe(model);
  }
}

/// Words of memory with several patterns each, in whole and half vectors.
TEST_P(EveryKernel, GivesThemOfArraysThatAreReadByTheWord) {
  struct Shape {
    Format format;
    int k, width;
  };
  Random random(test::starting_seed(8'500));
  for (const auto& [format, k, width] :
       {Shape{Format::fp16, 16, 8}, Shape{Format::fp16, 32, 8}, Shape{Format::bf16, 16, 16},
        Shape{Format::e4m3, 32, 16}, Shape{Format::e5m2, 64, 16}, Shape{Format::tf32, 8, 4},
        Shape{Format::tf32, 16, 4}, Shape{Format::e2m1, 64, 32}}) {
    Chain chain;
    for (int first = 0; first < k; first += width) {
      chain.blocks.emplace_back(static_cast<std::size_t>(width));
      std::iota(chain.blocks.back().begin(), chain.blocks.back().end(), first);
    }
    ChainParameters values;
    values.block.alignment_fraction_bits = 13;
    values.block.rounding = Rounding::toward_zero;
    values.block.output_fraction_bits = 23;
    const UnitModel model = chain_model("words", k, {format, format, Format::fp32, Format::fp32}, chain,
                                        values, canonical_nan(Format::fp32));
    const BatchEvaluator together(model, kernel());
    const std::vector<DotInput> inputs = random_inputs(random, model, 200);
    const auto c = beside_each_other<std::uint32_t>(inputs, Role::c);
    std::vector<Pattern> results(inputs.size());
    with_element_type(std::max(1, info(format).container_bits / 8), [&](auto type) {
      const auto a = beside_each_other<decltype(type)>(inputs, Role::a);
      const auto b = beside_each_other<decltype(type)>(inputs, Role::b);
      together({std::span(a), std::span(b), std::span(c)}, results);
    });
    for (std::size_t i = 0; i < inputs.size(); ++i)
      ASSERT_EQ(results[i], together.one()(inputs[i])) << test::describe(model);
  }
}

TEST(BatchEvaluator, FindsTheFirstDifferenceWhereverItIs) {
  Random random(test::starting_seed(8'300));
  const UnitModel model = any_unit(random);
  const BatchEvaluator together(model);
  const std::vector<DotInput> inputs = random_inputs(random, model, 150);
  std::vector<Pattern> results = together(inputs);
  EXPECT_EQ(together.first_difference(inputs, results), std::nullopt);
  for (std::size_t i = inputs.size(); i-- > 0;) {
    results[i] ^= 1;
    EXPECT_EQ(together.first_difference(inputs, results), i);
  }
}

}  // namespace
}  // namespace mmaprint::lanes_test
