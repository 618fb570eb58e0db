// --time-limit and Ctrl-C cut whatever goes on, and what is established by then is printed.
//
// Nothing here is timed. Where a limit did not hold, a test would wait for minutes and fail in the end.
#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <fstream>
#include <thread>

#include "program.h"
#include "support/random.h"

namespace mmaprint::test::time_limit_test {
namespace {

constexpr const char* kModel = "sim:a100#mma.m16n8k8.f32.f16.f16.f32";

std::vector<std::string> identify_slowly(const std::string& device, const std::string& journal) {
  return {"identify",  device,  "--instruction",    "dot2", "--json",
          "--journal", journal, "--device-timeout", "500"};
}

std::string observations(int count) {
  std::string all;
  for (int i = 0; i < count; ++i) {
    std::string digits = std::to_string(1000 + i % 9000);
    all += R"({"a":[")" + digits +
           R"(","0","0","0","0","0","0","0"],"b":["3c00","0","0","0","0","0","0","0"],)" +
           R"("c":"00000000"})" + "\n";
  }
  for (std::size_t at = all.find("\"0\""); at != std::string::npos; at = all.find("\"0\"", at))
    all.replace(at, 3, "\"0000\"");
  return all;
}

TEST(TimeLimit, CutsARequestThatTheChildNeverAnswers) {
  const Folder folder;
  const std::string journal = folder.path("journal.jsonl");
  auto arguments = identify_slowly(faulty_device("hang", 4), journal);
  arguments.insert(arguments.end(), {"--time-limit", "3"});
  const Finished run = mmaprint(arguments);
  EXPECT_EQ(run.exit, 3) << run.err;
  EXPECT_EQ(run.json().at("verdict"), "unknown");
  EXPECT_EQ(run.json().at("reason"), "time limit reached");
  EXPECT_EQ(run.json().at("observations"), 4);
  EXPECT_TRUE(run.json().at("model").is_object());
}

TEST(TimeLimit, CutsAChildThatNeverDescribesItself) {
  const Finished run =
      mmaprint({"identify", "exec:sleep 500", "--all", "--device-timeout", "500", "--time-limit", "0.2"});
  EXPECT_EQ(run.exit, 3) << run.err;
  EXPECT_EQ(lines(run.err).size(), 1U) << run.err;
}

TEST(TimeLimit, PrintsADocumentEvenWhereTheDeviceWasNotOpenInTime) {
  const std::vector<std::string> never{"exec:sleep 500", "--device-timeout", "500", "--time-limit", "0.2",
                                       "--json"};
  const auto run = [&](const std::vector<std::string>& more) {
    std::vector<std::string> arguments{"identify"};
    arguments.insert(arguments.end(), never.begin(), never.end());
    arguments.insert(arguments.end(), more.begin(), more.end());
    const Finished finished = mmaprint(arguments);
    EXPECT_EQ(finished.exit, 3) << finished.err;
    EXPECT_EQ(finished.json().at("verdict"), "unknown");
    EXPECT_EQ(finished.json().at("reason"), "time limit reached");
    return finished.json();
  };
  EXPECT_EQ(run({"--instruction", "dot2"}).at("instruction"), "dot2");
  EXPECT_TRUE(run({"--all"}).at("results").empty());
  EXPECT_EQ(run({"--instruction", "dot2", "--confirm", kModel}).at("schema"), "mmaprint/confirmation/1");
}

TEST(TimeLimit, CutsAReadFromAPipeThatNobodyWritesTo) {
  const Folder folder;
  const std::string pipe = folder.path("pipe");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  EXPECT_EQ(mmaprint({"simulate", kModel, pipe, "--time-limit", "0.2"}).exit, 3);
  const Finished checked = mmaprint({"check", kModel, pipe, "--time-limit", "0.2", "--json"});
  EXPECT_EQ(checked.exit, 3);
  EXPECT_EQ(checked.json().at("verdict"), "unknown");
}

