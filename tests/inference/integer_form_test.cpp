// The plain form of units of integers: that it changes no result, what it tells to be alike, and what it does
// not.
#include "inference/integer_form.h"

#include <gtest/gtest.h>

#include <array>
#include <span>

#include "inference/plain_form.h"
#include "model/evaluator.h"
#include "support/random.h"

namespace mmaprint::integer_form_test {
namespace {

using test::Random;

/// Nodes of one class over k products and c, of which each takes some that no earlier one took.
Tree any_tree(Random& random, int k) {
  std::vector<Leaf> left{CLeaf{}};
  for (int i = 0; i < k; ++i) left.emplace_back(ProductLeaf{i});
  Tree tree;
  do {
    Node node;
    for (int n = random.between(1, 4); n > 0 && !left.empty(); --n) {
      const auto i = static_cast<std::ptrdiff_t>(random.between(0, static_cast<int>(left.size()) - 1));
      node.operands.push_back(left[static_cast<std::size_t>(i)]);
      left.erase(left.begin() + i);
    }
    if (random.chance(1, 6)) node.operands.emplace_back(ZeroLeaf{});
    if (!left.empty() || !tree.nodes.empty())
      left.emplace_back(NodeLeaf{static_cast<int>(tree.nodes.size())});
    tree.nodes.push_back(std::move(node));
  } while (left.size() > 1);
  return tree;
}

UnitModel integers(const Tree& tree, int k, Overflow overflow, Format a = Format::int8,
                   Format b = Format::int8) {
  ParameterValues values{{exact_adder(Format::int32, Rounding::nearest_even)}, {}};
  values.conventions.overflow = overflow;
  return unit_model("integers", k, {a, b, Format::int32, Format::int32}, {{}, tree}, values, std::nullopt);
}

/// Factors of any size, and a c at which sums leave D's range one way or the other.
DotInput any_input(Random& random, const UnitModel& unit) {
  DotInput input;
  const int sign = random.between(0, 2);
  for (int i = 0; i < unit.k; ++i)
    for (auto* factors : {&input.a, &input.b}) {
      const FormatInfo& f = info(factors == &input.a ? unit.formats.a : unit.formats.b);
      const Pattern largest = f.pattern_mask() >> (f.has_sign ? 1 : 0);
      const Pattern lowest = f.has_sign ? largest + 1 : 0;
      const bool low = sign == 2 ? random.chance(1, 2) : (factors == &input.a && sign == 1);
      factors->push_back(random.chance(1, 2) ? (low ? lowest : largest) : random.bits() & f.pattern_mask());
    }
  const auto near = static_cast<std::uint32_t>(random.between(-70'000, 70'000));
  input.c = random.chance(1, 6) ? random.bits() & 0xffffffff
                                : (random.chance(1, 2) ? 0x7fffffffU : 0x80000000U) + near;
  input.c &= 0xffffffff;
  return input;
}

TEST(IntegerForm, OfAnyTreeComputesAsItDoes) {
  const std::uint64_t seed = test::starting_seed(7);
  Random random(seed);
  int smaller = 0, left = 0;
  for (int trial = 0; trial < 300; ++trial) {
    const int k = random.between(1, 6);
    const Overflow overflow = random.chance(1, 2) ? Overflow::wrap : Overflow::saturate;
    const std::array formats{Format::int8, Format::uint8, Format::int4, Format::uint4, Format::int16};
    const UnitModel unit =
        integers(any_tree(random, k), k, overflow, random.pick(std::span<const Format>(formats)),
                 random.pick(std::span<const Format>(formats)));
    const UnitModel form = integer_form(unit);
    smaller += form.tree.nodes.size() < unit.tree.nodes.size() ? 1 : 0;
    left += form.tree.nodes.size() > 1 ? 1 : 0;
    EXPECT_TRUE(is_legal(form)) << "seed " << seed << ", trial " << trial;
    EXPECT_EQ(integer_form(form), form) << "seed " << seed << ", trial " << trial;
    const Evaluator one(unit), other(form);
    for (int n = 0; n < 200; ++n) {
      const DotInput input = any_input(random, unit);
      ASSERT_EQ(one(input), other(input)) << "seed " << seed << ", trial " << trial << ", input " << n;
    }
  }
  EXPECT_GT(smaller, 50);
  EXPECT_GT(left, 20);
}

TEST(IntegerForm, IsOneSumHoweverSumsThatWrapAreGrouped) {
  Random random(5);
  const UnitModel one = integers(any_tree(random, 8), 8, Overflow::wrap);
  for (int trial = 0; trial < 20; ++trial) {
    const UnitModel other = integers(any_tree(random, 8), 8, Overflow::wrap);
    EXPECT_TRUE(have_the_same_plain_form(one, other));
    EXPECT_EQ(integer_form(other).tree.nodes.size(), 1U);
  }
}

TEST(IntegerForm, KeepsTheSumsThatMaySaturateBeforeTheLast) {
  const UnitModel first = integers(tree_of(Chain{{{0}, {1}}, CEnters::first}), 2, Overflow::saturate);
  const UnitModel last = integers(tree_of(Chain{{{0}, {1}}, CEnters::last}), 2, Overflow::saturate);
  const UnitModel at_once = integers(tree_of(Chain{{{0, 1}}, CEnters::first}), 2, Overflow::saturate);
  EXPECT_TRUE(have_the_same_plain_form(last, at_once)) << "products alone cannot saturate";
  EXPECT_FALSE(have_the_same_plain_form(first, at_once));
  const DotInput up_and_down{{1, 0xff}, {1, 1}, 0x7fffffff};
  EXPECT_NE(evaluate(first, up_and_down), evaluate(at_once, up_and_down));
}

TEST(IntegerForm, TellsSumsThatWrapFromThoseThatSaturateWhereAnyCan) {
  const Tree tree = tree_of(Chain{{{0, 1}}, CEnters::first});
  EXPECT_FALSE(
      have_the_same_plain_form(integers(tree, 2, Overflow::wrap), integers(tree, 2, Overflow::saturate)));
  const auto without_c = [](Overflow overflow) {
    UnitModel unit = integers(tree_of(Chain{{{0, 1}}, std::nullopt}), 2, overflow);
    unit.formats.c.reset();
    return unit;
  };
  EXPECT_TRUE(have_the_same_plain_form(without_c(Overflow::wrap), without_c(Overflow::saturate)));
}

TEST(IntegerForm, TellsConjunctionsOfBitsFromTheirExclusiveOr) {
  const Tree tree = tree_of(Chain{{{0, 1}}, CEnters::first});
  const UnitModel bits = integers(tree, 2, Overflow::wrap, Format::b1, Format::b1);
  UnitModel other = bits;
  other.adders.front().product = ProductKind::exclusive_or;
  EXPECT_FALSE(have_the_same_plain_form(bits, other));
}

}  // namespace
}  // namespace mmaprint::integer_form_test
