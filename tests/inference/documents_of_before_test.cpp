// Documents that earlier versions wrote, as they wrote them (tests/recordings/before): still read, and true.
#include <gtest/gtest.h>

#include <algorithm>
#include <string>
#include <vector>

#include "base/files.h"
#include "inference/check.h"
#include "inference/journal.h"
#include "inference/verification.h"
#include "model/evaluator.h"
#include "model/model_json.h"
#include "samples.h"

namespace mmaprint::documents_of_before_test {
namespace {

using samples::Folder;

const std::string kBefore = MMAPRINT_SOURCE_DIR "/tests/recordings/before/";
constexpr std::string_view kInstruction = "mma.m8n8k4.f32.f16.f16.f32";

std::vector<Observation> without_order(std::vector<Observation> all) {
  std::ranges::sort(all);
  return all;
}

TEST(DocumentsOfBefore, AJournalWithoutChecksumsIsReadAndContinued) {
  const std::string text = read_file(kBefore + "journal.jsonl");
  ASSERT_EQ(text.find("fnv1a64"), std::string::npos);
  const JournalContents contents = read_journal_text(text, "journal.jsonl");
  ASSERT_EQ(contents.entries.size(), 1U);
  EXPECT_TRUE(contents.warnings.empty());
  const JournalEntry& entry = contents.entries.front();
  EXPECT_EQ(entry.search.space.instruction, kInstruction);
  EXPECT_GT(entry.observations.size(), 10U);
  ASSERT_NE(entry.identification, nullptr);
  EXPECT_EQ(entry.identification->at("schema"), "mmaprint/identification/1");

  const Folder folder;
  samples::write_file(folder / "journal.jsonl", text);
  Journal journal(folder / "journal.jsonl", entry.from);
  EXPECT_EQ(without_order(journal.recorded(kInstruction)), without_order(entry.observations));
  EXPECT_EQ(journal.begin(entry.search).size(), entry.observations.size());
}

TEST(DocumentsOfBefore, AModelIsReadWithTheMeaningThatItHad) {
  const auto model = std::get<UnitModel>(load_model(kBefore + "certificate/model.json"));
  EXPECT_EQ(model.instruction, kInstruction);
  const JournalContents contents = read_journal_text(read_file(kBefore + "journal.jsonl"), "journal.jsonl");
  const Evaluator unit(model);
  for (const Observation& o : contents.entries.front().observations) EXPECT_EQ(unit(o.input), o.d);
  // As it is written now, it is the same.
  EXPECT_EQ(std::get<UnitModel>(model_from_text(to_json(model).dump(), "model.json")), model);
}

TEST(DocumentsOfBefore, ACertificateIsValid) {
  const std::string manifest = read_file(kBefore + "certificate/manifest.json");
  ASSERT_EQ(manifest.find("sha256"), std::string::npos);
  const Verification found = verify_certificate(kBefore + "certificate", {});
  EXPECT_EQ(found.verdict, Verification::Verdict::valid)
      << (found.failures.empty() ? "" : found.failures.front());
  EXPECT_GT(found.checked.observations, 10U);
  EXPECT_EQ(found.checked.reproduced, found.checked.observations);
  EXPECT_TRUE(found.checked.default_space);
  EXPECT_GT(found.checked.proofs, 0U);
}

}  // namespace
}  // namespace mmaprint::documents_of_before_test
