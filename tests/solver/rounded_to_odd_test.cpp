// Where a sum is rounded to odd and then once more: the same results whatever is between, on every input.
#include "solver/rounded_to_odd.h"

#include <gtest/gtest.h>

#include <vector>

#include "solver/idle_values.h"
#include "solver/overflow_alike.h"
#include "support/twice_rounded.h"

namespace mmaprint::rounded_to_odd_test {
namespace {

using test::differences;

constexpr int kBits = 3;  // that are left in the end

UnitModel twice_rounded(int between, Rounding first = Rounding::odd,
                        Rounding second = Rounding::nearest_even) {
  return test::twice_rounded(first, between, second, kBits);
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

/// The rules for overflow that are said to come to the same at every node.
std::vector<int> overflows_said_alike(const UnitModel& unit) {
  Box box(values_of(unit));
  for (const Overflow rule : {Overflow::infinity, Overflow::saturate, Overflow::by_direction})
    box[Parameter::overflow].insert(static_cast<int>(rule));
  return idle_values(Plan(unit.formats, unit.k, skeleton_of(unit)), box, {Parameter::overflow}).values();
}

TEST(OverflowAlike, IsSaidOfRulesThatGiveTheSameOnEveryInput) {
  using enum Rounding;
  int said = 0;
  for (const Rounding first : {nearest_even, nearest_away, toward_zero, up, down, odd})
    for (const Rounding second : {nearest_even, nearest_away, toward_zero, up, down, odd})
      for (const int between : {kBits - 1, kBits, kBits + 1, kBits + 2, 10}) {
        UnitModel unit = twice_rounded(between, first, second);
        const auto alike = overflows_said_alike(unit);
        if (alike.size() < 2) continue;
        ++said;
        UnitModel other = unit;
        unit.conventions.overflow = static_cast<Overflow>(alike.front());
        other.conventions.overflow = static_cast<Overflow>(alike.back());
        EXPECT_EQ(alike.size(), 2U);
        EXPECT_EQ(differences(unit, other), 0)
            << static_cast<int>(first) << " " << static_cast<int>(second) << " " << between;
      }
  EXPECT_GE(said, 40);
}

TEST(OverflowAlike, GoesByTheNodeAfterARoundingToOdd) {
  const auto alike = [](int between, Rounding second) {
    return overflows_said_alike(twice_rounded(between, Rounding::odd, second));
  };
  const auto are = [](Overflow x, Overflow y) {
    return std::vector{static_cast<int>(x), static_cast<int>(y)};
  };
  EXPECT_EQ(alike(10, Rounding::nearest_even), are(Overflow::infinity, Overflow::by_direction));
  EXPECT_EQ(alike(10, Rounding::toward_zero), are(Overflow::saturate, Overflow::by_direction));
  EXPECT_LT(alike(kBits + 1, Rounding::up).size(), 2U);
  EXPECT_LT(alike(10, Rounding::up).size(), 2U);
}

TEST(OverflowAlike, GoesByTheNodeThatRoundsTheLargestNumberToNearestInFewerBits) {
  const auto alike = [](int between, Rounding first, Rounding second) {
    return overflows_said_alike(twice_rounded(between, first, second));
  };
  const std::vector infinite{static_cast<int>(Overflow::infinity), static_cast<int>(Overflow::by_direction)};
  for (const Rounding first : {Rounding::up, Rounding::down, Rounding::toward_zero})
    for (const Rounding second : {Rounding::nearest_even, Rounding::nearest_away}) {
      EXPECT_EQ(alike(kBits + 1, first, second), infinite);
      EXPECT_NE(alike(kBits, first, second), infinite);
    }
}

TEST(IdleValues, HaveEveryRoundingOfOneOperandOfNoMoreBits) {
  using enum Rounding;
  const ParameterKey key{Parameter::block_rounding, 1};
  for (const int left : {3, 4, 5})
    for (const int between : {3, 4, 5, 6}) {
      const UnitModel unit = test::twice_rounded(nearest_even, between, nearest_even, left, Format::fp32);
      Box box(values_of(unit));
      for (int mode = 0; mode <= static_cast<int>(odd); ++mode) box[key].insert(mode);
      const auto idle = idle_values(Plan(unit.formats, unit.k, skeleton_of(unit)), box, key).values();
      EXPECT_EQ(idle.empty(), between > left) << between << " " << left;
      for (const int mode : idle) {
        UnitModel other = unit;
        other.adders[1].rounding = static_cast<Rounding>(mode);
        EXPECT_EQ(differences(unit, other), 0) << between << " " << left << " " << mode;
      }
    }
}

}  // namespace
}  // namespace mmaprint::rounded_to_odd_test
