// Where a subnormal c is said to count as nothing, against toy units run on all inputs, or on very many.
#include "solver/subnormal_c.h"

#include <gtest/gtest.h>

#include "layers/toys.h"
#include "model/pattern.h"
#include "solver/by_nodes.h"
#include "solver/distinguish.h"

namespace mmaprint::subnormal_c_test {
namespace {

using test::floating;
using test::Random;
using test::Toy;

/// Of which c reaches far below the others.
constexpr test::ToyFormats kFormats{floating(2, 1, 1), floating(2, 1, 1), floating(4, 1, 10),
                                    floating(3, 1, 3)};

Tree with_c_among_products(int k) {
  Node node;
  for (int i = 0; i < k; ++i) node.operands.emplace_back(ProductLeaf{i});
  node.operands.emplace_back(CLeaf{});
  return {{node}};
}
Tree with_c_last(int k) {
  Tree tree = with_c_among_products(k);
  tree.nodes.front().operands.back() = ZeroLeaf{};
  tree.nodes.push_back({{NodeLeaf{0}, CLeaf{}}, 1, {}});
  return tree;
}

/// To a product and to the sum of the others.
Tree with_c_beside_both(int k) {
  Tree tree = with_c_among_products(k - 1);
  tree.nodes.front().operands.back() = ZeroLeaf{};
  tree.nodes.push_back({{NodeLeaf{0}, ProductLeaf{k - 1}, CLeaf{}}, 1, {}});
  return tree;
}

/// Is anything but zeros, infinities and NaNs added to c, and is c subnormal?
bool is_concerned(const Toy& toy, const DotInput& in) {
  const FormatInfo& c = toy.formats.c;
  const Pattern magnitude = magnitude_pattern(c, in.c);
  if (magnitude == 0 || magnitude >> c.fraction_bits != 0) return false;
  const auto is_added = [&](std::size_t k) {
    return !is_zero(toy.formats.a, in.a[k]) && !is_zero(toy.formats.b, in.b[k]);
  };
  if (toy.plan.nodes.size() == 1) {
    for (std::size_t k = 0; k < in.a.size(); ++k)
      if (is_added(k)) return true;
    return false;
  }
  const bool is_beside_both = toy.plan.nodes.back().products == 1;
  if (is_beside_both && is_added(in.a.size() - 1)) return true;
  // Of a root that adds c alone to a result: with c a zero, that is what the unit gives.
  DotInput without = in;
  without.c = 0;
  return !is_zero(toy.formats.d, test::result<PlainLowering>(toy, without));
}

/// How many of so many units lose it.
int trials(std::uint64_t seed, long count, int k, Tree (*tree)(int)) {
  Random random(seed);
  int lost = 0;
  for (long i = 0; i < count && !testing::Test::HasFailure(); ++i) {
    Toy toy(kFormats, k, tree(k), {});
    ParameterValues values = test::random_toy_values(random, toy.formats.d);
    Adder& adder = values.adders.front();
    test::align_plainly(adder);
    if (random.chance(1, 2))
      adder.alignment_rounding =
          random.chance(1, 2) ? AlignmentRounding::truncate : AlignmentRounding::nearest_even;
    if (random.chance(1, 2)) adder.alignment_fraction_bits = random.between(0, 10);
    values.conventions.input_subnormals = values.conventions.c_subnormals = Subnormals::kept;
    values.adders.assign(4, adder);
    Adder& root = values.adders[1];
    if (random.chance(3, 4)) {
      root.alignment_fraction_bits = root.extra_carry_bits = std::nullopt;
      root.rounding = random.chance(1, 2) ? Rounding::nearest_even : Rounding::nearest_away;
      root.output_fraction_bits = random.chance(3, 4) ? kFormats.d.fraction_bits : 0;
    }
    toy.model.adders = values.adders;
    toy.model.conventions = values.conventions;
    if (!loses_subnormal_c(toy.plan, Box(values))) continue;
    ++lost;
    const auto look = [&](const DotInput& in) {
      if (testing::Test::HasFailure() || !is_concerned(toy, in)) return;
      DotInput without = in;
      without.c &= sign_pattern(toy.formats.c);
      ASSERT_EQ(test::result<PlainLowering>(toy, in), test::result<PlainLowering>(toy, without))
          << test::describe(toy, values, in);
    };
    if (k == 1)
      test::for_each_input(toy, look);
    else
      for (int n = 0; n < 4'000; ++n) look(test::random_patterns(random, toy));
  }
  return lost;
}

TEST(SubnormalC, CountsAsNothingWhereItIsSaidTo) {
  const std::uint64_t seed = test::starting_seed(5'300);
  const long count = test::count(100);
  for (const int k : {1, 3})
    for (const auto tree : {with_c_among_products, with_c_last})
      EXPECT_GT(trials(seed + static_cast<std::uint64_t>(k), count, k, tree), 0) << k << " products";
  EXPECT_GT(trials(seed, 2 * count, 3, with_c_beside_both), 0);
}

TEST(SubnormalC, CountsWhereItIsRoundedUpOrMayBeABit) {
  ParameterValues values;
  values.adders.assign(2, exact_adder(Format::fp32, Rounding::nearest_even));
  Adder& block = values.adders.front();
  block.alignment_fraction_bits = 24;
  block.rounding = Rounding::toward_zero;
  const Plan plan({Format::fp16, Format::fp16, Format::fp32, Format::fp32}, 2,
                  Skeleton{{}, with_c_among_products(2)});
  EXPECT_TRUE(loses_subnormal_c(plan, Box(values)));
  block.alignment_rounding = AlignmentRounding::nearest_even;
  EXPECT_TRUE(loses_subnormal_c(plan, Box(values)));
  for (const auto rounding : {AlignmentRounding::sticky, AlignmentRounding::floor}) {
    block.alignment_rounding = rounding;
    EXPECT_FALSE(loses_subnormal_c(plan, Box(values)));
  }
  block = exact_adder(Format::fp32, Rounding::nearest_even);
  EXPECT_FALSE(loses_subnormal_c(plan, Box(values)));

  const Plan last({Format::fp16, Format::fp16, Format::fp32, Format::fp32}, 2, Skeleton{{}, with_c_last(2)});
  EXPECT_TRUE(loses_subnormal_c(last, Box(values)));
  values.adders.back().rounding = Rounding::toward_zero;
  EXPECT_FALSE(loses_subnormal_c(last, Box(values)));
}

/// Products that are zero are asked about as if all were +0 times 1 or -1.
TEST(SubnormalC, IsNotSaidToBeAloneAmongZerosThatSidesTreatDifferently) {
  UnitModel model = unit_model(
      "toy", 1, {Format::fp16, Format::fp16, Format::fp32, Format::fp32}, {{}, with_c_among_products(1)},
      {{exact_adder(Format::fp32, Rounding::nearest_even)}, {}}, canonical_nan(Format::fp32));
  UnitModel other = model;
  other.conventions.input_subnormals = Subnormals::flushed_positive;
  const DotInput input{{0x8000}, {0x3c00}, 0x80000000};  // -0·1 - 0
  ASSERT_NE(evaluate(model, input), evaluate(other, input));
  const auto checker = make_checker(Solver::cadical);
  const auto answer = compare_by_nodes(*checker, model, other, {}, Inputs::subnormal_c_alone);
  EXPECT_FALSE(std::holds_alternative<Equivalent>(answer));
}

}  // namespace
}  // namespace mmaprint::subnormal_c_test
