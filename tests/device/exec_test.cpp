// Child processes as devices: one that behaves, and every way not to.
#include "device/exec.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <thread>

#include "device/command_words.h"
#include "device/open.h"

namespace mmaprint::exec_test {
namespace {

using Seconds = std::chrono::duration<double>;

constexpr double kShortTimeout = 0.3;
constexpr double kAmpleTimeout = 20;

std::string child(const std::string& way) {
  const auto script = std::filesystem::path(__FILE__).parent_path() / "children" / "child.py";
  return "python3 '" + script.string() + "' " + way;
}

/// `n` inputs of dot2 with different c.
std::vector<DotInput> inputs(std::size_t n) {
  std::vector<DotInput> all;
  for (std::size_t i = 0; i < n; ++i) all.push_back({{0x3c00, 0}, {0x3c00, 0}, i});
  return all;
}

ExecUnit::Opened open(const std::string& way, double timeout = kAmpleTimeout) {
  return ExecUnit::open(child(way), timeout);
}

RunResult run(MatmulUnit& unit, std::span<const DotInput> batch) {
  return unit.run(find_instruction(unit, "dot2")->instruction, batch);
}

/// The failure of the child's first run, "none" if there is none.
std::string failure_of(const std::string& way) {
  auto opened = open(way);
  if (const auto* failure = std::get_if<DeviceFailure>(&opened)) return failure->message;
  auto& unit = *std::get<std::unique_ptr<MatmulUnit>>(opened);
  const auto result = run(unit, inputs(3));
  const auto* failure = std::get_if<DeviceFailure>(&result);
  if (failure == nullptr) return "none";
  EXPECT_EQ(failure->message.find('\n'), std::string::npos) << failure->message;
  return failure->message;
}

void expect_failure(const std::string& way, std::initializer_list<const char*> parts) {
  const std::string message = failure_of(way);
  for (const char* part : parts) EXPECT_NE(message.find(part), std::string::npos) << way << ": " << message;
}

std::string failure_to_open(const std::string& command, double timeout = kAmpleTimeout) {
  const auto opened = ExecUnit::open(command, timeout);
  const auto* failure = std::get_if<DeviceFailure>(&opened);
  return failure == nullptr ? "none" : failure->message;
}

/// Runs, and is not merely waiting for its parent to take note of its end.
bool runs(Pattern pid) {
  std::ifstream stat("/proc/" + std::to_string(pid) + "/stat");
  std::string text;
  std::getline(stat, text);
  const std::size_t name_end = text.rfind(')');
  return name_end != std::string::npos && text.at(name_end + 2) != 'Z';
}

/// A file that is removed again.
class Flag {
 public:
  Flag() : path_(std::filesystem::temp_directory_path() / ("mmaprint-flag-" + std::to_string(getpid()))) {}
  Flag(const Flag&) = delete;
  Flag& operator=(const Flag&) = delete;
  ~Flag() { std::filesystem::remove(path_); }
  void raise() const { std::ofstream{path_}; }
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

TEST(Exec, OutlivesARequestThatIsCutAndDropsItsAnswer) {
  const Flag flag;
  auto opened = open("wait-once '" + flag.path().string() + "'");
  auto& unit = *std::get<std::unique_ptr<MatmulUnit>>(opened);
  const Instruction dot2 = find_instruction(unit, "dot2")->instruction;
  // More than a pipe holds, so that the second one is cut before it is sent.
  const auto many = inputs(4096);
  for (int i = 0; i < 2; ++i)
    EXPECT_EQ(unit.run_until(Deadline(0.2), dot2, many), RunResult(DeviceInterrupted{}));
  flag.raise();
  EXPECT_EQ(run(unit, inputs(3)), RunResult(std::vector<Pattern>{0, 1, 2}));
  EXPECT_EQ(run(unit, inputs(1)), RunResult(std::vector<Pattern>{0}));
}

TEST(Exec, StopsWaitingWhenTold) {
  auto opened = open("hang");
  auto& unit = *std::get<std::unique_ptr<MatmulUnit>>(opened);
  std::stop_source source;
  const std::jthread later([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    source.request_stop();
  });
  const Deadline deadline(std::nullopt, source.get_token());
  EXPECT_EQ(unit.run_until(deadline, find_instruction(unit, "dot2")->instruction, inputs(1)),
            RunResult(DeviceInterrupted{}));
}

TEST(Exec, IsNotOpenedAfterTheDeadline) {
  EXPECT_THROW((void)ExecUnit::open("sleep 60", kAmpleTimeout, Deadline(0.1)), DeadlinePassed);
}

TEST(Exec, DescribesItselfAndAnswersInOrder) {
  auto opened = open("good");
  auto& unit = *std::get<std::unique_ptr<MatmulUnit>>(opened);
  EXPECT_EQ(unit.description(), "child");
  const auto all = unit.instructions();
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all[0].instruction,
            (Instruction{"dot2", 2, {Format::fp16, Format::fp16, Format::fp32, Format::fp32}}));
  EXPECT_EQ(run(unit, inputs(3)), RunResult(std::vector<Pattern>{0, 1, 2}));
  EXPECT_EQ(run(unit, {}), RunResult(std::vector<Pattern>{}));
}

TEST(Exec, SendsTheScalesOfAUnitThatHasThem) {
  auto opened = open("scales");
  ASSERT_TRUE(std::holds_alternative<std::unique_ptr<MatmulUnit>>(opened))
      << std::get<DeviceFailure>(opened).message;
  auto& unit = *std::get<std::unique_ptr<MatmulUnit>>(opened);
  const Instruction instruction = find_instruction(unit, "dot2")->instruction;
  EXPECT_EQ(instruction.formats.sa, (Scales{Format::ue8m0, 32}));
  EXPECT_EQ(instruction.formats.sb, std::nullopt);
  DotInput input = zero_input(instruction.formats, instruction.k);
  input.sa = {0x7f, 0x80};
  const auto result = unit.run(instruction, std::span(&input, 1));
  ASSERT_TRUE(std::holds_alternative<std::vector<Pattern>>(result))
      << std::get<DeviceFailure>(result).message;
  EXPECT_EQ(std::get<std::vector<Pattern>>(result), std::vector<Pattern>{0x7f80});
  input.sa.pop_back();
  EXPECT_TRUE(std::holds_alternative<DeviceFailure>(unit.run(instruction, std::span(&input, 1))));
}

TEST(Exec, SendsNullForACThatAUnitHasNot) {
  auto opened = open("no-c");
  auto& unit = *std::get<std::unique_ptr<MatmulUnit>>(opened);
  EXPECT_EQ(unit.instructions().at(0).instruction.formats,
            (Signature{Format::fp16, Format::fp16, std::nullopt, Format::fp32}));
  const std::vector<DotInput> batch{{{0x3c00, 0}, {0x3c00, 0}, 0}, {{0x4000, 1}, {0x3c00, 0}, 0}};
  EXPECT_EQ(run(unit, batch), RunResult(std::vector<Pattern>{0x3c00, 0x4000}));
  const std::vector<DotInput> with_c{{{0x3c00, 0}, {0x3c00, 0}, 1}};
  EXPECT_TRUE(std::holds_alternative<DeviceFailure>(run(unit, with_c)));
}

TEST(Exec, SplitsLargeBatchesIntoRequests) {
  auto opened = open("good");
  const auto batch = inputs(2 * ExecUnit::kLargestRequest + 5);
  const auto result = run(*std::get<std::unique_ptr<MatmulUnit>>(opened), batch);
  const auto& d = std::get<std::vector<Pattern>>(result);
  ASSERT_EQ(d.size(), batch.size());
  for (std::size_t i = 0; i < d.size(); ++i) ASSERT_EQ(d[i], i);
}

TEST(Exec, RejectsInputsThatTheInstructionDoesNotTake) {
  auto opened = open("good");
  auto& unit = *std::get<std::unique_ptr<MatmulUnit>>(opened);
  const std::vector<DotInput> short_one{{{0x3c00}, {0x3c00}, 0}};
  EXPECT_TRUE(std::holds_alternative<DeviceFailure>(run(unit, short_one)));
  const std::vector<DotInput> wide{{{0x13c00, 0}, {0, 0}, 0}};
  EXPECT_TRUE(std::holds_alternative<DeviceFailure>(run(unit, wide)));
  EXPECT_TRUE(std::holds_alternative<DeviceFailure>(unit.run({"dot3", 2, {}}, inputs(1))));
}

TEST(Exec, SaysHowAChildEnded) {
  expect_failure("exit", {"exited with status 3"});
  expect_failure("half-line", {"exited with status 0"});
  expect_failure("killed", {"ended by signal 6"});
  expect_failure("exit-after-describe", {"exited with status 0"});
}

TEST(Exec, DoesNotWaitForAChildThatHangs) {
  // Python itself may need longer to start than the run may take.
  auto started = ChildProcess::start(split_words(child("hang")), "child");
  auto& process = std::get<ChildProcess>(started);
  ASSERT_TRUE(
      std::holds_alternative<std::string>(process.exchange(R"({"op":"describe"})", Seconds(kAmpleTimeout))));
  const auto start = std::chrono::steady_clock::now();
  const char* request = R"({"op":"run","instruction":"dot2","a":[[]],"b":[[]],"c":["00000000"]})";
  EXPECT_EQ(std::get<DeviceFailure>(process.exchange(request, Seconds(kShortTimeout))).message,
            "child: gave no answer within 0.3 s");
  EXPECT_LT(Seconds(std::chrono::steady_clock::now() - start).count(), kAmpleTimeout);
}

TEST(Exec, DoesNotWaitForAChildThatReadsNothing) {
  auto started = ChildProcess::start({"sleep", "60"}, "child");
  const std::string more_than_a_pipe_holds(8 << 20, 'x');
  EXPECT_EQ(std::get<DeviceFailure>(
                std::get<ChildProcess>(started).exchange(more_than_a_pipe_holds, Seconds(kShortTimeout)))
                .message,
            "child: gave no answer within 0.3 s");
}

TEST(Exec, DoesNotTrustAChildAgainThatFailed) {
  auto opened = open("wrong-count-once");
  auto& unit = *std::get<std::unique_ptr<MatmulUnit>>(opened);
  ASSERT_TRUE(std::holds_alternative<DeviceFailure>(run(unit, inputs(3))));
  EXPECT_TRUE(std::holds_alternative<DeviceFailure>(run(unit, inputs(3))));
}

TEST(Exec, ChecksAnswersStrictly) {
  expect_failure("wrong-count", {"bad answer: d: expected 3 results", "array of 4"});
  expect_failure("wrong-width", {"d[2]: expected 8 lower-case hexadecimal digits (fp32)"});
  expect_failure("upper-case", {"d[2]", "3F800000"});
  expect_failure("numbers", {"d[2]", "found 7"});
  expect_failure("not-json", {"expected JSON"});
  expect_failure("nested", {"nested at most"});
  expect_failure("huge-line", {"longer than 1048576 bytes"});
  expect_failure("two-lines", {"more than one line"});
  // What the extra line is taken for depends on when it arrives.
  EXPECT_NE(failure_of("chatter"), "none");
}

TEST(Exec, PassesOnWhatTheChildSaysIsWrong) { expect_failure("error", {R"(says "out of\nmemory")"}); }

TEST(Exec, ReportsDescriptionsThatMakeNoSense) {
  EXPECT_NE(failure_to_open(child("bad-format")).find("instructions[0].c: expected null or a format"),
            std::string::npos);
  EXPECT_NE(failure_to_open(child("c-unsaid")).find("instructions[0]: expected a field \"c\""),
            std::string::npos);
  EXPECT_NE(failure_to_open(child("same-name-twice")).find("instructions[1].name: expected every name once"),
            std::string::npos);
  EXPECT_NE(failure_to_open(child("exit-at-once")).find("exited with status 3"), std::string::npos);
  EXPECT_NE(failure_to_open("cat").find("expected a field \"instructions\""), std::string::npos);
  EXPECT_NE(failure_to_open("sleep 60", kShortTimeout).find("no answer within"), std::string::npos);
}

TEST(Exec, ReportsCommandsThatDoNotExist) {
  EXPECT_NE(failure_to_open("/nonexistent/program").find("cannot be started"), std::string::npos);
  EXPECT_THROW((void)ExecUnit::open("'open", 1), BadInput);
}

TEST(Exec, EndsTheWholeGroupWithTheDevice) {
  Pattern grandchild = 0;
  {
    auto opened = open("grandchild");
    const auto result = run(*std::get<std::unique_ptr<MatmulUnit>>(opened), inputs(1));
    grandchild = std::get<std::vector<Pattern>>(result).at(0);
    EXPECT_TRUE(runs(grandchild));
  }
  for (int i = 0; i < 500 && runs(grandchild); ++i)
    std::this_thread::sleep_for(std::chrono::milliseconds(10));
  EXPECT_FALSE(runs(grandchild));
}

TEST(Exec, EndsAChildThatOutlivesItsInput) {
  const auto start = std::chrono::steady_clock::now();
  { const auto opened = open("outlive-input"); }
  EXPECT_LT(Seconds(std::chrono::steady_clock::now() - start).count(), 15);
}

TEST(CommandWords, AreSplitAsAShellWould) {
  using Words = std::vector<std::string>;
  EXPECT_EQ(split_words("  python3\tx.py  --a b "), (Words{"python3", "x.py", "--a", "b"}));
  EXPECT_EQ(split_words(R"(run 'a b' "c d" e\ f g'h'"i")"), (Words{"run", "a b", "c d", "e f", "ghi"}));
  EXPECT_EQ(split_words(R"(x '' "" 'a"b\c' "a'b" "\"\\\n")"),
            (Words{"x", "", "", R"(a"b\c)", "a'b", R"("\\n)"}));
  EXPECT_EQ(split_words("x $HOME * ; | `y`"), (Words{"x", "$HOME", "*", ";", "|", "`y`"}));
}

TEST(CommandWords, RejectWhatNeverEnds) {
  for (const char* text : {"", "  ", "'a", "x \"a", "x\\", "''"})
    EXPECT_THROW((void)split_words(text), BadInput) << text;
}

}  // namespace
}  // namespace mmaprint::exec_test
