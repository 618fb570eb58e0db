// Numbers, trees, grids and tables as people see them.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/json_text.h"
#include "device/catalogue.h"
#include "model/structure_text.h"
#include "report/bit_grid.h"
#include "report/datapath_drawing.h"
#include "report/model_text.h"
#include "report/observation_rows.h"
#include "report/standing.h"
#include "report/table.h"
#include "report/tree_drawing.h"

namespace mmaprint::drawing_test {
namespace {

std::string fp16(Pattern pattern) { return number_text(binary(Format::fp16, pattern)); }
std::string fp32(Pattern pattern) { return number_text(binary(Format::fp32, pattern)); }

TEST(Number, ReadsAsPowersOfTwo) {
  EXPECT_EQ(fp16(0x3c00), "1");
  EXPECT_EQ(fp16(0x0001), "2^-24");
  EXPECT_EQ(fp16(0xc500), "-5");
  EXPECT_EQ(fp16(0x3c01), "1 + 2^-10");
  EXPECT_EQ(fp16(0x3bff), "1 - 2^-11");
  EXPECT_EQ(fp16(0xbbff), "-(1 - 2^-11)");
  EXPECT_EQ(fp16(0x0000), "0");
  EXPECT_EQ(fp16(0x8000), "-0");
  EXPECT_EQ(fp16(0x7c00), "inf");
  EXPECT_EQ(fp16(0xfc00), "-inf");
  EXPECT_EQ(fp16(0xfe00), "nan");
  EXPECT_EQ(fp32(0x00000001), "2^-149");
}

TEST(Number, IsCutNeverRoundedWhereItIsLong) { EXPECT_EQ(fp32(0x3fcaaaab), "1.58333…·2^0"); }

TEST(Product, IsExactAndKnowsSpecials) {
  const auto of = [](Pattern a, Pattern b) {
    return number_text(product(binary(Format::fp16, a), binary(Format::fp16, b)));
  };
  EXPECT_EQ(of(0x3e00, 0xbe00), "-9·2^-2");
  EXPECT_EQ(of(0x0001, 0x0001), "2^-48");
  EXPECT_EQ(of(0x0000, 0x7c00), "nan");
  EXPECT_EQ(of(0xfc00, 0x3c00), "-inf");
  EXPECT_EQ(of(0x8000, 0x3c00), "-0");
}

TEST(Indices, AreJoinedToRuns) {
  EXPECT_EQ(indices_text({0, 1, 2, 3}), "0..3");
  EXPECT_EQ(indices_text({0, 2, 4, 6}), "0,2,4,6");
  EXPECT_EQ(indices_text({0, 4, 8, 12, 16, 20}), "0,4..20");
  EXPECT_EQ(indices_text({7}), "7");
  EXPECT_EQ(indices_text({0, 1, 4, 5}), "0,1,4,5");
  EXPECT_EQ(blocks_text({{0, 1, 2}, {3, 4, 5}}), "0..2 | 3..5");
}

TEST(Tree, IsDrawnWithEachAdderAtTheFootOfItsOperands) {
  EXPECT_EQ(tree_drawing(tree_of({{{0, 1, 2, 3}, {4, 5, 6, 7}}, CEnters::first})),
            "  c     ─┐\n"
            "  p0..3 ─⊕─┐\n"
            "  p4..7 ───⊕── d\n");
}

TEST(Tree, ShowsAnotherAdderWhereCEntersLast) {
  const std::string drawing = tree_drawing(tree_of({{{0, 1}}, CEnters::last}));
  EXPECT_NE(drawing.find("⊞── d"), std::string::npos) << drawing;
}

TEST(Tree, OfPairsHasItsLinesMeet) {
  EXPECT_EQ(tree_drawing(pairwise_tree(4)),
            "  p0,1 ─⊕─┐\n"
            "  p2,3 ─⊕─⊕─┐\n"
            "  c    ─────⊕── d\n");
}

TEST(Datapath, PutsBitsUnderEachOther) {
  const auto model = *catalogued_model("a100", "mma.m16n8k8.f32.f16.f16.f32");
  const std::string drawing = datapath_drawing(model, 0, Style());
  EXPECT_NE(drawing.find("  aligned       xx.xxxxxxxxxxxxxxxxxxxxxxxx┊"), std::string::npos) << drawing;
  EXPECT_NE(drawing.find("rounded toward zero to 23 fraction bits"), std::string::npos) << drawing;
}

TEST(Grid, AlignsDigitsByWeightAndCutsLongGaps) {
  const Signature formats{Format::fp16, Format::fp16, Format::fp32, Format::fp32};
  const DotInput input{{0x3c00, 0x0000}, {0x3c00, 0x3c00}, 0x30000000};  // 1 + 2^-31
  const auto rows = observation_rows(formats, input, {{"observed", 0x3f800000, Tone::plain}});
  ASSERT_EQ(rows.size(), 3U) << "the product that is zero is left out";
  const std::string grid = bit_grid(rows, Style());
  std::vector<std::string> lines;
  for (std::size_t at = 0; at < grid.size(); at = grid.find('\n', at) + 1)
    lines.push_back(grid.substr(at, grid.find('\n', at) - at));
  ASSERT_EQ(lines.size(), 4U) << grid;
  const auto column = [](const std::string& line) { return display_width(line.substr(0, line.rfind('1'))); };
  EXPECT_GT(column(lines[1]), column(lines[2])) << grid;
  EXPECT_LT(display_width(lines[1]), 80U) << grid;
}

TEST(Grid, MarksDigitsThatDiffer) {
  const Signature formats{Format::fp16, Format::fp16, Format::fp32, Format::fp32};
  const DotInput input{{0x3c00}, {0x3c00}, 0};
  const auto rows =
      observation_rows(formats, input, {{"x", 0x3f800000, Tone::plain}, {"y", 0x3f800001, Tone::plain}});
  EXPECT_EQ(rows.back().marked, std::vector<int>{-23});
  EXPECT_TRUE(rows[rows.size() - 2].marked.empty());
}

TEST(Values, AreJoinedToRunsWithNoneApart) {
  ValueSet f = ValueSet::range(24, 40);
  f.insert(AlignmentBitsDomain::index(std::nullopt));
  f.insert(3);
  EXPECT_EQ(values_text(Parameter::alignment_fraction_bits, f), "3, 24..40, none");
  ValueSet clamps = ValueSet::range(0, 3);
  EXPECT_EQ(values_text(Parameter::minimum_alignment_exponent, clamps), "none, -300..-298");
  EXPECT_EQ(values_text(Parameter::overflow, ValueSet::range(0, 1)), "infinity, saturate");
}

TEST(Table, AlignsColumnsByWhatIsSeen) {
  Table table("");
  table.add({{"é"}, {"7", Tone::plain, true}, {"x"}});
  table.add({{"abc"}, {"12", Tone::plain, true}, {"y"}});
  EXPECT_EQ(table.text(Style()), "é     7  x\nabc  12  y\n");
}

TEST(Table, WrapsItsLastColumn) {
  Table table("");
  table.add({{"name"}, {"one two three four five six seven eight nine ten"}});
  EXPECT_EQ(table.text(Style(), 40), "name  one two three four five six seven\n      eight nine ten\n");
}

TEST(Style, LeavesTextAloneUnlessAsked) {
  EXPECT_EQ(Style(false)(Tone::bad, "x"), "x");
  EXPECT_EQ(Style(true)(Tone::bad, "x"), "\x1b[1;31mx\x1b[0m");
}

TEST(Quantity, IsShortAndNeverTenPointZero) {
  EXPECT_EQ(quantity(999), "999");
  EXPECT_EQ(quantity(6144), "6,144");
  EXPECT_EQ(quantity(5.2e12), "5.2·10^12");
  EXPECT_EQ(quantity(9.97e12), "1.0·10^13");
  EXPECT_EQ(counted(1, "observation"), "1 observation");
}

TEST(JsonText, FillsLinesWithShortItems) {
  Json object = Json::object();
  for (int i = 0; i < 30; ++i) object["field " + std::to_string(i)] = i;
  const Json document{{"list", std::vector<std::vector<int>>(300, {1, 2})}, {"object", object}};
  const std::string text = json_text(document);
  EXPECT_EQ(Json::parse(text), document);
  EXPECT_LT(std::ranges::count(text, '\n'), 30);
  EXPECT_EQ(text.find(" \n"), std::string::npos);
}

TEST(JsonText, ReadsBackAndKeepsShortThingsOnALine) {
  Json document{{"short", {1, 2, 3}}, {"long", std::vector<int>(100, 7)}};
  const std::string text = json_text(document);
  EXPECT_EQ(Json::parse(text), document);
  EXPECT_NE(text.find("\"short\": [1,2,3]"), std::string::npos);
  EXPECT_NO_THROW((void)json_text(Json("\xff")));
}

}  // namespace
}  // namespace mmaprint::drawing_test
