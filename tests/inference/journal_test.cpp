// Journals: nothing lost, nothing twice, and no file harmed that is none.
#include "inference/journal.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "samples.h"

namespace mmaprint {
namespace {

using samples::complaint;
using samples::Folder;
using samples::write_file;

const Provenance kFrom{"0.1.0", "sim:v100", 7};

std::vector<Observation> some(int count) { return samples::observations(samples::unit(), count, 3); }

Search small() { return Search(samples::small_space()); }

/// A journal of the small space with these observations.
void write_journal(const std::string& path, const std::vector<Observation>& observations) {
  Journal journal(path, kFrom);
  (void)journal.begin(small());
  for (const auto& o : observations) journal.record(samples::kName, o);
}

TEST(Journal, ResumesWithWhatWasRecorded) {
  const Folder folder;
  const auto seen = some(5);
  write_journal(folder / "j", seen);
  Journal journal(folder / "j", kFrom);
  EXPECT_TRUE(journal.warnings().empty());
  EXPECT_EQ(journal.begin(small()), seen);
}

TEST(Journal, WritesNoObservationTwice) {
  const Folder folder;
  const auto seen = some(3);
  write_journal(folder / "j", seen);
  write_journal(folder / "j", some(4));
  const std::string text = read_file(folder / "j");
  EXPECT_EQ(std::ranges::count(text, '\n'), 1 + 4);
  EXPECT_EQ(read_journal(folder / "j").entries.front().observations, some(4));
}

TEST(Journal, HoldsTheSearchThatItIsAbout) {
  const Folder folder;
  PartialFeatures stated;
  stated.fma_width = 4;
  stated.nan = Pattern{0x7fffffff};
  const Search search(samples::small_space(), stated);
  {
    Journal journal(folder / "j", kFrom);
    (void)journal.begin(search);
  }
  const auto contents = read_journal(folder / "j");
  const JournalEntry& entry = contents.entries.front();
  EXPECT_EQ(entry.from.device, "sim:v100");
  EXPECT_EQ(entry.from.seed, 7U);
  EXPECT_EQ(entry.search.assumed, stated);
  EXPECT_EQ(entry.search.space.chains, search.space.chains);
  EXPECT_EQ(entry.search.space.box, search.space.box);
  EXPECT_EQ(entry.search.size(), search.size());
}

TEST(Journal, DropsAnIncompleteLastLineAndSaysSo) {
  const auto seen = some(3);
  const Folder folder;
  write_journal(folder / "whole", seen);
  const std::string whole = read_file(folder / "whole");
  const std::size_t last = whole.rfind('\n', whole.size() - 2) + 1;
  // Killed after any byte of the last line; its end of line alone is missing in the last case.
  for (std::size_t cut = last + 1; cut < whole.size(); ++cut) {
    write_file(folder / "j", whole.substr(0, cut));
    const bool complete = cut + 1 == whole.size();
    {
      Journal journal(folder / "j", kFrom);
      ASSERT_EQ(journal.begin(small()).size(), complete ? 3U : 2U) << cut;
      ASSERT_EQ(journal.warnings().size(), complete ? 0U : 1U);
      if (!complete) {
        EXPECT_EQ(journal.warnings().front(),
                  (folder / "j") + ":4: dropped the last line, which is incomplete");
      }
      journal.record(samples::kName, seen.back());
    }
    ASSERT_EQ(read_file(folder / "j"), whole);
  }
}

TEST(Journal, BeginsAnewAfterABrokenHeader) {
  const Folder folder;
  write_journal(folder / "whole", some(1));
  const std::string whole = read_file(folder / "whole");
  for (const std::size_t cut : {0U, 1U, 20U, 40U, 200U}) {
    write_file(folder / "j", whole.substr(0, cut));
    write_journal(folder / "j", some(1));
    EXPECT_EQ(read_file(folder / "j"), whole) << cut;
  }
}

TEST(Journal, LeavesAFileAloneThatIsNone) {
  const Folder folder;
  for (const std::string text :
       {"hello", "hello\n", "{\"a\":1", "{\"a\":[\"3c00\"]}\n", "{\"schema\":\"mmaprint/model/1\"}"}) {
    write_file(folder / "j", text);
    const auto message = complaint<BadInput>([&] { Journal journal(folder / "j", kFrom); });
    EXPECT_TRUE(message.starts_with((folder / "j") + ":1: ")) << message;
    EXPECT_EQ(read_file(folder / "j"), text);
  }
}

TEST(Journal, RefusesAnotherDevice) {
  const Folder folder;
  write_journal(folder / "j", some(1));
  EXPECT_EQ(complaint<BadInput>([&] {
              Journal journal(folder / "j", {"0.1.0", "sim:a100", 1});
            }),
            (folder / "j") + ":1: device: expected \"sim:a100\", found \"sim:v100\"");
}

TEST(Journal, RefusesOtherFormatsOfTheSameInstruction) {
  const Folder folder;
  write_journal(folder / "j", some(1));
  Space other = samples::small_space();
  other.formats.a = Format::bf16;
  Journal journal(folder / "j", kFrom);
  EXPECT_TRUE(complaint<BadInput>([&] {
                (void)journal.begin(Search(other));
              }).starts_with((folder / "j") + ": expected"));
}

TEST(Journal, SaysWhereALineIsMalformed) {
  const Folder folder;
  write_journal(folder / "whole", some(2));
  const std::string whole = read_file(folder / "whole");
  const std::string header = whole.substr(0, whole.find('\n') + 1);
  const auto about = [&](const std::string& text) {
    return complaint<BadInput>([&] { (void)read_journal_text(text, "j"); });
  };
  EXPECT_TRUE(about(header + "{oops}\n" + header).starts_with("j:2: expected JSON"))
      << about(header + "{oops}\n");
  EXPECT_EQ(about(header + R"({"instruction":"other"})" + "\n"),
            "j:2: instruction: expected an instruction whose header comes before, found \"other\"");
  const std::string start = R"({"instruction":"mma.m8n8k4.f32.f16.f16.f32",)";
  EXPECT_EQ(about(header + start + R"("a":["3c00"],"b":["3c00"],"c":"00000000","d":"00000000"})" + "\n"),
            "j:2: a: expected 4 entries, found an array of 1");
  EXPECT_EQ(about(header + start + R"("formats":{"a":"bf16","b":"bf16","c":"fp32","d":"fp32"}})" + "\n"),
            "j:2: formats: expected the formats of the instruction's header, found an object");
}

TEST(Journal, KeepsSeveralInstructionsApart) {
  const Folder folder;
  Space other = samples::small_space();
  other.instruction = "other";
  const auto seen = some(4);
  {
    Journal journal(folder / "j", kFrom);
    (void)journal.begin(small());
    (void)journal.begin(Search(other));
    journal.record("other", seen[0]);
    journal.record(samples::kName, seen[0]);
    journal.record("other", seen[1]);
    journal.record_identification(
        {{"schema", kIdentificationSchema}, {"instruction", "other"}, {"verdict", "unique"}});
  }
  const auto contents = read_journal(folder / "j");
  ASSERT_EQ(contents.entries.size(), 2U);
  EXPECT_EQ(contents.entries[0].observations.size(), 1U);
  EXPECT_EQ(contents.entries[0].identification, nullptr);
  EXPECT_EQ(contents.entries[1].observations.size(), 2U);
  ASSERT_NE(contents.entries[1].identification, nullptr);
  EXPECT_EQ((*contents.entries[1].identification)["verdict"], "unique");
}

TEST(Journal, GoesOnFromAllObservationsInAnotherSpace) {
  const Folder folder;
  write_journal(folder / "j", some(3));
  PartialFeatures stated;
  stated.fma_width = 4;
  {
    Journal journal(folder / "j", kFrom);
    EXPECT_EQ(journal.begin(Search(samples::small_space(), stated)), some(3));
  }
  EXPECT_EQ(read_journal(folder / "j").entries.front().search.assumed.fma_width, std::optional(4));
}

TEST(Journal, IsWrittenByOneRunAtATime) {
  const Folder folder;
  const Journal first(folder / "j", kFrom);
  EXPECT_EQ(complaint<BadInput>([&] { Journal second(folder / "j", kFrom); }),
            (folder / "j") + ": expected a journal that no other run is writing");
}

TEST(Journal, ReportsThatItCannotBeWritten) {
  const Folder folder;
  EXPECT_TRUE(complaint<JournalFailure>([&] {
                Journal journal(folder / "no/such/j", kFrom);
              }).find("can't be opened for writing") != std::string::npos);
  EXPECT_EQ(complaint<BadInput>([&] { Journal journal("/dev/full", kFrom); }),
            "/dev/full: expected a journal, a regular file");
}

}  // namespace
}  // namespace mmaprint
