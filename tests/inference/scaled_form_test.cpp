// The plain form of units with scales computes as they do, and is the same where nothing that differs
// matters.
#include "inference/scaled_form.h"

#include <gtest/gtest.h>

#include "inference/edge_inputs.h"
#include "inference/plain_form.h"
#include "inference/scaled_sum_inputs.h"
#include "model/alike_nodes.h"
#include "model/evaluator.h"
#include "model/skeletons.h"
#include "oracle/oracle.h"
#include "skeleton_units/scaled_unit.h"
#include "support/describe.h"
#include "support/generate.h"

namespace mmaprint::scaled_form_test {
namespace {

using test::Random;

/// A unit of the grammar, most often with one scale of each role for all products, and with about as many
/// bits F as its sums need.
UnitModel any_unit(Random& random) {
  UnitModel unit = test::scaled_unit(random.bits() % 100'000);
  for (auto* scales : {&unit.formats.sa, &unit.formats.sb})
    if (*scales && random.chance(3, 4)) (*scales)->per = unit.k;
  for (Adder& adder : unit.adders) {
    if (random.chance(1, 2)) adder.alignment_fraction_bits = random.between(6, 40);
    if (random.chance(1, 2)) adder.minimum_alignment_exponent.reset();
    if (random.chance(1, 2)) adder.extra_carry_bits.reset();
    if (random.chance(1, 2)) adder.rounding = Rounding::nearest_even;
  }
  for (const Node& node : unit.tree.nodes)  // exact, and no part of E's accumulator
    if (node.result.is_scaled()) {
      Adder& adder = unit.adders[static_cast<std::size_t>(node.adder)];
      adder = exact_adder(unit.formats.d, adder.rounding);
    }
  return unit;
}

TEST(ScaledForm, OfRandomUnitsComputesAsTheyDo) {
  Random random(test::starting_seed(815'000));
  int shorter = 0, other = 0;
  const long units = test::count(300);
  for (long i = 0; i < units; ++i) {
    const UnitModel unit = any_unit(random);
    if (!is_legal(unit)) continue;
    const UnitModel form = scaled_form(unit);
    shorter += form.tree.nodes.size() < unit.tree.nodes.size() ? 1 : 0;
    other += with_fewest_classes(form) != with_fewest_classes(unit) ? 1 : 0;
    const Evaluator one(unit), again(form);
    ScaledSumInputs sums(unit, form, random.bits());
    for (int n = 0; n < 300; ++n) {
      const DotInput in = n % 3 == 0 ? test::random_input(random, unit) : sums.next();
      ASSERT_EQ(one(in), again(in)) << test::describe(unit) << test::describe(form)
                                    << test::describe(unit, in);
    }
  }
  if (units < 300) return;
  EXPECT_GT(shorter, 20);
  EXPECT_GT(other, 50);
}

/// Two groups of two products of E2M1, of which the first is rounded to FP32 before the second is added.
struct Chain {
  Format scale = Format::ue4m3;
  Rounding rounding = Rounding::nearest_even;
  int per = 4;
};
UnitModel two_groups(const Chain& chain, std::optional<int> fraction_bits, std::optional<int> clamp = {}) {
  UnitModel unit;
  unit.instruction = "chain";
  unit.k = 4;
  unit.formats = {Format::e2m1, Format::e2m1, Format::fp32, Format::fp32};
  unit.formats.sa = Scales{chain.scale, chain.per};
  const auto group = [](int first) {
    return Node{{ProductLeaf{first}, ProductLeaf{first + 1}}, 0, NodeResult::scaled()};
  };
  unit.tree.nodes = {group(0), Node{{NodeLeaf{0}}, 1}, group(2), Node{{NodeLeaf{1}, NodeLeaf{2}}, 1}};
  unit.tree.nodes.push_back(Node{{NodeLeaf{3}, CLeaf{}}, 2});
  unit.adders.assign(3, exact_adder(Format::fp32, Rounding::nearest_even));
  unit.adders[1].rounding = chain.rounding;
  unit.adders[1].alignment_fraction_bits = fraction_bits;
  unit.adders[1].minimum_alignment_exponent = clamp;
  unit.nan = canonical_nan(Format::fp32);
  return unit;
}

TEST(ScaledForm, HasOneGroupWhereSumsThatShareAScaleAreExact) {
  // Two products are below 2^(s+7+1), their scale's significand included, and multiples of 2^(s-2-3).
  const UnitModel form = scaled_form(two_groups({}, std::nullopt));
  EXPECT_LT(form.tree.nodes.size(), 4U);
  EXPECT_TRUE(have_the_same_plain_form(two_groups({}, 12), form));
  EXPECT_TRUE(have_the_same_plain_form(two_groups({}, 40, 9), form));
  EXPECT_FALSE(have_the_same_plain_form(two_groups({}, 9), form));
  EXPECT_TRUE(difference_of_scaled_sums(two_groups({}, 9), form, 20'000, 1));
}

TEST(ScaledForm, HasSeveralWhereSomethingOfThemMayDiffer) {
  const UnitModel form = scaled_form(two_groups({}, std::nullopt));
  // Zeros have another sign; scales are apart; a sum overflows that the next would bring back.
  for (const Chain& other :
       {Chain{.rounding = Rounding::down}, Chain{.per = 2}, Chain{.scale = Format::ue8m0}})
    EXPECT_GE(scaled_form(two_groups(other, std::nullopt)).tree.nodes.size(), 4U);
}

TEST(ScaledForm, HasSeveralWhereAScaleOfZeroShowsTheirSigns) {
  UnitModel unit = two_groups({}, std::nullopt);
  unit.formats.c = std::nullopt;
  unit.tree.nodes.pop_back();
  unit.tree.nodes.erase(unit.tree.nodes.begin() + 1);
  unit.tree.nodes.back().operands = {NodeLeaf{0}, NodeLeaf{1}};
  unit.adders.pop_back();
  // 0 · 2 is +0 and 0 · -3 is -0: +0 together, where 0 · (2 - 3) is -0.
  DotInput in{{4, 0, 0xd, 0}, {2, 0, 2, 0}, 0, {0}, {}};
  EXPECT_EQ(evaluate(unit, in), 0U);
  EXPECT_EQ(evaluate(scaled_form(unit), in), 0U);
  EXPECT_EQ(scaled_form(unit).tree.nodes.size(), 3U);
  unit.conventions.zero_sign.all_zero = ZeroSign::positive;
  EXPECT_EQ(scaled_form(unit).tree.nodes.size(), 2U);
}

TEST(ScaledForm, OfAPaddedBlockComputesAsItDoesWhereAScaleIsTheZerosExponent) {
  UnitModel unit;
  unit.instruction = "padded";
  unit.k = 1;
  unit.formats = {Format::e2m1, Format::e2m1, Format::fp32, Format::fp32};
  unit.formats.sa = Scales{Format::ue8m0, 1};
  unit.adders = {exact_adder(Format::fp32, Rounding::nearest_even)};
  unit.adders[0].zero_addends = ZeroAddends::factor_exponent(0);
  unit.adders[0].alignment_fraction_bits = 4;
  unit.nan = canonical_nan(Format::fp32);
  // 0 · 0 of the scale 2^10 raises E to 10, wherever the padding stands: 1 is cut off.
  const DotInput in{{0}, {0}, 0x3f800000, {127 + 10}, {}};
  const std::vector<Leaf> orders[] = {{CLeaf{}, PaddingLeaf{}, ProductLeaf{0}},
                                      {CLeaf{}, ProductLeaf{0}, PaddingLeaf{}}};
  for (const auto& operands : orders) {
    unit.tree.nodes = {Node{operands}};
    EXPECT_EQ(oracle::evaluate(unit, in), 0U);
    EXPECT_EQ(evaluate(unit, in), 0U);
    EXPECT_EQ(evaluate(scaled_form(unit), in), 0U);
  }
}

TEST(ScaledForm, IsThatOfNoUnitThatLosesABit) {
  for (int f = 4; f < 14; ++f) {
    const UnitModel unit = two_groups({}, f), exact = two_groups({}, std::nullopt);
    const bool same = have_the_same_plain_form(unit, exact);
    EXPECT_NE(same, difference_of_scaled_sums(unit, exact, 50'000, 1).has_value()) << f;
  }
}

}  // namespace
}  // namespace mmaprint::scaled_form_test
