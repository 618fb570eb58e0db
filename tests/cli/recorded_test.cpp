// Observations that real GPUs gave, where they are at hand.
#include <gtest/gtest.h>

#include <cstdlib>

#include "program.h"
#include "support/random.h"

namespace mmaprint::test::recorded_test {
namespace {

std::string recorded(const std::string& name) {
  const char* folder = std::getenv("MMAPRINT_RECORDED");
  return (folder != nullptr ? std::string(folder) : source("../shared/data/recorded")) + "/" + name;
}

struct RecordedCase {
  const char* file;
  const char* instruction;  ///< of the catalogue, with K of the file
  const char* unit;
  int fraction_bits;
};

std::ostream& operator<<(std::ostream& out, const RecordedCase& c) {
  out << c.file;
  return out;
}

class Recorded : public testing::TestWithParam<RecordedCase> {
 protected:
  void SetUp() override {
    if (!std::filesystem::exists(recorded(GetParam().file))) GTEST_SKIP() << "no recorded data";
  }
};

TEST_P(Recorded, IsWhatTheCataloguedUnitGives) {
  const RecordedCase& c = GetParam();
  EXPECT_EQ(
      mmaprint({"check", std::string(c.unit) + "#" + c.instruction, recorded(c.file), "--pad-zeros"}).exit,
      0);
}

TEST_P(Recorded, IsIdentifiedWithModelsThatFit) {
  if (test::counts_are_reduced() && GetParam().fraction_bits != 23) GTEST_SKIP() << test::kTakesMinutesThen;
  const Folder folder;
  const std::string file = folder.path("found.json");
  const Finished run = mmaprint({"identify", "replay:" + recorded(GetParam().file), "--all", "--json"});
  ASSERT_TRUE(run.exit == 0 || run.exit == 3) << run.err;
  const auto found = run.json().at("results").at(0);
  EXPECT_EQ(found.at("model").at("features").at("alignment_fraction_bits"), GetParam().fraction_bits);
  for (const auto& survivor : found.at("survivors")) {
    const std::string model = folder.file("model.json", survivor.at("model").dump());
    EXPECT_EQ(mmaprint({"check", model, recorded(GetParam().file)}).exit, 0);
  }
}

INSTANTIATE_TEST_SUITE_P(
    All, Recorded,
    testing::Values(RecordedCase{"a100.wmma.f32.f16.jsonl", kDot8, "sim:a100", 24},
                    RecordedCase{"a100.wmma.f32.tf32.jsonl", kDot4, "sim:a100", 24},
                    RecordedCase{"h100.wmma.f32.f16.jsonl", "mma.m16n8k16.f32.f16.f16.f32", "sim:h100", 25},
                    RecordedCase{"v100.wmma.f32.f16.jsonl", "mma.m8n8k4.f32.f16.f16.f32", "sim:v100", 23}));

}  // namespace
}  // namespace mmaprint::test::recorded_test
