// What the next node loses of a result: values that decide nothing else are idle.
#include "solver/next_node.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <span>
#include <vector>

#include "model/evaluator.h"
#include "solver/idle_values.h"
#include "support/random.h"

namespace mmaprint::next_node_test {
namespace {

using enum Format;
using enum Parameter;
using test::Random;

constexpr int kProducts = 3;
/// Products may be subnormal or too large; or are neither; or may be subnormal.
constexpr Signature kWide{fp16, fp16, fp16, fp16}, kSmall{e3m2, e3m2, fp16, fp16},
    kSubnormal{e4m3fnuz, e4m3fnuz, fp16, fp16};

/// (p0 + p1), added to c and p2 by a node of another class; or p0 alone, which is not too large then.
Skeleton two_nodes(const Signature& formats) {
  if (formats.a == e4m3fnuz)
    return {{},
            {{{{ProductLeaf{0}}, 0, {}}, {{NodeLeaf{0}, CLeaf{}, ProductLeaf{1}, ProductLeaf{2}}, 1, {}}}}};
  return {{}, {{{{ProductLeaf{0}, ProductLeaf{1}}, 0, {}}, {{NodeLeaf{0}, CLeaf{}, ProductLeaf{2}}, 1, {}}}}};
}

ParameterValues exact_values(Rounding first) {
  ParameterValues values{{exact_adder(fp16, first), exact_adder(fp16, Rounding::nearest_even)}, {}};
  values.conventions.zero_sign = {ZeroSign::positive, ZeroSign::positive, ZeroSign::positive,
                                  ZeroSign::positive};
  return values;
}

Pattern result(const Signature& formats, const ParameterValues& values, const DotInput& input) {
  return evaluate(unit_model("next", kProducts, formats, two_nodes(formats), values, canonical_nan(fp16)),
                  input);
}

ValueSet idle_of(const Signature& formats, const ParameterValues& values, const ParameterKey& key,
                 const ValueSet& of_key) {
  Box box(values);
  box[key] = of_key;
  return idle_values(Plan(formats, kProducts, two_nodes(formats)), box, key);
}

/// Few bits are left in the end, and small exponents occur: results are often cut off, or vanish.
ParameterValues random_values(Random& random) {
  ParameterValues values = exact_values(random.pick({Rounding::toward_zero, Rounding::odd}));
  const auto clamp = [&] {
    return random.chance(1, 2) ? std::optional(random.between(-20, 0)) : std::nullopt;
  };
  Adder &first = values.adders[0], &next = values.adders[1];
  first.output_fraction_bits = random.between(1, 10);
  first.minimum_alignment_exponent = clamp();
  if (random.chance(1, 2)) first.alignment_fraction_bits = random.between(4, 24);
  next.minimum_alignment_exponent = clamp();
  next.alignment_fraction_bits = random.between(1, 10);
  next.alignment_rounding =
      random.pick({AlignmentRounding::truncate, AlignmentRounding::truncate, AlignmentRounding::nearest_even,
                   AlignmentRounding::floor, AlignmentRounding::sticky});
  next.product = random.pick({ProductKind::exact_unnormalised, ProductKind::exact_normalised});
  next.normalisation = random.pick({Normalisation::late, Normalisation::immediate});
  next.rounding = random.pick({Rounding::nearest_even, Rounding::toward_zero, Rounding::down});
  if (random.chance(1, 4)) next.zero_addends = ZeroAddends::as_exponent(random.between(-20, 0));
  if (random.chance(1, 4)) next.extra_carry_bits = random.between(0, 2);
  Conventions& conventions = values.conventions;
  conventions.output_subnormals = random.pick({Subnormals::kept, Subnormals::flushed});
  for (ZeroSign* sign : {&conventions.zero_sign.all_zero, &conventions.zero_sign.cancelled,
                         &conventions.zero_sign.rounded, &conventions.zero_sign.flushed})
    if (random.chance(1, 4)) *sign = ZeroSign::follow;
  return values;
}

DotInput near_each_other(Random& random, const Signature& formats) {
  const int centre = random.between(0, 24);
  const auto pattern = [&](int around, int spread) -> Pattern {
    if (random.chance(1, 8)) return random.chance(1, 2) ? 0x8000 : 0;
    const int e = std::clamp(around + random.between(-spread, spread), 0, 30);
    return (random.bits() & 0x83ff) | static_cast<Pattern>(e) << 10;
  };
  // Of E4M3 small ones, more often.
  const Pattern mask =
      formats.a == e4m3fnuz ? random.pick<Pattern>({0x8f, 0x8f, 0x9f, 0xff}) : info(formats.a).pattern_mask();
  DotInput input;
  for (int i = 0; i < kProducts; ++i) {
    const bool wide = formats.a == fp16;
    input.a.push_back(wide ? pattern(centre, 3) : random.bits() & mask);
    input.b.push_back(wide ? pattern(random.chance(1, 4) ? 0 : 12, 2) : random.bits() & mask);
  }
  input.c = random.chance(1, 4)   ? random.pick<Pattern>({0, 0x8000})
            : random.chance(1, 2) ? pattern(centre, 6)
                                  : pattern(0, 2);
  return input;
}

TEST(NextNode, LosesWhatIdleValuesChangeOnRandomInputs) {
  const std::uint64_t seed = test::starting_seed(5'100);
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  Random random(seed);
  std::map<Parameter, int> found;
  const std::map<ParameterKey, ValueSet> all{
      {{output_fraction_bits, 0}, ValueSet::range(1, 10)},
      {{block_rounding, 0}, ValueSet::range(0, 5)},
      {{output_subnormals}, ValueSet::range(0, 1)},
      {{minimum_alignment_exponent, 0}, ValueSet::range(ClampDomain::index(-30), ClampDomain::index(0))}};
  const long trials = test::count(1'500);
  for (long n = 0; n < trials; ++n) {
    const ParameterValues values = random_values(random);
    const Signature formats = random.pick({kWide, kSmall, kSubnormal});
    for (const auto& [key, of_key] : all) {
      const auto idle = idle_of(formats, values, key, of_key).values();
      if (idle.size() < 2) continue;
      ++found[key.parameter];
      ParameterValues left = values, right = values;
      for (int i = 0; i < 60; ++i) {
        const DotInput input = near_each_other(random, formats);
        set_value(left, key, random.pick(std::span<const int>(idle)));
        set_value(right, key, random.pick(std::span<const int>(idle)));
        ASSERT_EQ(result(formats, left, input), result(formats, right, input)) << info(key.parameter).name;
      }
    }
  }
  if (trials < 1'500) return;
  for (const auto& [key, of_key] : all) EXPECT_GT(found[key.parameter], 100) << info(key.parameter).name;
}

/// Of two products that are neither subnormal nor too large.
struct Small {
  ParameterValues values = exact_values(Rounding::toward_zero);

  [[nodiscard]] ValueSet idle(const ParameterKey& key, const ValueSet& of_key) const {
    return idle_of(kSmall, values, key, of_key);
  }
};

TEST(NextNode, LeavesAsManyBitsOfARoundedResultAsItAlignsTo) {
  Small unit;
  Adder& next = unit.values.adders[1];
  next.alignment_fraction_bits = 4;
  const ParameterKey bits{output_fraction_bits, 0};
  EXPECT_EQ(unit.idle(bits, ValueSet::range(1, 10)), ValueSet::range(4, 10));
  unit.values.adders[0].rounding = Rounding::odd;
  EXPECT_EQ(unit.idle(bits, ValueSet::range(1, 10)), ValueSet::range(5, 10));
  next.alignment_rounding = AlignmentRounding::sticky;
  EXPECT_EQ(unit.idle(bits, ValueSet::range(1, 10)), ValueSet::range(5, 10));
  next.alignment_rounding = AlignmentRounding::nearest_even;
  EXPECT_EQ(unit.idle(bits, ValueSet::range(1, 10)), ValueSet::range(6, 10));
  unit.values.adders[0].rounding = Rounding::toward_zero;
  EXPECT_EQ(unit.idle(bits, ValueSet::range(1, 10)), ValueSet());
  next.alignment_rounding = AlignmentRounding::floor;
  EXPECT_EQ(unit.idle(bits, ValueSet::range(1, 10)), ValueSet());
}

TEST(NextNode, LeavesTheSameOfSumsThatAreRoundedToOddOrTowardZero) {
  Small unit;
  unit.values.adders[1].alignment_fraction_bits = 4;
  const ParameterKey mode{block_rounding, 0};
  ValueSet both = ValueSet::single(static_cast<int>(Rounding::toward_zero));
  both.insert(static_cast<int>(Rounding::odd));
  unit.values.adders[0].output_fraction_bits = 5;
  EXPECT_EQ(unit.idle(mode, ValueSet::range(0, 5)), both);
  unit.values.adders[0].output_fraction_bits = 4;
  EXPECT_LT(unit.idle(mode, ValueSet::range(0, 5)).size(), 2);
}

TEST(NextNode, IsSaidNothingOfWhereResultsMayBeTooLarge) {
  ParameterValues values = exact_values(Rounding::toward_zero);
  values.adders[0].minimum_alignment_exponent = 0;
  values.adders[0].alignment_fraction_bits = 10;  // none is subnormal
  values.adders[1].alignment_fraction_bits = 4;
  const ParameterKey bits{output_fraction_bits, 0};
  EXPECT_TRUE(idle_of(kWide, values, bits, ValueSet::range(1, 10)).empty());
}

/// 2^-9 is less than 2^(-4-4), and so is every subnormal number.
TEST(NextNode, TakesResultsThatAClampLeavesNothingOfForZeros) {
  ParameterValues values = exact_values(Rounding::nearest_even);
  Adder& next = values.adders[1];
  next.minimum_alignment_exponent = -4;
  next.alignment_fraction_bits = 4;
  const auto is_idle = [&] {
    return idle_of(kWide, values, {output_subnormals}, ValueSet::range(0, 1)).size() == 2;
  };
  // The root's results are multiples of 2^-8.
  EXPECT_TRUE(is_idle());
  next.alignment_rounding = AlignmentRounding::floor;
  EXPECT_FALSE(is_idle());
  next.alignment_rounding = AlignmentRounding::truncate;
  values.conventions.zero_sign.all_zero = ZeroSign::follow;
  EXPECT_TRUE(is_idle()) << "what is flushed is +0, and what is not cancels";
  values.conventions.zero_sign.flushed = ZeroSign::follow;
  EXPECT_FALSE(is_idle());
  const DotInput subnormal{{0x8400, 0, 0x8000}, {0x3800, 0, 0}, 0x8000};  // -2^-15, and -0
  ParameterValues flushed = values;
  flushed.conventions.output_subnormals = Subnormals::flushed;
  EXPECT_NE(result(kWide, values, subnormal), result(kWide, flushed, subnormal));
}

/// 2^-16 is subnormal, and a zero of one fraction bit: beside another 2^-16 it decides what E is, unless a
/// clamp does.
TEST(NextNode, TellsSubnormalResultsFromZerosWhereTheyDecideE) {
  ParameterValues values = exact_values(Rounding::toward_zero);
  Adder& next = values.adders[1];
  next.alignment_fraction_bits = 1;
  next.product = ProductKind::exact_normalised;
  const auto with = [&](int bits) {
    ParameterValues its = values;
    its.adders[0].output_fraction_bits = bits;
    return result(kSubnormal, its, {{0x01, 0x01, 0}, {0x10, 0x10, 0}, 0});
  };
  const auto is_idle = [&] {
    return idle_of(kSubnormal, values, {output_fraction_bits, 0}, ValueSet::range(1, 10)).contains(1);
  };
  next.minimum_alignment_exponent = -20;
  EXPECT_NE(with(1), with(10));
  EXPECT_FALSE(is_idle());
  next.minimum_alignment_exponent = -14;
  EXPECT_EQ(with(1), with(10));
  EXPECT_TRUE(is_idle());
}

/// 2^-23 is far below what a clamp of -16 leaves, but as a subnormal number it raises E to -14: nothing is
/// left of 2^-17 beside it.
TEST(NextNode, IsNotSaidToLoseSubnormalResultsThatRaiseE) {
  ParameterValues values = exact_values(Rounding::toward_zero);
  const ParameterKey clamp{minimum_alignment_exponent, 0};
  const int none = ClampDomain::index(std::nullopt), below = ClampDomain::index(-20);
  values.adders[0].alignment_fraction_bits = 2;
  values.adders[1].alignment_fraction_bits = 1;
  values.adders[1].minimum_alignment_exponent = -16;
  const auto with = [&](int value) {
    ParameterValues its = values;
    set_value(its, clamp, value);
    return result(kWide, its, {{0x0c00, 0, 0x1400}, {0x1000, 0, 0x2000}, 0});  // 2^(-12-11), 2^(-10-7)
  };
  const auto is_idle = [&] {
    ValueSet both = ValueSet::single(none);
    both.insert(below);
    return idle_of(kWide, values, clamp, both).size() == 2;
  };
  EXPECT_NE(with(none), with(below));
  EXPECT_FALSE(is_idle());
}

}  // namespace
}  // namespace mmaprint::next_node_test
