// Values said to be idle are so where operands lie on the edges of what was counted: many that are each
// rounded up, products of two subnormal factors with scales, operands that are dropped.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "model/evaluator.h"
#include "model/hypotheses.h"
#include "model/pattern.h"
#include "model/plan.h"
#include "solver/idle_values.h"
#include "support/describe.h"
#include "support/random.h"
#include "support/with_value.h"

namespace mmaprint::idle_edges_test {
namespace {

using enum Format;
using enum Parameter;
using test::Random;
using test::with_value;

constexpr Signature kFp16{fp16, fp16, fp16, fp16};

/// Are both values of a parameter, its own and this one, said to be idle?
bool are_alike(const UnitModel& unit, const ParameterKey& key, int value) {
  Box box(values_of(unit));
  box[key].insert(value);
  return idle_values(Plan(unit.formats, unit.k, skeleton_of(unit)), box, key) == box[key];
}

/// One sum of c and K products whose results are flushed to +0, with partial sums normalised and rounded.
UnitModel flushed_sum(int k, int fraction_bits, AlignmentRounding rounding) {
  ChainParameters values;
  values.block = exact_adder(fp16, Rounding::down);
  values.block.alignment_fraction_bits = fraction_bits;
  values.block.alignment_rounding = rounding;
  values.block.normalisation = Normalisation::immediate;
  values.conventions.output_subnormals = Subnormals::flushed;
  values.conventions.zero_sign = {ZeroSign::positive, ZeroSign::positive, ZeroSign::positive,
                                  ZeroSign::positive};
  std::vector<int> all;
  for (int i = 0; i < k; ++i) all.push_back(i);
  return chain_model("flushed", k, kFp16, Chain{{all}, CEnters::first}, values, canonical_nan(fp16));
}

/// Of -2^-28 once and a bit more than that seven times: each is rounded to -2^-22, and every sum to a power
/// of two. Other products are zeros.
DotInput rounded_up_each(int k) {
  DotInput input{std::vector<Pattern>(static_cast<std::size_t>(k), 0),
                 std::vector<Pattern>(static_cast<std::size_t>(k), 0), 0};
  std::fill_n(input.a.begin(), 8, 0x8E00);
  std::fill_n(input.b.begin(), 8, 0x1200);
  input.a[0] = 0x8400;
  input.b[0] = 0x0400;
  return input;
}

/// With F of 0 every addition may double the sum: of many products no machine word holds it.
TEST(IdleEdges, AClampShowsWhereEachPartialSumIsRoundedUp) {
  const ParameterKey clamp{minimum_alignment_exponent, 0};
  const int value = ClampDomain::index(-22);
  for (const int k : {8, 31, 32, 61, 62, 63, 64, 65, 80, 128}) {
    const UnitModel unit = flushed_sum(k, 0, AlignmentRounding::floor);
    const DotInput input = rounded_up_each(k);
    ASSERT_NE(evaluate(unit, input), evaluate(with_value(unit, clamp, value), input)) << k;
    EXPECT_FALSE(are_alike(unit, clamp, value)) << k;
  }
}

/// c and so many products, of which addends and the sum lose by truncation alone. c has no exponent below
/// -14.
UnitModel cut_sum(int products, int fraction_bits, ZeroSign sign) {
  ChainParameters values;
  values.block = exact_adder(fp16, Rounding::toward_zero);
  values.block.alignment_fraction_bits = fraction_bits;
  values.conventions.zero_sign.rounded = sign;
  std::vector<int> all;
  for (int i = 0; i < products; ++i) all.push_back(i);
  return chain_model("cut", products, kFp16, Chain{{all}, CEnters::first}, values, canonical_nan(fp16));
}

/// On products whose exponents lie about the clamp, around FP16's last place.
TEST(IdleEdges, ClampsWhoseLossesAreCutOffByRoundingGiveTheSameResults) {
  Random random(test::starting_seed(61));
  int alike = 0, seen = 0;
  for (const int products : {1, 2, 3, 4, 8})
    for (const int fraction_bits : {4, 8, 10, 14})
      for (int exponent = -34; exponent <= -14; ++exponent) {
        const auto sign = random.pick({ZeroSign::positive, ZeroSign::follow});
        const UnitModel unit = cut_sum(products, fraction_bits, sign);
        const ParameterKey clamp{minimum_alignment_exponent, 0};
        const int value = ClampDomain::index(exponent);
        const bool is_said = are_alike(unit, clamp, value);
        alike += is_said ? 1 : 0;
        const Evaluator one(unit), other(with_value(unit, clamp, value));
        bool shows = false;
        for (long i = 0; i < test::count(1'000) && !(shows && !is_said); ++i) {
          DotInput input{{}, {}, 0};
          if (random.chance(1, 4)) input.c = random.chance(1, 2) ? 0x8001 : 0x0001;
          for (int k = 0; k < products; ++k) {
            const int e = exponent - random.between(0, 4);
            const int of_a = std::clamp(e / 2, -14, 0);
            const auto significand = [&] {
              return static_cast<std::uint64_t>(random.chance(1, 2) ? random.between(1000, 1023)
                                                                    : random.between(0, 1023));
            };
            input.a.push_back(floating_pattern(info(fp16), random.chance(1, 4), of_a, significand()));
            input.b.push_back(floating_pattern(info(fp16), false, e - of_a, significand()));
          }
          if (one(input) == other(input)) continue;
          shows = true;
          ASSERT_FALSE(is_said) << "clamp " << exponent << ' ' << test::describe(unit, input);
        }
        seen += shows ? 1 : 0;
      }
  EXPECT_GT(alike, 40);
  EXPECT_GT(seen, 40);
}

/// 31 * 2^-19 in an FP32 sum of FP8 products, beside a c that has bits and a rounding of its own, which the
/// sum has, too: a clamp at -14 makes 2^-14 of it, and without one it is flushed.
TEST(IdleEdges, AClampShowsWhereSumsAreRoundedAsCIs) {
  const Tree tree{
      {{{ProductLeaf{0}, ProductLeaf{1}, ProductLeaf{2}, ProductLeaf{3}, ProductLeaf{4}}, 0, fp32},
       {{CLeaf{}, NodeLeaf{0}}, 1, std::nullopt}}};
  ParameterValues values{{exact_adder(fp32, Rounding::toward_zero), exact_adder(fp16, Rounding::toward_zero)},
                         {}};
  Adder& root = values.adders[1];
  root.alignment_fraction_bits = 24;
  root.c_fraction_bits = 4;
  root.c_alignment_rounding = OwnAlignmentRounding::nearest_even;
  values.conventions.output_subnormals = Subnormals::flushed;
  values.conventions.zero_sign = {ZeroSign::positive, ZeroSign::positive, ZeroSign::positive,
                                  ZeroSign::positive};
  const UnitModel unit =
      unit_model("own", 5, {e5m2, e5m2, fp16, fp16}, {{}, tree}, values, canonical_nan(fp16));
  DotInput input{{}, {}, 0};
  for (int e = 15; e < 20; ++e) {
    input.a.push_back(floating_pattern(info(e5m2), false, -14, 0));
    input.b.push_back(floating_pattern(info(e5m2), false, 14 - e, 0));
  }
  const ParameterKey clamp{minimum_alignment_exponent, 1};
  const int value = ClampDomain::index(-14);
  ASSERT_NE(evaluate(unit, input), evaluate(with_value(unit, clamp, value), input));
  EXPECT_FALSE(are_alike(unit, clamp, value));
}

TEST(IdleEdges, ClampsOfManyOperandsThatAreRoundedUpGiveTheSameResults) {
  Random random(test::starting_seed(97'000));
  int alike = 0, different = 0;
  for (long i = 0; i < test::count(400); ++i) {
    const int k = random.between(3, 12), exponent = random.between(-27, -14);
    const UnitModel unit = flushed_sum(k, random.between(0, 3),
                                       random.pick({AlignmentRounding::floor, AlignmentRounding::nearest_even,
                                                    AlignmentRounding::sticky, AlignmentRounding::truncate}));
    const ParameterKey clamp{minimum_alignment_exponent, 0};
    const int value = ClampDomain::index(exponent);
    if (!are_alike(unit, clamp, value)) {
      ++different;
      continue;
    }
    ++alike;
    const Evaluator one(unit), other(with_value(unit, clamp, value));
    for (int j = 0; j < 60; ++j) {
      DotInput input{{}, {}, 0};
      const bool negative = random.chance(1, 2);
      for (int n = 0; n < k; ++n) {
        const int of_a = (exponent - random.between(1, 3)) / 2, of_b = exponent - 1 - of_a;
        input.a.push_back(floating_pattern(info(fp16), negative, std::max(of_a, -14), random.bits()));
        input.b.push_back(floating_pattern(info(fp16), false, std::max(of_b, -14), random.bits()));
      }
      ASSERT_EQ(one(input), other(input)) << test::describe(unit) << test::describe(unit, input);
    }
  }
  EXPECT_GT(alike, 0);
  EXPECT_GT(different, 0);
}

/// Flushed with its sign or to +0, a factor makes a zero of one sign or the other.
TEST(IdleEdges, WaysToFlushAreAlikeOnlyWhereNoSumOfZerosHasTheirSign) {
  const auto unit_of = [](CEnters c, ZeroSign all_zero) {
    ChainParameters values;
    values.block = exact_adder(fp16, Rounding::nearest_even);
    values.conventions.input_subnormals = values.conventions.c_subnormals = Subnormals::flushed;
    values.conventions.zero_sign.all_zero = all_zero;
    return chain_model("zeros", 4, kFp16, Chain{{{0, 1}, {2, 3}}, c}, values, canonical_nan(fp16));
  };
  const int positive = static_cast<int>(Subnormals::flushed_positive);
  for (const Parameter of : {input_subnormals, c_subnormals})
    for (const CEnters c : {CEnters::first, CEnters::last}) {
      EXPECT_TRUE(are_alike(unit_of(c, ZeroSign::positive), {of}, positive));
      EXPECT_FALSE(are_alike(unit_of(c, ZeroSign::follow), {of}, positive));
      EXPECT_FALSE(are_alike(unit_of(c, ZeroSign::positive), {of}, static_cast<int>(Subnormals::kept)));
    }
  // Beside a +0 that the sum starts from no sum of zeros is -0, but c is another operand.
  UnitModel from_zero = unit_of(CEnters::last, ZeroSign::follow);
  from_zero.tree.nodes[0].operands.insert(from_zero.tree.nodes[0].operands.begin(), ZeroLeaf{});
  EXPECT_FALSE(are_alike(from_zero, {c_subnormals}, positive));
}

/// Where a clamp raises E, c is alone, as products are no smaller than 2^-18; it is normal, and rounded down
/// to multiples of 2^-147 at the finest.
TEST(IdleEdges, ClampsCutOffWhatRoundingDownDoes) {
  const auto unit_of = [](AlignmentRounding alignment, Rounding rounding, Subnormals of_c) {
    ChainParameters values;
    values.block = exact_adder(fp32, rounding);
    values.block.alignment_fraction_bits = 25;
    values.block.alignment_rounding = alignment;
    values.block.output_fraction_bits = 21;
    values.conventions.c_subnormals = of_c;
    UnitModel unit = chain_model("cut", 2, {e4m3, e4m3, fp32, fp32}, Chain{{{0, 1}}, CEnters::last}, values,
                                 canonical_nan(fp32));
    unit.adders.assign(2, values.block);
    return unit;
  };
  const auto is_idle = [](const UnitModel& unit, int clamp) {
    return are_alike(unit, {minimum_alignment_exponent, 1}, ClampDomain::index(clamp));
  };
  for (const auto& [alignment, rounding] : {std::pair(AlignmentRounding::truncate, Rounding::toward_zero),
                                            std::pair(AlignmentRounding::floor, Rounding::down)}) {
    EXPECT_TRUE(is_idle(unit_of(alignment, rounding, Subnormals::flushed), -122));
    EXPECT_FALSE(is_idle(unit_of(alignment, rounding, Subnormals::flushed), -121));
    EXPECT_FALSE(is_idle(unit_of(alignment, rounding, Subnormals::kept), -121));
  }
  EXPECT_FALSE(is_idle(unit_of(AlignmentRounding::floor, Rounding::toward_zero, Subnormals::flushed), -122));
}

/// An FP16 c has the exponent -14 at least, or is a zero that has one by its rule; of two small products
/// there need be none.
TEST(IdleEdges, ClampsAreZerosExponentsWhereAnOperandHasNoLowerOne) {
  const auto join = [](std::optional<int> clamp, ZeroAddends zeros) {
    UnitModel unit{"join", 2, {e5m2, e5m2, fp16, fp16}, {}, {}, {}, canonical_nan(fp16), {}};
    unit.tree.nodes = {Node{{ProductLeaf{0}, ProductLeaf{1}}, 0, NodeResult::carried()},
                       Node{{NodeLeaf{0}, CLeaf{}}, 1}};
    unit.adders.assign(2, exact_adder(fp16, Rounding::nearest_even));
    unit.adders[1].alignment_fraction_bits = 12;
    unit.adders[1].alignment_rounding = AlignmentRounding::floor;
    unit.adders[1].minimum_alignment_exponent = clamp;
    unit.adders[1].zero_addends = zeros;
    return unit;
  };
  const ParameterKey clamp{minimum_alignment_exponent, 1}, zeros{zero_addends, 1};
  const auto at = [](int e) { return ZeroAddendsDomain::index(ZeroAddends::as_exponent(e)); };
  const UnitModel of_zeros = join(std::nullopt, ZeroAddends::as_exponent(-14));
  EXPECT_TRUE(are_alike(of_zeros, clamp, ClampDomain::index(-14)));
  EXPECT_FALSE(are_alike(of_zeros, clamp, ClampDomain::index(-13)));
  EXPECT_TRUE(are_alike(join(-14, {}), zeros, at(-14)));
  EXPECT_FALSE(are_alike(join(-14, {}), zeros, at(-13)));
  EXPECT_FALSE(are_alike(join(std::nullopt, {}), zeros, at(-14)));
}

/// Small sums are +0; but a c that is dropped below E is a zero that has its sign.
TEST(IdleEdges, ClampsShowInTheSignOfACThatIsDroppedBelowThem) {
  const auto join = [](std::optional<int> clamp, std::optional<int> dropped_below) {
    UnitModel unit{"join", 2, {e5m2, e5m2, fp32, fp16}, {}, {}, {}, canonical_nan(fp16), {}};
    unit.tree.nodes = {Node{{ProductLeaf{0}, ProductLeaf{1}}, 0, NodeResult::carried()},
                       Node{{NodeLeaf{0}, CLeaf{}}, 1}};
    unit.adders.assign(2, exact_adder(fp16, Rounding::toward_zero));
    unit.adders[1].alignment_fraction_bits = unit.adders[1].c_fraction_bits = 30;
    unit.adders[1].minimum_alignment_exponent = clamp;
    unit.adders[1].c_dropped_below = dropped_below;
    unit.conventions.zero_sign = {ZeroSign::follow, ZeroSign::positive, ZeroSign::positive,
                                  ZeroSign::positive};
    return unit;
  };
  const ParameterKey clamp{minimum_alignment_exponent, 1};
  EXPECT_TRUE(are_alike(join(std::nullopt, std::nullopt), clamp, ClampDomain::index(-40)));
  EXPECT_FALSE(are_alike(join(std::nullopt, 4), clamp, ClampDomain::index(-40)));
  DotInput in{{0x80, 0x80}, {0, 0}, 0xA0000000};  // products of -0, and -2^-63
  EXPECT_NE(evaluate(join(std::nullopt, 4), in), evaluate(join(-40, 4), in));
}

/// A product of two subnormal factors lies six places below its exponent, and with a scale at any exponent.
UnitModel scaled_product(std::optional<int> fraction_bits) {
  const Signature formats{.a = e4m3, .b = e4m3, .c = fp32, .d = fp32, .sa = Scales{ue8m0, 1}};
  ChainParameters values;
  values.block = exact_adder(fp32, Rounding::nearest_even);
  values.block.alignment_fraction_bits = fraction_bits;
  values.block.alignment_rounding = AlignmentRounding::sticky;
  return chain_model("scaled", 1, formats, Chain{{{0}}, CEnters::first}, values, canonical_nan(fp32));
}

TEST(IdleEdges, FractionBitsShowBesideAScaledProductOfSubnormalFactors) {
  const UnitModel unit = scaled_product(29);
  const ParameterKey bits{alignment_fraction_bits, 0};
  const int none = AlignmentBitsDomain::index(std::nullopt);
  const DotInput input{{0x01}, {0x01}, 0x28800001, {100}};
  ASSERT_NE(evaluate(unit, input), evaluate(with_value(unit, bits, none), input));
  EXPECT_FALSE(are_alike(unit, bits, none));
}

TEST(IdleEdges, FractionBitsOfScaledProductsGiveTheSameResultsBesideAnyC) {
  Random random(test::starting_seed(98'000));
  const ParameterKey bits{alignment_fraction_bits, 0};
  const int none = AlignmentBitsDomain::index(std::nullopt);
  int alike = 0;
  for (int f = 24; f <= 40; ++f) {
    const UnitModel unit = scaled_product(f);
    if (!are_alike(unit, bits, none)) continue;
    ++alike;
    const Evaluator one(unit), other(with_value(unit, bits, none));
    for (long i = 0; i < test::count(4000); ++i) {
      const int scale = random.between(70, 180);
      const auto factor = [&] {
        return static_cast<Pattern>(random.between(1, random.chance(1, 2) ? 8 : 126));
      };
      const int of_c = scale - 127 - 12 - random.between(-12, 30);
      const std::array<Pattern, 4> fractions{0, 1, ~Pattern{0}, random.bits()};
      const DotInput input{{factor()},
                           {factor()},
                           floating_pattern(info(fp32), random.chance(1, 2), std::max(of_c, -140),
                                            fractions[static_cast<std::size_t>(random.between(0, 3))]),
                           {static_cast<Pattern>(scale)}};
      ASSERT_EQ(one(input), other(input)) << test::describe(unit) << test::describe(unit, input);
    }
  }
  EXPECT_GT(alike, 0);
}

/// What is dropped counts as a zero of its sign, also where it was a small negative number.
TEST(IdleEdges, SignsOfZerosShowBesideOperandsThatAreDropped) {
  const Signature formats{fp16, fp16, std::nullopt, fp32};
  const Tree tree{{{{ProductLeaf{0}}, 0, fp16},
                   {{ProductLeaf{1}, ZeroLeaf{}}, 1, {}},
                   {{NodeLeaf{0}, NodeLeaf{1}}, 2, {}}}};
  ParameterValues values{
      {exact_adder(fp16, Rounding::nearest_even), exact_adder(fp32, Rounding::nearest_even),
       exact_adder(fp32, Rounding::nearest_even)},
      {}};
  values.adders[2].minimum_alignment_exponent = 0;
  values.adders[2].c_dropped_below = 0;
  const UnitModel unit = unit_model("dropped", 2, formats, {{}, tree}, values, canonical_nan(fp32));
  const ParameterKey sign{zero_rounded, 0};
  const DotInput input{{0x8001, 0x9400}, {0x0001, 0x3C00}, 0};
  const int positive = static_cast<int>(ZeroSign::positive);
  ASSERT_NE(evaluate(unit, input), evaluate(with_value(unit, sign, positive), input));
  EXPECT_FALSE(are_alike(unit, sign, positive));
}

/// A sum to which +0 belongs is +0 to nearest, and c that is flushed to +0 is no other zero.
TEST(IdleEdges, SignsOfZerosDoNotShowBesideCThatIsFlushedToPositiveZero) {
  const Signature formats{fp16, fp16, fp32, fp32};
  const Tree tree{{{{ProductLeaf{0}}, 0, fp16}, {{CLeaf{}, NodeLeaf{0}}, 1, {}}}};
  ParameterValues values{
      {exact_adder(fp16, Rounding::nearest_even), exact_adder(fp32, Rounding::nearest_even)}, {}};
  const ParameterKey sign{zero_rounded, 0};
  const int positive = static_cast<int>(ZeroSign::positive);
  for (const Subnormals treatment : {Subnormals::kept, Subnormals::flushed, Subnormals::flushed_positive})
    for (const Rounding rounding : {Rounding::nearest_even, Rounding::down}) {
      values.conventions.c_subnormals = treatment;
      values.adders[1].rounding = rounding;
      const UnitModel unit = unit_model("flushed", 1, formats, {{}, tree}, values, canonical_nan(fp32));
      const bool is_alike = treatment == Subnormals::flushed_positive && rounding != Rounding::down;
      EXPECT_EQ(are_alike(unit, sign, positive), is_alike);
      const DotInput beside_minus_zero{{0x8001}, {0x0001}, 0x80000000}, beside_zero{{0x8001}, {0x0001}, 0};
      const UnitModel other = with_value(unit, sign, positive);
      EXPECT_EQ(evaluate(unit, beside_minus_zero) == evaluate(other, beside_minus_zero) &&
                    evaluate(unit, beside_zero) == evaluate(other, beside_zero),
                is_alike);
    }
}

/// c and products in one node, none of whose zeros is negative.
UnitModel one_sum(int k, const Adder& adder, Overflow overflow = Overflow::infinity) {
  ChainParameters values;
  values.block = adder;
  values.conventions.overflow = overflow;
  values.conventions.zero_sign = {ZeroSign::positive, ZeroSign::positive, ZeroSign::positive,
                                  ZeroSign::positive};
  std::vector<int> all;
  for (int i = 0; i < k; ++i) all.push_back(i);
  return chain_model("sum", k, kFp16, Chain{{all}, CEnters::first}, values, canonical_nan(fp16));
}
/// Of about the same size, which may be the largest, and of one sign, mostly.
DotInput large_sum(Random& random, int k) {
  DotInput input{{}, {}, 0};
  const int spread = k == 1 ? 12 : 4;  // a single product may have just what c lacks to the next power of two
  const int exponent = random.chance(1, 2) ? random.between(12, 15) : random.between(-8, 15);
  const bool negative = random.chance(1, 2);
  const auto number = [&](int e) {
    const Pattern fraction = random.chance(1, 2) ? 0x3ff : random.bits();
    return floating_pattern(info(fp16), random.chance(1, 6) ? !negative : negative, std::clamp(e, -14, 15),
                            fraction);
  };
  for (int n = 0; n < k; ++n) {
    input.a.push_back(number(exponent - random.between(0, spread)));
    input.b.push_back(floating_pattern(info(fp16), false, random.between(0, 1), random.bits()));
  }
  input.c = number(exponent - random.between(-1, 4));
  return input;
}
/// Where values of a parameter are said to be alike, do they give the same results? How often are they?
int alike_on_large_sums(Random& random, const UnitModel& unit, const ParameterKey& key,
                        std::span<const int> values) {
  int alike = 0;
  for (const int value : values) {
    if (value == value_index(values_of(unit), key) || !are_alike(unit, key, value)) continue;
    ++alike;
    const Evaluator one(unit), other(with_value(unit, key, value));
    for (int j = 0; j < 100; ++j) {
      const DotInput input = large_sum(random, unit.k);
      const bool is_same = one(input) == other(input);
      EXPECT_TRUE(is_same) << test::describe(unit) << value << test::describe(unit, input);
      if (!is_same) return alike;
    }
  }
  return alike;
}

TEST(IdleEdges, RoundingsOfSumsThatWrapOrOverflowGiveTheSameResultsWhereNothingIsRounded) {
  Random random(test::starting_seed(99'000));
  int modes = 0, bits = 0;
  for (long i = 0; i < test::count(600); ++i) {
    Adder adder = exact_adder(fp16, random.pick({Rounding::nearest_even, Rounding::toward_zero}));
    adder.minimum_alignment_exponent = random.between(-4, 0);
    adder.alignment_fraction_bits = random.between(3, 9);
    if (random.chance(2, 3)) adder.extra_carry_bits = random.between(0, 3);
    adder.normalisation = random.pick({Normalisation::late, Normalisation::immediate});
    adder.output_fraction_bits = random.between(5, 10);
    const UnitModel unit =
        one_sum(random.between(1, 5), adder,
                random.pick({Overflow::infinity, Overflow::saturate, Overflow::by_direction}));
    modes += alike_on_large_sums(random, unit, {block_rounding, 0}, std::array{0, 1, 2, 3, 4, 5});
    bits += alike_on_large_sums(random, unit, {output_fraction_bits, 0}, std::array{5, 6, 7, 8, 9, 10});
  }
  EXPECT_GT(modes, 0);
  EXPECT_GT(bits, 0);
}

TEST(IdleEdges, SumsOfTwoAreTheSameWheneverTheyAreNormalisedWhereAllOfWhatGrowsIsKept) {
  Random random(test::starting_seed(99'500));
  int alike = 0;
  for (long i = 0; i < test::count(600); ++i) {
    Adder adder = exact_adder(fp16, random.pick({Rounding::up, Rounding::toward_zero, Rounding::down}));
    adder.product = ProductKind::exact_normalised;
    adder.alignment_fraction_bits = random.between(16, 34);
    adder.alignment_rounding = random.pick({AlignmentRounding::truncate, AlignmentRounding::floor,
                                            AlignmentRounding::nearest_even, AlignmentRounding::sticky});
    alike += alike_on_large_sums(random, one_sum(1, adder), {normalisation, 0}, std::array{0, 1});
  }
  EXPECT_GT(alike, 0);
}

/// c is all ones, and the product has what it lacks to the next power of two, and little more.
TEST(IdleEdges, SumsOfCAndAProductOfFewBitsAreTheSameWheneverTheyAreNormalisedWhereAllIsKept) {
  Random random(test::starting_seed(99'700));
  int alike = 0;
  for (int f = 8; f <= 18; ++f)
    for (const Rounding mode : {Rounding::up, Rounding::down, Rounding::odd}) {
      UnitModel unit = one_sum(1, exact_adder(fp16, mode));
      unit.formats.a = unit.formats.b = e2m1;
      unit.adders.front().product = ProductKind::exact_normalised;
      unit.adders.front().alignment_fraction_bits = f;
      const UnitModel other =
          with_value(unit, {normalisation, 0}, static_cast<int>(Normalisation::immediate));
      if (!are_alike(unit, {normalisation, 0}, static_cast<int>(Normalisation::immediate))) continue;
      ++alike;
      for (int i = 0; i < 2'000; ++i) {
        const Pattern sign = random.chance(1, 2) ? 0x8000 : 0;
        const DotInput input{{(sign >> 12) | (random.bits() & 7)},
                             {random.bits() & 7},
                             sign | (random.bits() % 31) << 10 | 0x3ff};
        ASSERT_EQ(evaluate(unit, input), evaluate(other, input))
            << test::describe(unit) << test::describe(unit, input);
      }
    }
  EXPECT_GT(alike, 0);
}

}  // namespace
}  // namespace mmaprint::idle_edges_test
