// Where a sum is rounded to odd and then once more: the same results whatever is between, on every input.
#include "solver/rounded_to_odd.h"

#include <gtest/gtest.h>

#include "model/evaluator.h"
#include "model/pattern.h"
#include "solver/idle_values.h"

namespace mmaprint::rounded_to_odd_test {
namespace {

constexpr int kBits = 3;  // that are left in the end

/// An E4M3 product, rounded to an FP16 of `between` fraction bits, and once more to one of three.
UnitModel twice_rounded(int between, Rounding first = Rounding::odd,
                        Rounding second = Rounding::nearest_even) {
  UnitModel unit;
  unit.instruction = "twice";
  unit.k = 1;
  unit.formats = {Format::e4m3, Format::e4m3, std::nullopt, Format::fp16};
  unit.tree.nodes = {Node{{ProductLeaf{0}}, 0}, Node{{NodeLeaf{0}}, 1}};
  Adder to_odd = exact_adder(Format::fp16, first);
  to_odd.output_fraction_bits = between;
  Adder last = exact_adder(Format::fp16, second);
  last.output_fraction_bits = kBits;
  unit.adders = {to_odd, last};
  unit.nan = canonical_nan(Format::fp16);
  validate(unit);
  return unit;
}

/// On how many of all inputs two units differ.
int differences(const UnitModel& x, const UnitModel& y) {
  const Evaluator one(x), other(y);
  int all = 0;
  for (Pattern a = 0; a <= 0xff; ++a)
    for (Pattern b = 0; b <= 0xff; ++b) all += one({{a}, {b}, 0}) != other({{a}, {b}, 0}) ? 1 : 0;
  return all;
}

bool is_said(const UnitModel& unit, int between) {
  const Plan plan(unit.formats, unit.k, skeleton_of(unit));
  return is_rounded_to_odd_first(plan, plan.nodes[0], Box(values_of(unit)), between);
}

TEST(RoundedToOdd, MakesNoDifferenceWithTwoBitsMoreWhateverIsRoundedToAndOverflows) {
  for (const Rounding second : {Rounding::nearest_even, Rounding::nearest_away, Rounding::toward_zero,
                                Rounding::up, Rounding::down, Rounding::odd})
    for (const Overflow overflow : {Overflow::infinity, Overflow::saturate, Overflow::by_direction}) {
      SCOPED_TRACE(testing::Message() << static_cast<int>(second) << " " << static_cast<int>(overflow));
      const auto with = [&](int between) {
        UnitModel unit = twice_rounded(between, Rounding::odd, second);
        unit.conventions.overflow = overflow;
        return unit;
      };
      for (const int between : {kBits + 2, kBits + 3}) {
        EXPECT_TRUE(is_said(with(between), between));
        EXPECT_EQ(differences(with(between), with(10)), 0) << between;
      }
      EXPECT_FALSE(is_said(with(kBits + 1), kBits + 1));
    }
  EXPECT_GT(differences(twice_rounded(kBits + 1), twice_rounded(10)), 0) << "one bit more does not do";
}

TEST(RoundedToOdd, IsNotSaidOfOtherRoundings) {
  for (const Rounding first : {Rounding::nearest_even, Rounding::toward_zero, Rounding::down}) {
    EXPECT_FALSE(is_said(twice_rounded(kBits + 2, first), kBits + 2));
    EXPECT_GT(differences(twice_rounded(kBits + 2, first), twice_rounded(10, first)), 0);
  }
}

TEST(RoundedToOdd, IsNotSaidWhereSubnormalsAreFlushedBetween) {
  UnitModel unit = twice_rounded(kBits + 2);
  unit.conventions.output_subnormals = Subnormals::flushed;
  EXPECT_FALSE(is_said(unit, kBits + 2));
}

TEST(RoundedToOdd, IsNotSaidWhereTheLastNodeLosesBits) {
  UnitModel unit = twice_rounded(10);
  unit.adders[1].alignment_fraction_bits = kBits + 1;
  EXPECT_FALSE(is_said(unit, 10));
  UnitModel shorter = unit;
  shorter.adders[0].output_fraction_bits = kBits + 2;
  EXPECT_GT(differences(unit, twice_rounded(10)), 0);
  unit.adders[1].alignment_fraction_bits = 10;
  EXPECT_TRUE(is_said(unit, 10));
  unit.adders[1].minimum_alignment_exponent = 0;
  EXPECT_FALSE(is_said(unit, 10));
}

TEST(RoundedToOdd, LeavesOneNumberOfBitsOfThoseThatAreAlike) {
  const UnitModel unit = twice_rounded(10);
  Box box(values_of(unit));
  const ParameterKey key{Parameter::output_fraction_bits, 0};
  for (int bits = 2; bits <= 10; ++bits) box[key].insert(bits);
  const auto idle = idle_values(Plan(unit.formats, unit.k, skeleton_of(unit)), box, key);
  EXPECT_EQ(idle, ValueSet::range(kBits + 2, 10));
}

}  // namespace
}  // namespace mmaprint::rounded_to_odd_test
