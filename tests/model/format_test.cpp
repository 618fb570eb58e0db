// Formats against the oracle's rationals (every pattern up to 16 bits) and against published constants.
#include "model/format.h"

#include <gtest/gtest.h>

#include <cmath>

#include "model/value.h"
#include "oracle/oracle.h"
#include "support/describe.h"
#include "support/random.h"

namespace mmaprint::format_test {
namespace {

using test::count;
using test::Random;

mpq_class rational(const FormatInfo& f, const Value& value) {
  mpq_class result(mpz_class(static_cast<unsigned long>(value.significand)));
  const long exponent = value.exponent - f.fraction_bits;
  if (exponent >= 0)
    mpq_mul_2exp(result.get_mpq_t(), result.get_mpq_t(), static_cast<mp_bitcnt_t>(exponent));
  else
    mpq_div_2exp(result.get_mpq_t(), result.get_mpq_t(), static_cast<mp_bitcnt_t>(-exponent));
  return value.negative ? mpq_class(-result) : result;
}

void expect_same_number(Format format, Pattern pattern) {
  const FormatInfo& f = info(format);
  const Value value = decode(format, pattern);
  const oracle::Number expected = oracle::decode(format, pattern);
  const std::string which = std::string(f.name) + " " + test::hex(format, pattern);
  ASSERT_EQ(value.nan, expected.kind == oracle::Kind::nan) << which;
  ASSERT_EQ(value.infinite, expected.kind == oracle::Kind::infinite) << which;
  ASSERT_EQ(is_nan(format, pattern), value.nan) << which;
  ASSERT_EQ(is_infinite(format, pattern), value.infinite) << which;
  const Pattern read = pattern >> f.ignored_low_bits << f.ignored_low_bits;
  const Pattern sign = Pattern{1} << f.sign_bit();
  if (value.nan) {
    ASSERT_EQ(encode(format, value), canonical_nan(format)) << which;
    return;
  }
  ASSERT_EQ(value.negative, expected.negative) << which;
  if (!value.infinite) {
    ASSERT_EQ(rational(f, value), expected.value) << which;
    ASSERT_EQ(value.exponent, expected.exponent) << which;
    ASSERT_GE(value.exponent, f.emin()) << which;
    ASSERT_LT(value.significand, std::uint64_t{2} << f.fraction_bits) << which;
  }
  ASSERT_EQ(encode(format, value), f.has_sign ? read : read & ~sign) << which;
}

TEST(Decode, GivesTheRationalOfEveryPatternUpToSixteenBits) {
  for (const FormatInfo& f : all_formats()) {
    if (!f.is_floating() || f.container_bits > 16) continue;
    for (Pattern pattern = 0; pattern <= f.pattern_mask(); ++pattern)
      ASSERT_NO_FATAL_FAILURE(expect_same_number(f.id, pattern));
  }
}

TEST(Decode, GivesTheRationalOfWidePatternsOnRandomInputs) {
  Random random(test::starting_seed(31));
  for (const Format format : {Format::tf32, Format::fp32, Format::fp64}) {
    const FormatInfo& f = info(format);
    const int low = f.ignored_low_bits + f.fraction_bits;
    for (long i = 0; i < count(200'000); ++i) {
      Pattern pattern = random.bits() & f.pattern_mask();
      if (random.chance(1, 4)) pattern &= ~(((Pattern{1} << f.exponent_bits) - 1) << low);  // subnormals
      if (random.chance(1, 4)) pattern |= ((Pattern{1} << f.exponent_bits) - 1) << low;     // specials
      if (random.chance(1, 4)) pattern = pattern >> low << low;
      ASSERT_NO_FATAL_FAILURE(expect_same_number(format, pattern));
    }
  }
}

TEST(Decode, GivesTheValueThatTheProcessorReads) {
  Random random(test::starting_seed(32));
  for (long i = 0; i < count(100'000); ++i) {
    const auto bits = static_cast<std::uint32_t>(random.bits());
    const auto expected = std::bit_cast<float>(bits);
    const Value value = decode(Format::fp32, bits);
    ASSERT_EQ(value.nan, std::isnan(expected));
    if (value.nan || value.infinite) continue;
    const double magnitude = std::ldexp(static_cast<double>(value.significand), value.exponent - 23);
    ASSERT_EQ(value.negative ? -magnitude : magnitude, static_cast<double>(expected))
        << test::hex(Format::fp32, bits);
  }
}

TEST(Decode, GivesIntegersWithTheirMagnitudeAsSignificand) {
  const auto number = [](Format format, Pattern pattern) {
    const Value v = decode(format, pattern);
    EXPECT_FALSE(v.nan || v.infinite);
    EXPECT_EQ(v.exponent, info(format).fraction_bits);
    EXPECT_EQ(encode(format, v), pattern);
    const auto magnitude = static_cast<std::int64_t>(v.significand);
    return v.negative ? -magnitude : magnitude;
  };
  for (Pattern p = 0; p < 256; ++p) {
    EXPECT_EQ(number(Format::int8, p), static_cast<std::int8_t>(p));
    EXPECT_EQ(number(Format::uint8, p), static_cast<std::int64_t>(p));
  }
  for (Pattern p = 0; p < 65536; ++p) {
    ASSERT_EQ(number(Format::int16, p), static_cast<std::int16_t>(p));
    ASSERT_EQ(number(Format::uint16, p), static_cast<std::int64_t>(p));
  }
  for (Pattern p = 0; p < 16; ++p) {
    EXPECT_EQ(number(Format::int4, p), p < 8 ? static_cast<int>(p) : static_cast<int>(p) - 16);
    EXPECT_EQ(number(Format::uint4, p), static_cast<std::int64_t>(p));
  }
  for (Pattern p = 0; p < 2; ++p) EXPECT_EQ(number(Format::b1, p), static_cast<std::int64_t>(p));
  for (const Pattern p : {0x80000000U, 0xffffffffU, 0x7fffffffU, 0U, 1U, 0x80000001U})
    EXPECT_EQ(number(Format::int32, p), static_cast<std::int32_t>(p));
}

TEST(Decode, GivesScalesAsPowersOfTwoWithoutSignOrZero) {
  for (Pattern p = 0; p < 255; ++p) {
    const Value v = decode(Format::ue8m0, p);
    EXPECT_EQ(v, (Value{false, false, false, static_cast<int>(p) - 127, 1}));
    EXPECT_EQ(encode(Format::ue8m0, v), p);
    EXPECT_EQ(classify(Format::ue8m0, p), ValueClass::normal);
  }
  EXPECT_TRUE(decode(Format::ue8m0, 255).nan);
  EXPECT_EQ(classify(Format::ue8m0, 255), ValueClass::nan);
}

TEST(Classification, OfFloatingFormatsIsThatOfTheirNumbers) {
  for (const FormatInfo& f : all_formats()) {
    if (!f.is_floating() || f.container_bits > 16) continue;
    for (Pattern p = 0; p <= f.pattern_mask(); ++p) {
      const oracle::Number x = oracle::decode(f.id, p);
      const std::string which = std::string(f.name) + " " + test::hex(f.id, p);
      ValueClass expected = ValueClass::normal;
      mpq_class least(1);
      if (f.emin() >= 0)
        mpq_mul_2exp(least.get_mpq_t(), least.get_mpq_t(), static_cast<mp_bitcnt_t>(f.emin()));
      else
        mpq_div_2exp(least.get_mpq_t(), least.get_mpq_t(), static_cast<mp_bitcnt_t>(-f.emin()));
      if (x.kind == oracle::Kind::nan)
        expected = ValueClass::nan;
      else if (x.kind == oracle::Kind::infinite)
        expected = ValueClass::infinite;
      else if (x.value == 0)
        expected = ValueClass::zero;
      else if (abs(x.value) < least)
        expected = ValueClass::subnormal;
      ASSERT_EQ(classify(f.id, p), expected) << which;
      ASSERT_EQ(is_zero(f.id, p), expected == ValueClass::zero) << which;
      ASSERT_EQ(is_negative(f, p), expected != ValueClass::nan && x.negative) << which;
    }
  }
}

TEST(Classification, OfIntegersHasOneZero) {
  for (const FormatInfo& f : all_formats()) {
    if (!f.is_integer()) continue;
    EXPECT_TRUE(is_zero(f.id, 0)) << f.name;
    EXPECT_FALSE(is_zero(f.id, Pattern{1} << (f.container_bits - 1))) << f.name;
    EXPECT_EQ(is_negative(f, f.pattern_mask()), f.has_sign) << f.name;
    EXPECT_EQ(set_digits(f.id, f.pattern_mask()), f.has_sign ? 1 : f.container_bits) << f.name;
    EXPECT_EQ(set_digits(f.id, Pattern{1} << (f.container_bits - 1)), 1) << f.name;
  }
}

TEST(Classification, OfAProductKnowsInfinitiesAndSingleBits) {
  constexpr Factors kHalf{Format::fp16, Format::fp16};
  EXPECT_TRUE(product_is_zero(kHalf, 0x8000, 0x3c00));
  EXPECT_TRUE(product_is_zero(kHalf, 0x7bff, 0x0000));
  EXPECT_FALSE(product_is_zero(kHalf, 0x0000, 0x7c00));
  EXPECT_FALSE(product_is_zero(kHalf, 0xfe00, 0x0000));
  EXPECT_FALSE(product_is_zero(kHalf, 0x0001, 0x0001));
  EXPECT_FALSE(product_is_zero({Format::int8, Format::int8}, 0x80, 0x01));
  EXPECT_FALSE(product_is_zero({Format::e4m3fnuz, Format::e4m3fnuz}, 0x80, 0x01)) << "a NaN";
  EXPECT_TRUE(product_is_zero({Format::b1, Format::b1}, 1, 0));
  EXPECT_FALSE(product_is_zero({Format::b1, Format::b1, ProductKind::exclusive_or}, 1, 0));
  EXPECT_TRUE(product_is_zero({Format::b1, Format::b1, ProductKind::exclusive_or}, 1, 1));
}

struct Constant {
  Format format;
  Pattern pattern;
  double value;
};

TEST(Decode, GivesPublishedLargestAndSmallestNumbers) {
  using enum Format;
  const Constant constants[] = {
      {fp16, 0x7bff, 65504},
      {fp16, 0x0001, 0x1p-24},
      {fp16, 0x0400, 0x1p-14},
      {bf16, 0x7f7f, 0x1.fep127},
      {bf16, 0x0001, 0x1p-133},
      {tf32, 0x7f7fe000, 0x1.ffcp127},
      {tf32, 0x3f800000, 1},
      {e4m3, 0x7e, 448},
      {e4m3, 0x01, 0x1p-9},
      {e5m2, 0x7b, 57344},
      {e5m2, 0x01, 0x1p-16},
      {e4m3fnuz, 0x7f, 240},
      {e4m3fnuz, 0x01, 0x1p-10},
      {e5m2fnuz, 0x7f, 57344},
      {e5m2fnuz, 0x01, 0x1p-17},
      {e3m2, 0x1f, 28},
      {e3m2, 0x01, 0.0625},
      {e2m3, 0x1f, 7.5},
      {e2m3, 0x01, 0.125},
      {e2m1, 0x7, 6},
      {e2m1, 0x1, 0.5},
      {ue4m3, 0x7e, 448},
      {fp32, 0x7f7fffff, 0x1.fffffep127},
      {fp32, 0x00000001, 0x1p-149},
      {fp64, 0x7fefffffffffffff, 0x1.fffffffffffffp1023},
      {fp64, 0x0000000000000001, 0x1p-1074},
  };
  for (const Constant& constant : constants) {
    const Value value = decode(constant.format, constant.pattern);
    const int fraction_bits = info(constant.format).fraction_bits;
    EXPECT_EQ(std::ldexp(static_cast<double>(value.significand), value.exponent - fraction_bits),
              constant.value)
        << name(constant.format) << " " << test::hex(constant.format, constant.pattern);
    EXPECT_EQ(oracle::pattern_of(constant.format, constant.value), constant.pattern) << name(constant.format);
  }
}

TEST(Tf32, IgnoresTheLowThirteenBits) {
  EXPECT_EQ(decode(Format::tf32, 0x3f801fff), decode(Format::tf32, 0x3f800000));
  EXPECT_TRUE(is_infinite(Format::tf32, 0x7f801fff));  // a NaN whose payload lies only there
  EXPECT_TRUE(is_nan(Format::tf32, 0x7f802000));
}

TEST(E4M3, HasOneNanOfEachSignAndNoInfinity) {
  EXPECT_TRUE(is_nan(Format::e4m3, 0x7f));
  EXPECT_TRUE(is_nan(Format::e4m3, 0xff));
  for (Pattern pattern = 0; pattern < 0x7f; ++pattern)
    EXPECT_FALSE(is_nan(Format::e4m3, pattern) || is_infinite(Format::e4m3, pattern));
}

TEST(FnuzFormats, HaveTheirNanAtNegativeZeroAndNothingElse) {
  for (const Format format : {Format::e4m3fnuz, Format::e5m2fnuz})
    for (Pattern pattern = 0; pattern < 256; ++pattern) {
      EXPECT_EQ(is_nan(format, pattern), pattern == 0x80);
      EXPECT_FALSE(is_infinite(format, pattern));
    }
}

TEST(FormatNames, AreReadBack) {
  for (const FormatInfo& f : all_formats()) EXPECT_EQ(format_named(f.name), f.id);
  EXPECT_FALSE(format_named("fp17").has_value());
  EXPECT_FALSE(format_named("").has_value());
}

TEST(CanonicalNan, IsANanOfItsFormat) {
  for (const FormatInfo& f : all_formats()) {
    if (!f.has_nan()) continue;
    EXPECT_TRUE(is_nan(f.id, canonical_nan(f.id))) << f.name;
    EXPECT_EQ(canonical_nan(f.id) & ~f.pattern_mask(), 0u) << f.name;
  }
}

}  // namespace
}  // namespace mmaprint::format_test
