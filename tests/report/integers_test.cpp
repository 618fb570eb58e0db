// Reports of integer units: integers read as integers, single bits as 0 and 1.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <numeric>

#include "inference/document.h"
#include "report/check_text.h"
#include "report/devices.h"
#include "report/distinction.h"
#include "report/identification_text.h"
#include "report/model_text.h"
#include "report/observation_rows.h"
#include "report/validation_text.h"

namespace mmaprint::integers_test {
namespace {

Signature to_int32(Format a, Format b) { return {a, b, Format::int32, Format::int32}; }
const Signature kBytes = to_int32(Format::int8, Format::int8);

UnitModel unit(const Signature& formats, int k, Overflow overflow,
               ProductKind product = ProductKind::exact_unnormalised) {
  ChainParameters values;
  values.block.product = product;
  values.block.output_fraction_bits = info(formats.d).fraction_bits;
  values.conventions.overflow = overflow;
  std::vector<int> block(static_cast<std::size_t>(k));
  std::iota(block.begin(), block.end(), 0);
  return chain_model("integers", k, formats, {{block}, CEnters::first}, values, std::nullopt);
}

/// -2^31 and 1·-1.
const DotInput kBelow{{0x01, 0x00}, {0xff, 0x80}, 0x80000000};

TEST(Formats, AreShownWithTheirScales) {
  const Scales scales{Format::ue8m0, 32};
  EXPECT_EQ(formats_text({Format::e4m3, Format::e2m1, Format::fp32, Format::fp32, scales, std::nullopt}),
            "e4m3 (ue8m0 per 32)·e2m1 + fp32 → fp32");
}

TEST(Number, OfAnIntegerFormatIsDecimal) {
  const auto text = [](Format format, Pattern p) { return number_text(binary(format, p)); };
  EXPECT_EQ(text(Format::int32, 0x80000000), "-2147483648");
  EXPECT_EQ(text(Format::int32, 0x7fffffff), "2147483647");
  EXPECT_EQ(text(Format::int32, 0xffffffff), "-1");
  EXPECT_EQ(text(Format::int32, 0), "0");
  EXPECT_EQ(text(Format::int8, 0x80), "-128");
  EXPECT_EQ(text(Format::int8, 0xff), "-1");
  EXPECT_EQ(text(Format::uint8, 0xff), "255");
  EXPECT_EQ(text(Format::int4, 0x8), "-8");
  EXPECT_EQ(text(Format::uint4, 0x8), "8");
  EXPECT_EQ(text(Format::b1, 1), "1");
  EXPECT_EQ(text(Format::b1, 0), "0");
}

TEST(Number, OfAScaleIsAPowerOfTwo) {
  EXPECT_EQ(number_text(binary(Format::ue8m0, 0x7f)), "1");
  EXPECT_EQ(number_text(binary(Format::ue8m0, 0x00)), "2^-127");
  EXPECT_EQ(number_text(binary(Format::ue8m0, 0xff)), "nan");
}

TEST(Number, OfAFormatWhoseNegativeZeroIsNanIsClassifiedSo) {
  EXPECT_EQ(number_text(binary(Format::e4m3fnuz, 0x80)), "nan");
  EXPECT_EQ(number_text(binary(Format::e5m2fnuz, 0x80)), "nan");
  EXPECT_EQ(number_text(binary(Format::e4m3fnuz, 0x00)), "0");
}

TEST(Product, OfIntegersHasNoNegativeZero) {
  const auto text = [](Format f, Pattern a, Format g, Pattern b) {
    return number_text(product(binary(f, a), binary(g, b)));
  };
  EXPECT_EQ(text(Format::int8, 0x80, Format::int8, 0x80), "16384");
  EXPECT_EQ(text(Format::int8, 0x80, Format::uint8, 0xff), "-32640");
  EXPECT_EQ(text(Format::int8, 0x80, Format::int8, 0x00), "0");
  EXPECT_EQ(text(Format::int4, 0x8, Format::uint4, 0xf), "-120");
}

TEST(Grid, OfIntegersHasTheirDigits) {
  const auto rows = observation_rows(kBytes, kBelow, {{"observed", 0x80000000, Tone::plain}});
  ASSERT_EQ(rows.size(), 3U) << "0·-128 is zero";
  EXPECT_EQ(bit_grid(rows, Style()),
            "                                   2^↓31 ↓0\n"
            "  c         80000000  -2147483648  - 1\n"
            "  a0·b0     01·ff     -1           -     1\n"
            "  observed  80000000  -2147483648  - 10⋯00\n");
}

TEST(Grid, OfSingleBitsShowsWhatTheUnitMakesOfThem) {
  const auto formats = to_int32(Format::b1, Format::b1);
  const DotInput input{{1, 1, 0}, {1, 0, 0}, 5};
  const auto labels = [&](const ProductKinds& kinds) {
    std::string all;
    for (const GridRow& row : observation_rows(formats, input, {}, kinds))
      all += row.label + "=" + number_text(row.number) + " ";
    return all;
  };
  EXPECT_EQ(labels({ProductKind::exact_unnormalised}), "c=5 a0 and b0=1 ");
  EXPECT_EQ(labels({ProductKind::exclusive_or}), "c=5 a1 xor b1=1 ");
  EXPECT_EQ(labels({}), "c=5 a0 and b0=1 a1 xor b1=1 ") << "where nobody says, both";
}

TEST(DistinctionText, OfBytesThatWrapAndThatSaturateTellsTheProduct) {
  const UnitModel wraps = unit(kBytes, 2, Overflow::wrap);
  const UnitModel saturates = unit(kBytes, 2, Overflow::saturate);
  const Compared models{kBytes, product_kinds(wraps, saturates), "wraps", "saturates"};
  const auto found = smallest_difference(wraps, saturates, {});
  const std::string text = distinction_text(models, found, Style());
  EXPECT_NE(
      text.find("1 nonzero product (proved: fewer do not do), 3 set bits (proved: fewer do not do with"),
      std::string::npos)
      << text;
  EXPECT_NE(text.find("c          80000000  -2147483648"), std::string::npos) << text;
  EXPECT_NE(text.find("saturates  80000000  -2147483648"), std::string::npos) << text;
  EXPECT_EQ(text.find("fraction"), std::string::npos) << text;
  EXPECT_EQ(text.find("2^-"), std::string::npos) << "an integer as a fraction: " << text;
  const Json document = distinction_document(models, found);
  EXPECT_EQ(document.at("nonzero_products"), 1);
  EXPECT_EQ(document.at("significand_bits"), 3);
}

TEST(CheckText, OfIntegersHasThemInDecimal) {
  ObservationRecord record;
  record.file = "seen.jsonl";
  record.line = 3;
  record.formats = kBytes;
  record.input = kBelow;
  record.d = 0x7fffffff;
  const CheckResult result = check(unit(kBytes, 2, Overflow::saturate), {record}, {});
  EXPECT_EQ(result.verdict, CheckResult::Verdict::inconsistent);
  const std::string text = check_text(result, Style());
  EXPECT_NE(text.find("observed   7fffffff  2147483647 "), std::string::npos) << text;
  EXPECT_NE(text.find("predicted  80000000  -2147483648"), std::string::npos) << text;
  EXPECT_NE(text.find("01·ff     -1 "), std::string::npos) << text;
}

TEST(CheckText, ShowsOfIntegersThePlainestDisagreement) {
  std::vector<ObservationRecord> records(2);
  for (auto& record : records) {
    record.formats = kBytes;
    record.d = 7;
  }
  records[0].line = 1;
  records[0].input = {{0x80, 0}, {0x80, 0}, 0};  // a sign bit alone, and yet a product
  records[1].line = 2;
  records[1].input = {{0, 0}, {0, 0}, 1};
  const CheckResult result = check(unit(kBytes, 2, Overflow::wrap), records, {});
  ASSERT_EQ(result.refuting.size(), 1U);
  EXPECT_EQ(result.refuting.front().record.line, 2U);
}

TEST(IdentificationText, OfIntegersHasThemInDecimal) {
  const Search search(default_space("integers", 2, kBytes));
  Identification result;
  result.end = ending::NothingExplains{};
  result.observations = {{kBelow, 12}};
  result.conflict = {0};
  result.model = unit(kBytes, 2, Overflow::wrap);
  const std::string text = identification_text(search, result, "device", std::nullopt, Style());
  EXPECT_NE(text.find("observed  0000000c  12 "), std::string::npos) << text;
  EXPECT_NE(text.find("nearest   7fffffff  2147483647 "), std::string::npos) << text;
  EXPECT_NE(text.find("overflow"), std::string::npos) << text;
  EXPECT_EQ(text.find("alignment"), std::string::npos) << text;
}

TEST(ValidationText, OfIntegersHasThemInDecimal) {
  DeviceValidation v{"device", {"integers", 2, to_int32(Format::uint8, Format::int4)}, {}};
  v.result.verdict = AgreementVerdict::mismatch;
  v.result.vectors = v.result.mismatches = 1;
  v.result.examples.push_back({{{{0xff, 0}, {0x8, 0}, 0}, 0xfffff809}, 0xfffff808});
  const std::string text = validation_text({v}, Style());
  EXPECT_NE(text.find("a0·b0      ff·08     -2040"), std::string::npos) << text;
  EXPECT_NE(text.find("predicted  fffff808  -2040"), std::string::npos) << text;
}

TEST(ModelText, OfSingleBitsTellsTheirProduct) {
  const std::string text = model_text(
      unit(to_int32(Format::b1, Format::b1), 4, Overflow::wrap, ProductKind::exclusive_or), Style());
  EXPECT_NE(text.find("exclusive or of single bits"), std::string::npos) << text;
  EXPECT_NE(text.find("the low 32 bits"), std::string::npos) << text;
}

}  // namespace
}  // namespace mmaprint::integers_test
