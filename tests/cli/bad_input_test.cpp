// Whatever is wrong with the input: exit 2, one line on standard error that says what, nothing on standard
// output.
#include <gtest/gtest.h>

#include "program.h"

namespace mmaprint::test::bad_input_test {
namespace {

void expect_refused(const Finished& run, const std::string& part, int exit = 2) {
  EXPECT_EQ(run.exit, exit) << run.err;
  EXPECT_EQ(lines(run.err).size(), 1U) << run.err;
  EXPECT_TRUE(run.err.ends_with('\n'));
  EXPECT_EQ(run.err.find("mmaprint: "), 0U) << run.err;
  EXPECT_NE(run.err.find(part), std::string::npos) << run.err;
  EXPECT_EQ(run.out, "");
}

struct UsageCase {
  std::vector<std::string> arguments;
  std::string part;  ///< of the message
  int exit = 2;
};

std::ostream& operator<<(std::ostream& out, const UsageCase& c) {
  for (const std::string& argument : c.arguments) out << argument << ' ';
  return out;
}

class Usage : public testing::TestWithParam<UsageCase> {};

TEST_P(Usage, IsAnsweredInOneLine) {
  expect_refused(mmaprint(GetParam().arguments), GetParam().part, GetParam().exit);
}

INSTANTIATE_TEST_SUITE_P(
    All, Usage,
    testing::Values(
        UsageCase{{}, "expected a command"}, UsageCase{{"frobnicate"}, "\"frobnicate\""},
        UsageCase{{"probe", "sim:a100", "--instruction", "x"}, "not in this version"},
        UsageCase{{"validate"}, "MODEL"}, UsageCase{{"report", "x", "-o", "y"}, "not in this version"},
        UsageCase{{"show"}, "MODEL"}, UsageCase{{"devices", "a", "b"}, "b"},
        UsageCase{{"--seed", "-1", "devices"}, "--seed"}, UsageCase{{"devices", "--seed", "1x"}, "--seed"},
        UsageCase{{"devices", "--threads", "0"}, "--threads"},
        UsageCase{{"devices", "--time-limit", "nan"}, "--time-limit"},
        UsageCase{{"devices", "--color", "blue"}, "auto, always, never"},
        UsageCase{{"devices", "--solver", "x"}, "--solver"},
        UsageCase{{"identify", "sim:a100"}, "--instruction NAME or --all"},
        UsageCase{{"identify", "sim:a100", "--all", "--formats", "fp16,fp16"}, "formats: expected four"},
        UsageCase{{"identify", "sim:a100", "--instruction", "mma.m16n8k8.f32.f16.f16.f23"}, kDot8},
        UsageCase{{"identify", "sim:a101", "--all"}, "a100"},
        UsageCase{{"identify", "a100", "--all"}, "sim:NAME"},
        UsageCase{{"identify", "cuda:7", "--all"}, "cuda", 4},
        UsageCase{{"devices", "exec:/nonexistent/x"}, "x", 4}, UsageCase{{"devices", "exec:'"}, "closing"},
        UsageCase{{"show", "sim:a100"}, "#INSTRUCTION"}, UsageCase{{"show", "sim:a100#x"}, kDot8},
        UsageCase{{"show", "/nonexistent"}, "/nonexistent"},
        UsageCase{{"check", kA100, "/nonexistent"}, "/nonexistent"}, UsageCase{{"check", kA100, "/"}, "/"},
        UsageCase{{"verify", "/nonexistent"}, "/nonexistent"},
        UsageCase{{"identify", "replay:/nonexistent", "--all"}, "/nonexistent"},
        UsageCase{{"identify", "replay:/dev/null", "--all"}, "replay:/dev/null: expected observations"},
        UsageCase{{"distinguish", kA100, std::string("sim:a100#") + kDot4}, "K"},
        UsageCase{
            {"distinguish", "sim:v100#mma.m8n8k4.f32.f16.f16.f16", "sim:v100#mma.m8n8k4.f32.f16.f16.f32"},
            "formats"},
        UsageCase{{"show", kA100, "-o", "/nonexistent/x"}, "/nonexistent/x"},
        UsageCase{{"identify", "sim:a100", "--all", "--journal", "/nonexistent/x"}, "/nonexistent/x"}));

/// A line of an observation with one field replaced.
std::string observation(const std::string& field, const std::string& value) {
  auto line = nlohmann::ordered_json::parse(
      R"({"instruction":"mma.m16n8k4.f32.tf32.tf32.f32","a":["3f800000","00000000","00000000","00000000"],)"
      R"("b":["3f800000","00000000","00000000","00000000"],"c":"00000000","d":"3f800000"})");
  if (!field.empty()) line[field] = nlohmann::ordered_json::parse(value);
  return line.dump();
}

struct LineCase {
  std::string line;
  std::string part;
};

std::ostream& operator<<(std::ostream& out, const LineCase& c) {
  out << c.line.substr(0, 80);
  return out;
}

class BadLine : public testing::TestWithParam<LineCase> {};

TEST_P(BadLine, IsReportedWithFileAndLine) {
  const Folder folder;
  const std::string file = folder.file("seen.jsonl", observation("", "") + "\n" + GetParam().line + "\n");
  const Finished run = mmaprint({"check", std::string("sim:a100#") + kDot4, file, "--json"});
  expect_refused(run, "seen.jsonl:2");
  EXPECT_NE(run.err.find(GetParam().part), std::string::npos) << run.err;
}

INSTANTIATE_TEST_SUITE_P(
    All, BadLine,
    testing::Values(LineCase{"{", "JSON"}, LineCase{"[]", "object"}, LineCase{std::string("\"\xff\""), ""},
                    LineCase{observation("c", "\"0000\""), "c: expected 8"},
                    LineCase{observation("c", "\"0000000G\""), "c"},
                    LineCase{observation("c", "\"3F800000\""), "lower-case"},
                    LineCase{observation("d", "7"), "d"},
                    LineCase{observation("a", "[\"3f800000\"]"), "a: expected 4"},
                    LineCase{observation("b", "{}"), "b"}, LineCase{observation("sa", "[]"), "sa"},
                    LineCase{observation("formats", R"({"a":"fp17","b":"fp16","c":"fp32","d":"fp32"})"),
                             "fp17"},
                    LineCase{std::string(100000, '['), "nest"},
                    LineCase{R"({"x":")" + std::string(2 << 20, 'x') + "\"}", "line"}));

TEST(BadModel, IsReportedWithFileLineAndField) {
  const Folder folder;
  auto model = mmaprint({"show", kA100, "--json"}).json();
  model.at("unit").at("adders").at(0).at("rounding") = "rz";
  const std::string file = folder.file("unit.json", model.dump(1));
  const Finished run = mmaprint({"show", file});
  expect_refused(run, "unit.adders[0].rounding: expected toward-zero");
  EXPECT_NE(run.err.find("unit.json:"), std::string::npos);
  expect_refused(mmaprint({"show", folder.file("deep.json", std::string(1000000, '['))}), "deep.json:1");
  expect_refused(mmaprint({"show", folder.file("empty.json", "")}), "empty.json");
}

TEST(PartialModel, HasNoResults) {
  const std::string hypothesis = source("examples/f_is_24.json");
  EXPECT_EQ(mmaprint({"show", hypothesis}).exit, 0);
  expect_refused(mmaprint({"simulate", hypothesis}), "full model");
  expect_refused(mmaprint({"distinguish", hypothesis, hypothesis}), "full model");
  expect_refused(mmaprint({"devices", "model:" + hypothesis}), "full model");
}

TEST(Assumption, OfAnotherInstructionIsRefused) {
  expect_refused(
      mmaprint({"identify", "sim:a100", "--instruction", kDot4, "--assume", source("examples/f_is_24.json")}),
      "f_is_24.json");
}

}  // namespace
}  // namespace mmaprint::test::bad_input_test
