// Journals: nothing lost, nothing twice, and no file harmed that is none.
#include "inference/journal.h"

#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include <algorithm>
#include <csignal>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>

#include "base/files.h"
#include "samples.h"

namespace mmaprint::journal_test {
namespace {

using samples::complaint;
using samples::Folder;
using samples::write_file;

const Provenance kFrom{"0.1.0", "sim:v100", 7};

std::vector<Observation> some(int count) { return samples::observations(samples::unit(), count, 3); }

JournalContents read_journal(const std::string& path) { return read_journal_text(read_file(path), path); }

Search small() { return Search(samples::small_space()); }

/// A journal of the small space with these observations.
void write_journal(const std::string& path, const std::vector<Observation>& observations) {
  Journal journal(path, kFrom);
  (void)journal.begin(small());
  for (const auto& o : observations) journal.record(samples::kName, {&o, 1});
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
  EXPECT_EQ(std::ranges::count(text, '\n'), 2 * (1 + 4)) << "each closed by a line of its own";
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
  EXPECT_EQ(entry.search.space.skeletons, search.space.skeletons);
  EXPECT_EQ(entry.search.space.box, search.space.box);
  EXPECT_EQ(entry.search.size(), search.size());
}

/// How many of a journal's lines, of which the last may lack its end, are observations.
std::size_t whole_observations(const std::string& text) {
  std::size_t n = 0;
  std::istringstream in(text);
  for (std::string line; std::getline(in, line);)
    if (line.starts_with("{\"instruction\"") && Json::accept(line)) ++n;
  return n;
}

TEST(Journal, KeepsEveryWholeLineWhereverItIsCut) {
  const auto seen = some(3);
  const Folder folder;
  write_journal(folder / "whole", seen);
  const std::string whole = read_file(folder / "whole");
  const auto lines = std::ranges::count(whole, '\n');
  EXPECT_EQ(lines, 2 * (1 + 3));
  for (std::size_t cut = whole.find('\n'); cut <= whole.size(); ++cut) {
    const std::string left = whole.substr(0, cut);
    const auto contents = read_journal_text(left, "j");
    ASSERT_EQ(contents.entries.front().observations.size(), whole_observations(left)) << cut;
    const std::string last = left.substr(left.rfind('\n', left.size()) + 1);
    const bool torn = !last.empty() && !Json::accept(last);
    ASSERT_EQ(contents.warnings.size(), torn ? 1U : 0U) << cut;
    if (torn) {
      EXPECT_EQ(contents.warnings.front(), "j:" + std::to_string(std::ranges::count(left, '\n') + 1) +
                                               ": dropped the last line, which is incomplete");
    }
  }
}

TEST(Journal, GoesOnAfterACutAsIfThereHadBeenNone) {
  const auto seen = some(3);
  const Folder folder;
  write_journal(folder / "whole", seen);
  const std::string whole = read_file(folder / "whole");
  // The last observation and the line that closes its batch, cut after every byte.
  std::size_t begin = whole.size() - 1;
  for (int line = 0; line < 2; ++line) begin = whole.rfind('\n', begin - 1);
  for (std::size_t cut = begin; cut <= whole.size(); ++cut) {
    write_file(folder / "j", whole.substr(0, cut));
    write_journal(folder / "j", seen);
    ASSERT_EQ(read_file(folder / "j"), whole) << cut;
  }
}

TEST(Journal, DropsWhatADiskLeftEmpty) {
  const Folder folder;
  write_journal(folder / "j", some(2));
  const std::string whole = read_file(folder / "j");
  write_file(folder / "j", whole + std::string(5000, '\0'));
  Journal journal(folder / "j", kFrom);
  EXPECT_EQ(journal.warnings().size(), 1U);
  EXPECT_EQ(journal.begin(small()), some(2));
  EXPECT_EQ(read_file(folder / "j"), whole);
}

TEST(Journal, NoticesEveryChangedByte) {
  const Folder folder;
  write_journal(folder / "j", some(2));
  const std::string whole = read_file(folder / "j");
  const auto accepted = [](const std::string& text) {
    try {
      return read_journal_text(text, "j").warnings.empty();
    } catch (const BadInput& problem) {
      EXPECT_TRUE(std::string(problem.what()).starts_with("j:")) << problem.what();
      EXPECT_EQ(std::string(problem.what()).find('\n'), std::string::npos);
      return false;
    }
  };
  ASSERT_TRUE(accepted(whole));
  for (std::size_t i = 0; i < whole.size(); ++i)
    for (const int change : {1, 2, 16}) {
      std::string changed = whole;
      changed[i] = static_cast<char>(changed[i] ^ change);
      ASSERT_FALSE(accepted(changed)) << "byte " << i << ": " << whole[i] << " became " << changed[i];
    }
}

TEST(Journal, SaysWhichBatchWasChanged) {
  const Folder folder;
  write_journal(folder / "j", some(3));
  std::string text = read_file(folder / "j");
  const std::size_t d = text.find("\"d\":\"", text.find("\n{\"instruction\"")) + 5;
  text[d] = text[d] == '1' ? '2' : '1';
  write_file(folder / "j", text);
  const auto message = complaint<BadInput>([&] { Journal journal(folder / "j", kFrom); });
  EXPECT_TRUE(message.starts_with((folder / "j") + ":4: fnv1a64: expected \"")) << message;
  EXPECT_NE(message.find("the checksum of the 1 line before, found \""), std::string::npos) << message;
  EXPECT_EQ(read_file(folder / "j"), text) << "it is left as it is";
  // As observations, too.
  ObservationRules rules;
  EXPECT_EQ(complaint<BadInput>([&] { (void)read_observations(folder / "j", rules); }), message);
}

/// As versions wrote it that closed no batches.
std::string without_checksums(const std::string& journal) {
  std::string text;
  std::istringstream in(journal);
  for (std::string line; std::getline(in, line);)
    if (line.find(kBatchSchema) == std::string::npos) text += line + "\n";
  return text;
}

TEST(Journal, OfAnEarlierVersionIsReadAndGoesOn) {
  const Folder folder;
  write_journal(folder / "whole", some(4));
  const std::string old = without_checksums(read_file(folder / "whole"));
  EXPECT_EQ(read_journal_text(old, "j").entries.front().observations, some(4));
  write_file(folder / "j", old);
  write_journal(folder / "j", some(6));
  EXPECT_TRUE(read_file(folder / "j").starts_with(old));
  EXPECT_EQ(read_journal(folder / "j").entries.front().observations, some(6));
  // One after the other, as `cat` does.
  const std::string both = old + read_file(folder / "whole");
  EXPECT_EQ(read_journal_text(both, "j").entries.front().observations, some(4));
}

TEST(Journal, ClosesManyObservationsInBatches) {
  const Folder folder;
  const auto seen = samples::observations(samples::unit(), 3000, 5);
  const std::set<Observation> distinct(seen.begin(), seen.end());
  {
    Journal journal(folder / "j", kFrom);
    (void)journal.begin(small());
    journal.record(samples::kName, seen);
  }
  EXPECT_EQ(read_journal(folder / "j").entries.front().observations.size(), distinct.size());
  const auto lines = static_cast<std::size_t>(std::ranges::count(read_file(folder / "j"), '\n'));
  EXPECT_EQ(lines, 2 + distinct.size() + (distinct.size() + kLargestBatch - 1) / kLargestBatch);
}

/// No file grows beyond this many bytes while it lives.
class FileSizeLimit {
 public:
  explicit FileSizeLimit(std::size_t bytes) {
    before_handler_ = std::signal(SIGXFSZ, SIG_IGN);
    ::getrlimit(RLIMIT_FSIZE, &before_);
    const rlimit limited{bytes, before_.rlim_max};
    ::setrlimit(RLIMIT_FSIZE, &limited);
  }
  FileSizeLimit(const FileSizeLimit&) = delete;
  FileSizeLimit& operator=(const FileSizeLimit&) = delete;
  ~FileSizeLimit() {
    ::setrlimit(RLIMIT_FSIZE, &before_);
    std::signal(SIGXFSZ, before_handler_);
  }

