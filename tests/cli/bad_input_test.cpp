// Whatever is wrong with the input: exit 2, one line on standard error that says what, nothing on standard
// output.
#include <gtest/gtest.h>

#include <algorithm>

#include "program.h"

namespace mmaprint::test::bad_input_test {
namespace {

/// The whole line but for "mmaprint: "; with an ellipsis at its end, how it begins: what follows are lists
/// that grow, or words of libraries.
void expect_refused(const Finished& run, const std::string& message, int exit = 2) {
  EXPECT_EQ(run.exit, exit) << run.err;
  EXPECT_EQ(lines(run.err).size(), 1U) << run.err;
  EXPECT_TRUE(run.err.ends_with('\n'));
  const std::string ellipsis = "...", line = "mmaprint: " + message;
  if (message.ends_with(ellipsis))
    EXPECT_TRUE(run.err.starts_with(line.substr(0, line.size() - ellipsis.size()))) << run.err;
  else
    EXPECT_EQ(run.err, line + "\n");
  EXPECT_EQ(run.out, "");
}

struct UsageCase {
  std::vector<std::string> arguments;
  std::string message;
  int exit = 2;
};

std::ostream& operator<<(std::ostream& out, const UsageCase& c) {
  for (const std::string& argument : c.arguments) out << argument << ' ';
  return out;
}

class Usage : public testing::TestWithParam<UsageCase> {};

TEST_P(Usage, IsAnsweredInOneLine) {
  expect_refused(mmaprint(GetParam().arguments), GetParam().message, GetParam().exit);
}

constexpr const char* kNoFile = "/nonexistent: expected a readable file: No such file or directory";
constexpr const char* kOtherShape =
    ": expected the first model's formats and K, or one K a multiple of the other, ";

INSTANTIATE_TEST_SUITE_P(
    All, Usage,
    testing::Values(
        UsageCase{{},
                  "expected a command: devices, identify, check, distinguish, simulate, validate, verify, "
                  "show or export"},
        UsageCase{{"frobnicate"}, "\"frobnicate\": expected a command: devices, identify, ..."},
        UsageCase{{"probe", "sim:a100", "--instruction", "x"}, "probe: not in this version"},
        UsageCase{{"validate"}, "validate: MODEL is required"},
        UsageCase{{"report", "x", "-o", "y"}, "report: not in this version"},
        UsageCase{{"show"}, "show: MODEL is required"},
        UsageCase{{"devices", "a", "b"}, "devices: The following argument was not expected: b"},
        UsageCase{{"--seed", "-1", "devices"}, "--seed: expected a number up to 2^64 - 1, found \"-1\""},
        UsageCase{{"devices", "--seed", "1x"}, "--seed: expected a number up to 2^64 - 1, found \"1x\""},
        UsageCase{{"devices", "--threads", "0"}, "--threads: expected a count, found \"0\""},
        UsageCase{{"devices", "--time-limit", "nan"}, "--time-limit: expected seconds, found \"nan\""},
        UsageCase{{"devices", "--color", "blue"},
                  "--color: expected one of auto, always, never, found \"blue\""},
        UsageCase{{"devices", "--solver", "x"}, "--solver: expected one of cadical, z3, found \"x\""},
        UsageCase{{"identify", "sim:a100"}, "identify: expected --instruction NAME or --all"},
        UsageCase{{"identify", "sim:a100", "--all", "--formats", "fp16,fp16"},
                  "formats: expected four of a,b,c,d (..."},
        UsageCase{{"identify", "sim:a100", "--instruction", "mma.m16n8k8.f32.f16.f16.f23"},
                  std::string("--instruction: expected one of ") + kDot8 + ", ..."},
        UsageCase{{"identify", "sim:a101", "--all"},
                  "sim:a101: expected one of the catalogued units v100, t4, a100, ..."},
        UsageCase{{"identify", "a100", "--all"},
                  "device: expected sim:NAME, model:FILE, cuda:N, cpu, replay:FILE or exec:COMMAND, found "
                  "\"a100\""},
        UsageCase{{"identify", "cuda:7", "--all"}, "cuda:...", 4},
        UsageCase{{"devices", "exec:/nonexistent/x"},
                  "exec \"/nonexistent/x\": cannot be started: No such file or directory",
                  4},
        UsageCase{{"devices", "exec:'"}, "exec: expected a closing '"},
        UsageCase{{"show", "sim:a100"},
                  std::string("sim:a100: expected #INSTRUCTION after it, one of ") + kDot8 + ", ..."},
        UsageCase{{"show", "sim:a100#x"},
                  std::string("sim:a100#x: expected one of the instructions ") + kDot8 + ", ..."},
        UsageCase{{"show", "/nonexistent"}, kNoFile}, UsageCase{{"check", kA100, "/nonexistent"}, kNoFile},
        UsageCase{{"check", kA100, "/"}, "/: expected a readable file: is a directory"},
        UsageCase{{"verify", "/nonexistent"},
                  "/nonexistent/manifest.json: expected a readable file: No such file or directory"},
        UsageCase{{"identify", "replay:/nonexistent", "--all"}, kNoFile},
        UsageCase{
            {"identify", "replay:/dev/null", "--all"},
            "replay:/dev/null: expected observations of an instruction that can be identified, found none"},
        UsageCase{{"distinguish", kA100, std::string("sim:a100#") + kDot4},
                  std::string("sim:a100#") + kDot4 + kOtherShape +
                      "fp16·fp16 + fp32 → fp32, K = 8; found tf32·tf32 + fp32 → fp32, K = 4"},
        UsageCase{
            {"distinguish", "sim:v100#mma.m8n8k4.f32.f16.f16.f16", "sim:v100#mma.m8n8k4.f32.f16.f16.f32"},
            std::string("sim:v100#mma.m8n8k4.f32.f16.f16.f32") + kOtherShape +
                "fp16·fp16 + fp16 → fp32, K = 4; found fp16·fp16 + fp32 → fp32, K = 4"},
        UsageCase{{"show", kA100, "-o", "/nonexistent/x"},
                  "/nonexistent/x: can't be written: No such file or directory"},
        UsageCase{{"identify", "sim:a100", "--all", "--journal", "/nonexistent/x"},
                  "/nonexistent/x: the journal can't be opened for writing: No such file or directory"}));

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
  std::string message;
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
  expect_refused(run, file + ":2: " + GetParam().message);
}

const std::string kDigits = "c: expected 8 lower-case hexadecimal digits (fp32), ";

INSTANTIATE_TEST_SUITE_P(
    All, BadLine,
    testing::Values(LineCase{"{", "expected JSON: ..."},
                    LineCase{"[]", "expected an object, found an array of 0"},
                    LineCase{std::string("\"\xff\""), "expected JSON: ..."},
                    LineCase{observation("c", "\"0000\""), kDigits + "found \"0000\""},
                    LineCase{observation("c", "\"0000000G\""), kDigits + "found \"0000000G\""},
                    LineCase{observation("c", "\"3F800000\""), kDigits + "found \"3F800000\""},
                    LineCase{observation("d", "7"),
                             "d: expected 8 lower-case hexadecimal digits (fp32), found 7"},
                    LineCase{observation("a", "[\"3f800000\"]"),
                             "a: expected 4 entries (or --pad-zeros), found an array of 1"},
                    LineCase{observation("b", "{}"), "b: expected an array, found an object"},
                    LineCase{observation("sa", "[]"),
                             "sa: expected null, as the unit has no such scales, found an array of 0"},
                    LineCase{observation("formats", R"({"a":"fp17","b":"fp16","c":"fp32","d":"fp32"})"),
                             "formats.a: expected a format (fp64 ..."},
                    LineCase{std::string(100000, '['), "expected JSON nested at most 64 deep"},
                    LineCase{R"({"x":")" + std::string(2 << 20, 'x') + "\"}",
                             "expected a line of at most 1048576 bytes"}));