TEST(TimeLimit, CutsAReadOfAModelFromAPipeThatNobodyWritesTo) {
  const Folder folder;
  const std::string pipe = folder.path("pipe");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  const std::string inputs = folder.file("inputs.jsonl", observations(3));
  for (const auto& command : std::vector<std::vector<std::string>>{
           {"show", pipe},
           {"check", pipe, inputs},
           {"simulate", pipe, inputs},
           {"distinguish", pipe, kModel},
           {"distinguish", kModel, pipe},
           {"validate", pipe, "sim:a100", "--vectors", "1000"},
           {"validate", kModel, "model:" + pipe, "--vectors", "1000"},
           {"identify", "sim:a100", "--instruction", kDot8, "--assume", pipe},
           {"identify", "model:" + pipe, "--instruction", kDot8},
           {"identify", "replay:" + pipe, "--instruction", kDot8}}) {
    auto arguments = command;
    arguments.insert(arguments.end(), {"--time-limit", "0.2"});
    const Finished run = mmaprint(arguments);
    EXPECT_EQ(run.exit, 3) << command.front() << ' ' << command[1] << ": " << run.err;
    EXPECT_EQ(run.err, "mmaprint: time limit reached\n") << command.front();
  }
}

TEST(TimeLimit, CutsWritingToAPipeThatNobodyReads) {
  const Folder folder;
  const std::string pipe = folder.path("pipe");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  const Finished unopened = mmaprint({"show", kModel, "-o", pipe, "--time-limit", "0.2"});
  EXPECT_EQ(unopened.exit, 3) << unopened.err;
  EXPECT_EQ(unopened.err, "mmaprint: " + pipe + ": nobody read it in time\n");
  // Opened, and never read: more is written than a pipe holds.
  const std::string inputs = folder.file("inputs.jsonl", observations(4000));
  const std::string ended = folder.path("ended");
  ASSERT_EQ(mkfifo(ended.c_str(), 0600), 0);
  const Finished unread =
      in_shell("{ \"$0\" \"$@\"; echo $? >&2; : >'" + ended + "'; } | cat '" + ended + "'",
               {"simulate", kModel, inputs, "--time-limit", "0.5"});
  EXPECT_TRUE(unread.err.ends_with("mmaprint: standard output: nobody read it in time\n3\n")) << unread.err;
}

TEST(TimeLimit, CutsWritingToStreamsThatNobodyReads) {
  if (test::counts_are_reduced()) GTEST_SKIP() << test::kTakesMinutesThen;
  const Folder folder;
  const std::string inputs = folder.file("inputs.jsonl", observations(4000));
  const std::string script = "python3 '" + source("tests/cli/children/unread.py") + "' ";
  const std::vector<std::string> simulate{"simulate", kModel, inputs, "--time-limit", "0.5"};
  // Results don't wait for whoever should read messages.
  EXPECT_EQ(in_shell(script + R"(error "$0" "$@")", {"simulate", kModel, folder.path("none")}).out, "2\n");
  EXPECT_EQ(
      in_shell(script + R"(error "$0" "$@")", {"identify", "sim:a100", "--instruction", kDot4, "-v"}).out,
      "0\n");
  const std::string of_terminal = in_shell(script + R"(terminal "$0" "$@")", simulate).out;
  if (of_terminal == "no terminal\n") GTEST_SKIP() << "this system gives no terminal";
  EXPECT_EQ(of_terminal, "3\n");
}

TEST(TimeLimit, CutsReadingAJournal) {
  const Folder folder;
  const std::string journal = folder.path("journal.jsonl");
  const std::vector<std::string> identify{"identify", "sim:a100",  "--instruction",
                                          kDot4,      "--journal", journal};
  ASSERT_EQ(mmaprint(identify).exit, 0);
  const std::vector<std::string> recorded = lines(read(journal));
  const auto is_observation = [](const std::string& line) { return line.find("\"c\"") != std::string::npos; };
  const auto observation = std::ranges::find_if(recorded.begin() + 1, recorded.end(), is_observation);
  ASSERT_NE(observation, recorded.end());
  std::string long_journal = recorded.front() + "\n";
  for (int i = 0; i < 1000; ++i) long_journal += *observation + "\n";
  folder.file("journal.jsonl", long_journal);
  auto arguments = identify;
  arguments.insert(arguments.end(), {"--time-limit", "0.000001"});
  const Finished run = mmaprint(arguments);
  EXPECT_EQ(run.exit, 3);
  EXPECT_EQ(run.err, "mmaprint: time limit reached\n");
  EXPECT_EQ(run.out, "");
  EXPECT_EQ(read(journal), long_journal);
}

