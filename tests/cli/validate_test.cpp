// `mmaprint validate`, as it is meant to be used.
#include <gtest/gtest.h>

#include "program.h"

namespace mmaprint::test::validate_test {
namespace {

TEST(Validate, SaysThatAModelMatchesItsUnit) {
  const Finished text = mmaprint({"validate", kA100, "sim:a100", "--vectors", "1e4"});
  EXPECT_EQ(text.exit, 0) << text.err;
  EXPECT_EQ(text.out.find("match: no difference on 10,000 vectors"), 0U) << text.out;
  const auto document = mmaprint({"validate", kA100, "sim:a100", "--vectors", "5000", "--json"}).json();
  EXPECT_EQ(document.at("schema"), "mmaprint/validation/1");
  EXPECT_EQ(document.at("verdict"), "match");
  EXPECT_EQ(document.at("vectors"), 5000);
  EXPECT_EQ(document.at("mismatches"), 0);
  EXPECT_TRUE(document.at("examples").empty());
  EXPECT_GT(document.at("vectors_per_second"), 0);
}

TEST(Validate, ShowsMismatchesThatSimulateRepeats) {
  // Document and text of one run: which mismatches are shown depends on the threads that find them.
  const Folder folder;
  const std::string file = folder.path("result.json");
  const Finished found = mmaprint({"validate", kA100, "sim:h100", "--vectors", "20000", "-o", file});
  EXPECT_EQ(found.exit, 1) << found.err;
  const auto document = nlohmann::json::parse(read(file));
  EXPECT_EQ(document.at("verdict"), "mismatch");
  const auto& example = document.at("examples").at(0);
  auto input = example;
  input.erase("d");
  input.erase("predicted");
  EXPECT_EQ(mmaprint({"simulate", kA100}, input.dump()).json().at("d"), example.at("predicted"));
  EXPECT_EQ(mmaprint({"simulate", kH100}, input.dump()).json().at("d"), example.at("d"));
  EXPECT_TRUE(found.out.starts_with("mismatch: ")) << found.out;
  // The rows of each example, in the document's order.
  std::vector<std::string> shown, expected;
  for (const std::string& line : lines(found.out))
    if (line.starts_with("  observed   ") || line.starts_with("  predicted  "))
      shown.push_back(line.substr(0, 21));
  for (const auto& one : document.at("examples")) {
    expected.push_back("  observed   " + one.at("d").get<std::string>());
    expected.push_back("  predicted  " + one.at("predicted").get<std::string>());
  }
  EXPECT_FALSE(shown.empty());
  EXPECT_EQ(shown, expected) << found.out;
}

TEST(Validate, WritesMismatchesIntoAJournalFromWhichIdentifyGoesOn) {
  const Folder folder;
  const std::string journal = folder.path("journal.jsonl");
  const Finished found =
      mmaprint({"validate", kA100, "sim:h100", "--vectors", "20000", "--journal", journal});
  EXPECT_EQ(found.exit, 1) << found.err;
  EXPECT_GE(lines(read(journal)).size(), 2U);
  EXPECT_EQ(mmaprint({"check", kH100, journal}).exit, 0) << "its own lines are no observations";
  const Finished identified =
      mmaprint({"identify", "sim:h100", "--instruction", kDot8, "--journal", journal, "--json"});
  EXPECT_EQ(identified.exit, 0) << identified.err;
}

TEST(Validate, EndsAtALimit) {
  const Finished found =
      mmaprint({"validate", kA100, "sim:a100", "--vectors", "1e12", "--time-limit", "0.2", "--json"});
  EXPECT_EQ(found.exit, 3);
  EXPECT_EQ(found.json().at("verdict"), "unknown");
  EXPECT_GT(found.json().at("vectors"), 0);
}

TEST(Validate, SaysInOneLineWhatIsWrongWithItsArguments) {
  const Folder folder;
  const std::string recorded = folder.file(
      "seen.jsonl",
      R"({"instruction":"mma.m16n8k8.f32.f16.f16.f32","a":["3c00","0000","0000","0000","0000","0000",)"
      R"("0000","0000"],"b":["3c00","0000","0000","0000","0000","0000","0000","0000"],"c":"00000000",)"
      R"("d":"3f800000"})"
      "\n");
  using Words = std::vector<std::string>;
  for (const Words& rest :
       {Words{kA100, "sim:a100"}, Words{kA100, "sim:a100", "--vectors", "0"},
        Words{kA100, "sim:a100", "--vectors", "1.5"}, Words{kA100, "sim:mi999", "--vectors", "9"},
        Words{kA100, "replay:" + recorded, "--vectors", "9"}}) {
    Words words{"validate"};
    words.insert(words.end(), rest.begin(), rest.end());
    const Finished finished = mmaprint(words);
    EXPECT_EQ(finished.exit, 2) << finished.out;
    EXPECT_EQ(lines(finished.err).size(), 1U) << finished.err;
  }
}

TEST(Validate, SaysWhereThereIsNoGpu) {
  const Finished finished = mmaprint({"validate", kA100, "cuda:all", "--vectors", "9"});
  if (finished.exit != 4) GTEST_SKIP() << "there is one";
  EXPECT_EQ(lines(finished.err).size(), 1U) << finished.err;
}

}  // namespace
}  // namespace mmaprint::test::validate_test