TEST(BadModel, IsReportedWithFileLineAndField) {
  const Folder folder;
  auto model = mmaprint({"show", kA100, "--json"}).json();
  model.at("unit").at("adders").at(0).at("rounding") = "rz";
  const std::string file = folder.file("unit.json", model.dump(1));
  const Finished run = mmaprint({"show", file});
  const auto text = lines(read(file));
  const auto states_it = [](const std::string& line) {
    return line.find(R"("rounding": "rz")") != std::string::npos;
  };
  const auto line = std::ranges::find_if(text, states_it) - text.begin() + 1;
  expect_refused(run,
                 file + ":" + std::to_string(line) +
                     ": unit.adders[0].rounding: expected toward-zero, nearest-even, up, down, nearest-away "
                     "or odd, found \"rz\"");
  const std::string deep = folder.file("deep.json", std::string(1000000, '['));
  expect_refused(mmaprint({"show", deep}), deep + ":1: expected JSON nested at most 64 deep");
  const std::string empty = folder.file("empty.json", "");
  expect_refused(mmaprint({"show", empty}), empty + ":1: expected JSON: ...");
}

TEST(PartialModel, HasNoResults) {
  const std::string hypothesis = source("examples/f_is_24.json");
  EXPECT_EQ(mmaprint({"show", hypothesis}).exit, 0);
  const std::string expected = hypothesis + ": unit: expected a full model, as a ";
  expect_refused(mmaprint({"simulate", hypothesis}), expected + "partial one has no results");
  expect_refused(mmaprint({"distinguish", hypothesis, hypothesis}), expected + "partial one has no results");
  expect_refused(mmaprint({"devices", "model:" + hypothesis}), expected + "device can't run a partial one");
}

TEST(Assumption, OfAnotherInstructionIsRefused) {
  const std::string other = source("examples/f_is_24.json");
  expect_refused(mmaprint({"identify", "sim:a100", "--instruction", kDot4, "--assume", other}),
                 other + ": expected K and formats of " + kDot4 + ", found those of " + kDot8);
}

}  // namespace
}  // namespace mmaprint::test::bad_input_test