TEST(TimeLimit, LeavesASlowReaderItsTime) {
  const Folder folder;
  const std::string inputs = folder.file("inputs.jsonl", observations(4000));
  const Finished run =
      in_shell(R"("$0" "$@" | { sleep 1; wc -l; })", {"simulate", kModel, inputs, "--time-limit", "500"});
  EXPECT_EQ(std::stoi(run.out), 4000) << run.err;
}

TEST(TimeLimit, CutsASlowPipeAfterWhatCameThroughIt) {
  const Folder folder;
  const std::string pipe = folder.path("pipe");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  Program program({"simulate", kModel, pipe, "--time-limit", "3"});
  std::ofstream writer(pipe);  // opens once the program reads
  writer << observations(2) << std::flush;
  const Finished run = program.wait();
  EXPECT_EQ(run.exit, 3) << run.err;
  EXPECT_EQ(lines(run.out).size(), 2U) << run.out;
}

TEST(TimeLimit, OfNothingLeavesEveryCommandUnknown) {
  const Folder folder;
  const std::string inputs = folder.file("inputs.jsonl", observations(3));
  const Finished simulated = mmaprint({"simulate", kModel, inputs});
  const std::string seen = folder.file("seen.jsonl", simulated.out);
  const std::string certificate = folder.path("certificate");
  ASSERT_EQ(mmaprint({"identify", "sim:a100", "--instruction", kDot4, "--certificate", certificate,
                      "--max-observations", "3"})
                .exit,
            3);
  for (const auto& command :
       std::vector<std::vector<std::string>>{{"identify", "sim:a100", "--instruction", kDot8},
                                             {"check", kModel, seen},
                                             {"validate", kModel, "sim:a100", "--vectors", "1000000"},
                                             {"verify", certificate}}) {
    auto arguments = command;
    arguments.insert(arguments.end(), {"--time-limit", "0", "--json"});
    const Finished run = mmaprint(arguments);
    EXPECT_EQ(run.exit, 3) << command.front() << ": " << run.err;
    EXPECT_EQ(run.json().at("verdict"), "unknown") << command.front();
  }
}

TEST(Interruption, CutsARequestThatTheChildNeverAnswers) {
  const Folder folder;
  const std::string journal = folder.path("journal.jsonl");
  const std::string asked = folder.path("asked");
  Program program(identify_slowly(faulty_device("hang", 4, asked), journal));
  while (!std::filesystem::exists(asked) || lines(read(asked)).size() < 5)
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  program.signal(SIGINT);
  const Finished run = program.wait();
  EXPECT_EQ(run.exit, 3) << run.err;
  EXPECT_EQ(run.json().at("reason"), "interrupted");
  EXPECT_EQ(run.json().at("observations"), 4);
}

TEST(Interruption, EndsAWaitForAPipesOtherEndAtOnce) {
  const Folder folder;
  const std::string pipe = folder.path("pipe");
  ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
  for (const auto& command : std::vector<std::vector<std::string>>{
           {"identify", "sim:a100", "--instruction", kDot8, "--assume", pipe}, {"show", pipe}}) {
    Program program(command);
    int writer = -1;  // opens once the program reads
    while ((writer = ::open(pipe.c_str(), O_WRONLY | O_NONBLOCK)) < 0)
      std::this_thread::sleep_for(std::chrono::milliseconds(20));
    program.signal(SIGTERM);
    const Finished run = program.wait();
    EXPECT_EQ(run.exit, 3) << command.front() << ": " << run.err;
    EXPECT_EQ(lines(run.err).size(), 1U) << run.err;
    ::close(writer);
  }
}

}  // namespace
}  // namespace mmaprint::test::time_limit_test
