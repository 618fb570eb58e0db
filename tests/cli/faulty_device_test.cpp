// Devices that die, hang or lie, journals that go on, and Ctrl-C.
#include <gtest/gtest.h>

#include <csignal>
#include <thread>

#include "program.h"
#include "support/random.h"

namespace mmaprint::test::faulty_device_test {
namespace {

std::vector<std::string> identify(const std::string& device, const std::string& journal) {
  return {"identify",  device,  "--instruction",    "dot2", "--json",
          "--journal", journal, "--device-timeout", "2"};
}

std::size_t observations_in(const std::string& journal) {
  std::size_t n = 0;
  for (const std::string& line : lines(read(journal)))
    if (nlohmann::json::parse(line).contains("d")) ++n;
  return n;
}

class Failure : public testing::TestWithParam<const char*> {};

TEST_P(Failure, EndsWithExit4AndLosesNothing) {
  const Folder folder;
  const std::string journal = folder.path("journal.jsonl");
  const Finished run = mmaprint(identify(faulty_device(GetParam(), 4), journal));
  EXPECT_EQ(run.exit, 4) << run.err;
  EXPECT_EQ(lines(run.err).size(), 1U) << run.err;
  EXPECT_EQ(run.json().at("verdict"), "unknown");
  EXPECT_EQ(run.json().at("observations"), 4);
  EXPECT_EQ(observations_in(journal), 4U);
}

INSTANTIATE_TEST_SUITE_P(All, Failure, testing::Values("die", "hang", "garble"));

TEST(Journal, IsResumedWithoutAskingAgain) {
  if (test::counts_are_reduced()) GTEST_SKIP() << test::kTakesMinutesThen;
  const Folder folder;
  const std::string journal = folder.path("journal.jsonl");
  const std::string asked = folder.path("asked");
  // One device name for all runs, as a journal belongs to a device.
  const std::string device = faulty_device("none", 0, asked);
  auto interrupted = identify(device, journal);
  interrupted.insert(interrupted.end(), {"--max-observations", "5"});
  EXPECT_EQ(mmaprint(interrupted).exit, 3);
  const Finished resumed = mmaprint(identify(device, journal));
  EXPECT_EQ(resumed.exit, 0) << resumed.err;
  const std::size_t observed = resumed.json().at("observations");
  EXPECT_EQ(observations_in(journal), observed);
  const auto confirmation = resumed.json().at("confirmation");
  EXPECT_EQ(lines(read(asked)).size(), observed + confirmation.at("inputs").get<std::size_t>() +
                                           confirmation.at("repeated").get<std::size_t>())
      << "an observation was asked for again";

  const Finished again = mmaprint(identify(device, journal));
  EXPECT_EQ(again.exit, 0);
  EXPECT_EQ(again.json().at("observations"), observed);
  EXPECT_EQ(observations_in(journal), observed) << "asked for what the journal holds";
  EXPECT_EQ(again.json().at("model"), resumed.json().at("model"));
  EXPECT_EQ(again.json().at("verdict"), resumed.json().at("verdict"));
}

TEST(Journal, OfAnotherDeviceIsRefused) {
  const Folder folder;
  const std::string journal = folder.path("journal.jsonl");
  auto arguments = identify(faulty_device("none", 0), journal);
  arguments.insert(arguments.end(), {"--max-observations", "1"});
  EXPECT_EQ(mmaprint(arguments).exit, 3);
  EXPECT_EQ(mmaprint({"identify", "sim:a100", "--instruction", kDot8, "--journal", journal}).exit, 2);
}

TEST(Lie, IsFoundOutAsAContradiction) {
  if (test::counts_are_reduced()) GTEST_SKIP() << test::kTakesMinutesThen;
  const Folder folder;
  const Finished run = mmaprint(identify(faulty_device("lie", 6), folder.path("journal.jsonl")));
  EXPECT_EQ(run.exit, 1) << run.err;
  EXPECT_EQ(run.json().at("verdict"), "none");
  EXPECT_FALSE(run.json().at("conflict").empty());
}

class Signal : public testing::TestWithParam<int> {};

TEST_P(Signal, PrintsWhatIsEstablishedAndExits3) {
  const Folder folder;
  const std::string journal = folder.path("journal.jsonl");
  Program program(identify(faulty_device("slow", 3), journal));
  while (!std::filesystem::exists(journal) || observations_in(journal) < 4)
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
  program.signal(GetParam());
  const Finished run = program.wait();
  EXPECT_EQ(run.exit, 3) << run.err;
  EXPECT_EQ(run.json().at("verdict"), "unknown");
  EXPECT_GE(run.json().at("observations"), 4);
  EXPECT_EQ(run.json().at("observations"), observations_in(journal));
}

INSTANTIATE_TEST_SUITE_P(All, Signal, testing::Values(SIGINT, SIGTERM));

}  // namespace
}  // namespace mmaprint::test::faulty_device_test
