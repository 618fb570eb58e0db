// Recordings as a device: what they decide, what they leave open, and what they contradict.
#include <gtest/gtest.h>

#include <fstream>

#include "program.h"
#include "support/random.h"

namespace mmaprint::test::replay_test {
namespace {

const std::string kV100 = "mma.m8n8k4.f32.f16.f16.f32";

/// The observations that an identification of a V100 made, a line each, in order.
std::vector<std::string> observations() {
  const Folder folder;
  const std::string journal = folder.path("journal.jsonl");
  EXPECT_EQ(mmaprint({"identify", "sim:v100", "--instruction", kV100, "--journal", journal}).exit, 0);
  std::vector<std::string> seen;
  for (const std::string& line : lines(read(journal)))
    if (nlohmann::json::parse(line).contains("d")) seen.push_back(line);
  return seen;
}

std::string joined(const std::vector<std::string>& all, std::size_t count) {
  std::string text;
  for (std::size_t i = 0; i < count; ++i) text += all[i] + "\n";
  return text;
}

Finished replayed(const std::string& file, const std::vector<std::string>& more = {}) {
  std::vector<std::string> arguments{"identify", "replay:" + file, "--instruction", kV100, "--json"};
  arguments.insert(arguments.end(), more.begin(), more.end());
  return mmaprint(arguments);
}

TEST(Replay, GivesTheVerdictAgain) {
  const Folder folder;
  const auto all = observations();
  const Finished found = replayed(folder.file("all.jsonl", joined(all, all.size())));
  EXPECT_EQ(found.exit, 0) << found.err;
  EXPECT_EQ(found.json().at("verdict"), "equivalent");
}

TEST(Replay, IsNotConfirmedByAPartOfTheRecording) {
  if (test::counts_are_reduced()) GTEST_SKIP() << test::kTakesMinutesThen;
  const Folder folder;
  auto all = observations();
  auto last = nlohmann::json::parse(all.back());
  last["c"] = "7fc00001";  // another NaN, whose result no unit of the space gives
  last["d"] = "3f800000";
  all.push_back(last.dump());
  const std::string file = folder.file("all.jsonl", joined(all, all.size()));
  EXPECT_EQ(replayed(file).exit, 1);
  const Finished part = replayed(file, {"--max-observations", std::to_string(all.size() - 1)});
  EXPECT_EQ(part.exit, 3);
  EXPECT_EQ(part.json().at("verdict"), "unknown");
  EXPECT_EQ(part.json().at("reason"), "observation limit reached");
}

TEST(Replay, OfTwoResultsForOneInputIsAContradiction) {
  if (test::counts_are_reduced()) GTEST_SKIP() << test::kTakesMinutesThen;
  const Folder folder;
  const auto all = observations();
  auto other = nlohmann::json::parse(all.back());
  other["d"] = other.at("d") == "3f800000" ? "3f800001" : "3f800000";
  const std::string file = folder.file("two.jsonl", all.back() + "\n" + other.dump() + "\n");
  const Finished found = replayed(file);
  EXPECT_EQ(found.exit, 1) << found.err;
  EXPECT_EQ(found.json().at("verdict"), "none");
  EXPECT_LE(found.json().at("conflict").size(), 2U);
}

TEST(Replay, ShowsAnInputThatWouldTellWhatItLeavesOpen) {
  if (test::counts_are_reduced()) GTEST_SKIP() << test::kTakesMinutesThen;
  const Folder folder;
  const std::string file = folder.file("few.jsonl", joined(observations(), 5));
  const Finished found = replayed(file);
  EXPECT_EQ(found.exit, 3);
  bool shown = false;
  const auto document = found.json();
  for (const auto& survivor : document.at("survivors"))
    shown = shown || (survivor.at("standing") == "undecided" && survivor.contains("witness"));
  EXPECT_TRUE(shown);
  const Finished text = mmaprint({"identify", "replay:" + file, "--instruction", kV100});
  EXPECT_NE(text.out.find("an input that would tell"), std::string::npos) << text.out;
}

TEST(Replay, CanNotBeValidated) {
  const Folder folder;
  const std::string file = folder.file("all.jsonl", joined(observations(), 3));
  const Finished found = replayed(file, {"--validate", "1000"});
  EXPECT_EQ(found.exit, 2);
  EXPECT_EQ(lines(found.err).size(), 1U) << found.err;
}

TEST(Check, OfNoObservationsIsRefused) {
  const Folder folder;
  const std::string empty = folder.file("empty.jsonl", "\n");
  const Finished found = mmaprint({"check", "sim:v100#" + kV100, empty});
  EXPECT_EQ(found.exit, 2);
  EXPECT_EQ(found.err, "mmaprint: " + empty + ": expected at least one observation\n");
}

TEST(Check, TakesOverflowByDirectionAsAHypothesisOfAnyFloatingResult) {
  if (test::counts_are_reduced()) GTEST_SKIP() << test::kTakesMinutesThen;
  const Folder folder;
  const std::string hypothesis =
      folder.file("h.json", R"({"instruction":")" + kV100 + R"(","features":{"overflow":"by-direction"}})");
  const std::string seen = folder.file("seen.jsonl", joined(observations(), 3));
  EXPECT_EQ(mmaprint({"check", hypothesis, seen}).exit, 0);
}

TEST(Certificates, OfSeveralInstructionsDoNotGoIntoAnotherOne) {
  if (test::counts_are_reduced()) GTEST_SKIP() << test::kTakesMinutesThen;
  const Folder folder;
  const std::string place = folder.path("certificate");
  EXPECT_EQ(mmaprint({"identify", "sim:v100", "--instruction", kV100, "--certificate", place}).exit, 0);
  const Finished all = mmaprint({"identify", "sim:v100", "--all", "--certificate", place});
  EXPECT_EQ(all.exit, 2);
  EXPECT_EQ(all.err, "mmaprint: " + place + ": expected a directory for several certificates, found one\n");
}

}  // namespace
}  // namespace mmaprint::test::replay_test
