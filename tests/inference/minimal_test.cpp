// The smallest difference of small units, against every smaller input.
#include "inference/minimal.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <map>

#include "device/catalogue.h"
#include "inference/input_size.h"
#include "model/evaluator.h"
#include "model/value.h"
#include "support/random.h"

namespace mmaprint::minimal_test {
namespace {

UnitModel unit(const Signature& formats, const std::vector<std::vector<int>>& blocks, Overflow overflow,
               ProductKind product = ProductKind::exact_unnormalised) {
  ChainParameters values;
  values.block.product = product;
  values.block.output_fraction_bits = info(formats.d).fraction_bits;
  values.conventions.overflow = overflow;
  int k = 0;
  for (const auto& block : blocks) k += static_cast<int>(block.size());
  UnitModel model = chain_model("integers", k, formats, {blocks, CEnters::first}, values, std::nullopt);
  validate(model);
  return model;
}

Signature to_int32(Format a, Format b) { return {a, b, Format::int32, Format::int32}; }

Different smallest(const UnitModel& left, const UnitModel& right) {
  const auto found = smallest_difference(left, right, {});
  EXPECT_TRUE(std::holds_alternative<Different>(found));
  return std::holds_alternative<Different>(found) ? std::get<Different>(found) : Different{};
}

std::int64_t number(Format format, Pattern p) {
  const int bits = info(format).container_bits;
  const auto x = static_cast<std::int64_t>(p);
  return info(format).has_sign && (p >> (bits - 1) & 1U) != 0 ? x - (std::int64_t{1} << bits) : x;
}
int bits_of(Format format, Pattern p) {
  return std::popcount(static_cast<std::uint64_t>(std::abs(number(format, p))));
}

struct Size {
  int products = 0, bits = 0;
  friend auto operator<=>(const Size&, const Size&) = default;
};

/// The size of the smallest difference among all factors and those c from which their sum can leave the
/// range.
Size by_trying_all(const UnitModel& left, const UnitModel& right) {
  const Format fa = left.formats.a, fb = left.formats.b, fc = left.formats.c.value();
  const bool exclusive = left.adders.front().product == ProductKind::exclusive_or ||
                         right.adders.front().product == ProductKind::exclusive_or;
  const bool conjunction = left.adders.front().product != ProductKind::exclusive_or ||
                           right.adders.front().product != ProductKind::exclusive_or;
  const Evaluator x(left);
  const Evaluator y(right);
  std::vector<Pattern> some_c;
  for (Pattern i = 0; i <= 300; ++i)
    for (const Pattern end : {Pattern{0}, Pattern{0x7fffffff}, Pattern{0x80000000}})
      for (const Pattern c : {end + i, end - i}) some_c.push_back(c & 0xffffffffU);
  std::ranges::sort(some_c, {}, [&](Pattern c) { return bits_of(fc, c); });
  Size best{left.k + 1, 0};
  const auto n = static_cast<std::size_t>(left.k);
  DotInput in{std::vector<Pattern>(n, 0), std::vector<Pattern>(n, 0), 0};
  const auto visit = [&](const auto& self, std::size_t k, Size size) -> void {
    if (size >= best) return;
    if (k < n) {
      for (in.a[k] = 0; in.a[k] <= info(fa).pattern_mask(); ++in.a[k])
        for (in.b[k] = 0; in.b[k] <= info(fb).pattern_mask(); ++in.b[k]) {
          const bool nonzero = (conjunction && number(fa, in.a[k]) * number(fb, in.b[k]) != 0) ||
                               (exclusive && in.a[k] != in.b[k]);
          self(self, k + 1,
               {size.products + (nonzero ? 1 : 0), size.bits + bits_of(fa, in.a[k]) + bits_of(fb, in.b[k])});
        }
      return;
    }
    for (const Pattern c : some_c) {
      const Size all{size.products, size.bits + bits_of(fc, c)};
      if (all >= best) return;
      in.c = c;
      if (x(in) != y(in)) best = all;
    }
  };
  visit(visit, 0, {});
  return best;
}

void expect_smallest(const UnitModel& left, const UnitModel& right) {
  const Different found = smallest(left, right);
  EXPECT_NE(found.left, found.right);
  EXPECT_EQ(evaluate(left, found.input), found.left);
  EXPECT_EQ(evaluate(right, found.input), found.right);
  EXPECT_TRUE(found.terms_minimal());
  EXPECT_TRUE(found.bits_minimal());
  const Size best = by_trying_all(left, right);
  EXPECT_EQ(found.nonzero_products, best.products);
  EXPECT_EQ(found.significand_bits, best.bits);
}

TEST(SmallestDifference, OfBytesThatWrapAndThatSaturateHasAProduct) {
  const auto formats = to_int32(Format::int8, Format::int8);
  const Different found = smallest(unit(formats, {{0, 1, 2, 3}}, Overflow::wrap),
                                   unit(formats, {{0, 1, 2, 3}}, Overflow::saturate));
  EXPECT_EQ(found.nonzero_products, 1) << "c alone is in range, whatever it is";
  EXPECT_EQ(found.significand_bits, 3) << "-2^31 and 1·-1";
  EXPECT_EQ(found.input.c, 0x80000000U);
  EXPECT_TRUE(found.terms_minimal());
  EXPECT_TRUE(found.bits_minimal());
}

TEST(SmallestDifference, OfNibblesIsThatOfAllInputs) {
  for (const Format a : {Format::int4, Format::uint4})
    for (const Format b : {Format::int4, Format::uint4}) {
      SCOPED_TRACE(std::string(name(a)) + " " + std::string(name(b)));
      const auto formats = to_int32(a, b);
      expect_smallest(unit(formats, {{0}}, Overflow::wrap), unit(formats, {{0}}, Overflow::saturate));
    }
}

TEST(SmallestDifference, OfWhereNibblesAreClippedIsThatOfAllInputs) {
  if (test::counts_are_reduced()) GTEST_SKIP() << test::kTakesMinutesThen;
  const auto formats = to_int32(Format::int4, Format::int4);
  expect_smallest(unit(formats, {{0, 1}}, Overflow::saturate), unit(formats, {{0}, {1}}, Overflow::saturate));
}

TEST(SmallestDifference, OfSingleBitsCountsWhatTheirUnitsMakeOfThem) {
  const auto formats = to_int32(Format::b1, Format::b1);
  const auto exclusive = ProductKind::exclusive_or;
  expect_smallest(unit(formats, {{0, 1}}, Overflow::wrap),
                  unit(formats, {{0, 1}}, Overflow::wrap, exclusive));
  expect_smallest(unit(formats, {{0, 1}}, Overflow::wrap, exclusive),
                  unit(formats, {{0, 1}}, Overflow::saturate, exclusive));
}

/// Products of E2M1 alone, three of them: every input can be tried.
UnitModel of_three(test::Random& random) {
  const Signature formats{Format::e2m1, Format::e2m1, std::nullopt, Format::fp16};
  const auto blocks = random.pick({std::vector<std::vector<int>>{{0, 1, 2}}, {{0, 1}, {2}}, {{0}, {1}, {2}}});
  ChainParameters values;
  values.block.alignment_fraction_bits = random.between(1, 5);
  values.block.output_fraction_bits = random.between(2, 10);
  values.block.rounding = random.pick({Rounding::toward_zero, Rounding::nearest_even, Rounding::up});
  if (random.chance(1, 3)) values.block.extra_carry_bits = random.between(1, 2);
  if (random.chance(1, 3)) values.block.minimum_alignment_exponent = random.between(-4, 0);
  if (random.chance(1, 2))
    values.conventions.zero_sign = {ZeroSign::positive, ZeroSign::positive, ZeroSign::positive,
                                    ZeroSign::positive};
  UnitModel model = chain_model("three", 3, formats, {blocks, std::nullopt}, values, 0x7e00);
  validate(model);
  return model;
}

/// The fewest products of an input on which the units differ; nullopt if there is none.
std::optional<int> fewest_products_by_trying_all(const UnitModel& left, const UnitModel& right) {
  const Evaluator x(left), y(right);
  std::optional<int> fewest;
  DotInput in{{0, 0, 0}, {0, 0, 0}, 0};
  // A product of two numbers, as pairs of them are very many: of each value one, and zeros of both signs.
  std::map<double, std::pair<Pattern, Pattern>> factors;
  for (Pattern a = 0; a < 16; ++a)
    for (Pattern b = 0; b < 8; ++b) {
      const auto value = [](Pattern p) {
        const Value v = decode(Format::e2m1, p);
        return std::ldexp(static_cast<double>(v.significand), v.exponent - 1) * (v.negative ? -1 : 1);
      };
      // Factors of another exponent are aligned otherwise: the key is of both exponents, too.
      factors.try_emplace(value(a) * value(b) + 1000.0 * decode(Format::e2m1, a).exponent +
                              100'000.0 * decode(Format::e2m1, b).exponent + (a == 8 ? 0.25 : 0),
                          a, b);
    }
  for (const auto& [k0, p0] : factors)
    for (const auto& [k1, p1] : factors)
      for (const auto& [k2, p2] : factors) {
        in = {{p0.first, p1.first, p2.first}, {p0.second, p1.second, p2.second}, 0};
        const int n = nonzero_products(left.formats, product_kinds(left), in);
        if ((!fewest || n < *fewest) && x(in) != y(in)) fewest = n;
      }
  return fewest;
}

TEST(SmallestDifference, OfUnitsOfThreeProductsHasAsFewAsThatOfAllInputs) {
  test::Random random(test::starting_seed(41));
  std::array<int, 4> seen{};
  for (long n = 0; n < test::count(12); ++n) {
    const UnitModel left = of_three(random), right = of_three(random);
    const auto fewest = fewest_products_by_trying_all(left, right);
    const auto found = smallest_difference(left, right, {});
    ASSERT_EQ(std::holds_alternative<Different>(found), fewest.has_value()) << n;
    if (!fewest) continue;
    const auto& different = std::get<Different>(found);
    EXPECT_EQ(different.products_at_least, *fewest) << n;
    EXPECT_EQ(different.nonzero_products, *fewest) << n;
    EXPECT_TRUE(different.terms_minimal()) << n;
    ++seen[static_cast<std::size_t>(*fewest)];
  }
  const int least = test::counts_are_reduced() ? 0 : 1;
  EXPECT_GT(std::ranges::count_if(seen, [](int times) { return times > 0; }), least);
}

TEST(SmallestDifference, SaysHowFarTheProofWent) {
  const auto formats = to_int32(Format::int8, Format::int8);
  const UnitModel wraps = unit(formats, {{0, 1, 2, 3}}, Overflow::wrap);
  const UnitModel saturates = unit(formats, {{0, 1, 2, 3}}, Overflow::saturate);
  MinimalOptions none;
  none.steps_for_products = none.steps_for_bits = 0;
  const auto found = smallest_difference(wraps, saturates, none);
  ASSERT_TRUE(std::holds_alternative<Different>(found));
  const auto& different = std::get<Different>(found);
  EXPECT_NE(different.left, different.right);
  EXPECT_EQ(different.products_at_least, 0);
  EXPECT_EQ(different.bits_at_least, 0);
  EXPECT_FALSE(different.terms_minimal());
  EXPECT_FALSE(different.bits_minimal());
}

/// As identifications end: by plain forms, and by what is known of two operands' sums, before a formula is
/// asked.
TEST(SmallestDifference, IsNoneWhereModelsAreKnownToComputeAlike) {
  constexpr Signature kHalf{Format::fp16, Format::fp16, Format::fp16, Format::fp16};
  ChainParameters exact;
  exact.block = exact_adder(Format::fp16, Rounding::nearest_even);
  exact.final_rounding = Rounding::nearest_even;
  exact.conventions.input_subnormals = exact.conventions.output_subnormals = Subnormals::flushed;
  ChainParameters aligned = exact;
  aligned.block.product = ProductKind::exact_normalised;
  aligned.block.alignment_fraction_bits = 32;
  aligned.block.alignment_rounding = AlignmentRounding::sticky;
  aligned.block.minimum_alignment_exponent = -12;
  const auto fma = [&](const ChainParameters& values) {
    return chain_model("fma", 1, kHalf, Chain{{{0}}, CEnters::first}, values, canonical_nan(kHalf.d));
  };
  EXPECT_TRUE(std::holds_alternative<SameEverywhere>(smallest_difference(fma(exact), fma(aligned), {})));
  aligned.block.alignment_fraction_bits = 20;
  const auto found = smallest_difference(fma(exact), fma(aligned), {});
  ASSERT_TRUE(std::holds_alternative<Different>(found));
  EXPECT_EQ(std::get<Different>(found).nonzero_products, 1);
}

TEST(SmallestDifference, OfCarryBitsTakesFewDigits) {
  const auto model = [](std::string_view name) {
    return catalogued_model(name, "mma.m8n8k4.f32.f16.f16.f32").value();
  };
  const Different found = smallest(model("v100"), model("v100-27bit"));
  EXPECT_TRUE(found.terms_minimal());
  EXPECT_EQ(found.nonzero_products, 4) << "three products and c stay below 2^4";
  EXPECT_LE(found.significand_bits, 32) << "of 103";
}

}  // namespace
}  // namespace mmaprint::minimal_test