 private:
  rlimit before_{};
  void (*before_handler_)(int) = SIG_DFL;
};

TEST(Journal, ThatCannotGrowKeepsWhatItHas) {
  const Folder folder;
  write_journal(folder / "one", some(1));
  const std::string one = read_file(folder / "one");
  const auto seen = some(3);
  for (std::size_t room = 0; room < 700; room += 23) {
    write_file(folder / "j", one);
    std::size_t recorded = 1;
    {
      Journal journal(folder / "j", kFrom);
      (void)journal.begin(small());
      const FileSizeLimit limit(one.size() + room);
      const auto message = complaint<JournalFailure>([&] {
        for (std::size_t i = 1; i < seen.size(); ++i, ++recorded)
          journal.record(samples::kName, {&seen[i], 1});
      });
      if (recorded == seen.size()) continue;
      EXPECT_EQ(message, (folder / "j") + ": the journal can't be written: File too large");
      EXPECT_EQ(complaint<JournalFailure>([&] { journal.record_identification({}); }), message);
    }
    const std::string text = read_file(folder / "j");
    EXPECT_TRUE(text.ends_with('\n')) << "no half of a line";
    const auto contents = read_journal(folder / "j");
    EXPECT_TRUE(contents.warnings.empty());
    EXPECT_GE(contents.entries.front().observations.size(), recorded);
    write_journal(folder / "j", seen);
    EXPECT_EQ(read_journal(folder / "j").entries.front().observations, seen) << "it goes on later";
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
    journal.record("other", {&seen[0], 1});
    journal.record(samples::kName, {&seen[0], 1});
    journal.record("other", {&seen[1], 1});
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
  ASSERT_EQ(::mkfifo((folder / "fifo").c_str(), 0600), 0);
  for (const std::string& name : {std::string("/dev/full"), folder / "fifo"})
    EXPECT_EQ(complaint<BadInput>([&] { Journal journal(name, kFrom); }),
              name + ": expected a journal, a regular file");
}

}  // namespace
}  // namespace mmaprint::journal_test
