// The catalogue against results recorded on GPUs.
#include <gtest/gtest.h>

#include <algorithm>

#include "device/catalogue.h"
#include "inference/check.h"
#include "samples.h"
#include "support/random.h"

namespace mmaprint::check_recorded_test {
namespace {

using Verdict = CheckResult::Verdict;

/// A file, the catalogued unit that it was recorded on, and one of its instructions with these formats.
struct Recording {
  const char* file;
  const char* unit;
  const char* instruction;
};
constexpr Recording kRecordings[] = {
    {"v100.wmma.f32.f16.jsonl", "v100", "mma.m8n8k4.f32.f16.f16.f32"},
    {"v100.wmma.f16.f16.jsonl", "v100", "mma.m8n8k4.f16.f16.f16.f16"},
    {"a100.wmma.f32.f16.jsonl", "a100", "mma.m16n8k8.f32.f16.f16.f32"},
    {"a100.wmma.f16.f16.jsonl", "a100", "mma.m16n8k8.f16.f16.f16.f16"},
    {"a100.wmma.f32.bf16.jsonl", "a100", "mma.m16n8k8.f32.bf16.bf16.f32"},
    {"a100.wmma.f32.tf32.jsonl", "a100", "mma.m16n8k4.f32.tf32.tf32.f32"},
    {"h100.wmma.f32.f16.jsonl", "h100", "mma.m16n8k16.f32.f16.f16.f32"},
    {"h100.wmma.f16.f16.jsonl", "h100", "mma.m16n8k16.f16.f16.f16.f16"},
    {"h100.wmma.f32.bf16.jsonl", "h100", "mma.m16n8k16.f32.bf16.bf16.f32"},
    {"h100.wmma.f32.tf32.jsonl", "h100", "mma.m16n8k8.f32.tf32.tf32.f32"},
    {"ada.mma.f32.e4m3.jsonl", "ada", "mma.m16n8k32.f32.e4m3.e4m3.f32"},
};

std::vector<ObservationRecord> read(const std::string& path, const UnitModel& model) {
  ObservationRules rules;
  rules.model_formats = model.formats;
  rules.k = model.k;
  rules.pad_zeros = true;
  rules.need_d = true;
  return read_observations(path, rules);
}

class Recorded : public testing::TestWithParam<Recording> {};

TEST_P(Recorded, IsWhatTheCatalogueGives) {
  const auto path = samples::recording(GetParam().file);
  if (!path) GTEST_SKIP() << "no recording " << GetParam().file << "; MMAPRINT_RECORDED names the folder";
  const auto model = catalogued_model(GetParam().unit, GetParam().instruction);
  ASSERT_TRUE(model.has_value());
  const auto result = check(*model, read(*path, *model), {});
  EXPECT_EQ(result.verdict, Verdict::consistent) << result.disagreeing << " disagree";
  EXPECT_GT(result.observations, 4900U);
}

TEST_P(Recorded, RefutesAnotherWidthOrFByOneObservation) {
  const auto path = samples::recording(GetParam().file);
  if (!path) GTEST_SKIP() << "no recording " << GetParam().file << "; MMAPRINT_RECORDED names the folder";
  const auto model = catalogued_model(GetParam().unit, GetParam().instruction);
  ASSERT_TRUE(model.has_value());
  if (model->formats.d == Format::fp16) GTEST_SKIP() << "FP16 results do not decide F";
  const auto seen = read(*path, *model);
  const auto refuted = [&](const UnitModel& other, const char* what) {
    const auto result = check(other, seen, {});
    EXPECT_EQ(result.verdict, Verdict::inconsistent) << what;
    EXPECT_EQ(result.refuting.size(), 1U);
    EXPECT_GT(result.disagreeing, 0U);
  };
  for (const int by : {-1, 1}) {
    UnitModel other = *model;
    *other.adders.front().alignment_fraction_bits += by;
    refuted(other, "F");
  }
  auto chain = *chain_of(model->tree);
  const std::vector<int> block = chain.blocks.front();
  // Recordings may use fewer products than a block holds, but at least four.
  const auto second = block.begin() + 2;
  chain.blocks.front() = {block.begin(), second};
  chain.blocks.insert(chain.blocks.begin() + 1, {second, block.end()});
  const Skeleton skeleton{model->paths, tree_of(chain)};
  refuted(unit_model(model->instruction, model->k, model->formats, skeleton, values_of(*model),
                     constant_nan(model->nan)),
          "width");
}

INSTANTIATE_TEST_SUITE_P(All, Recorded, testing::ValuesIn(kRecordings), [](const auto& test) {
  std::string name = test.param.file;
  std::ranges::replace(name, '.', '_');
  return name;
});

TEST(RecordedHypothesis, IsRefutedByFewOfTheResults) {
  if (test::counts_are_reduced()) GTEST_SKIP() << test::kTakesMinutesThen;
  const auto path = samples::recording("v100.wmma.f32.f16.jsonl");
  if (!path) GTEST_SKIP() << "no recording; MMAPRINT_RECORDED names the folder";
  const auto model = catalogued_model("v100", "mma.m8n8k4.f32.f16.f16.f32");
  auto seen = read(*path, *model);
  seen.resize(200);
  PartialModel hypothesis{model->instruction, model->k, model->formats, {}};
  hypothesis.features.fma_width = 4;
  EXPECT_EQ(check(hypothesis, seen, {}).verdict, Verdict::consistent);
  hypothesis.features.fma_width = 2;
  hypothesis.features.family = Family::fused_dot_add;  // and so carries no sums
  CheckOptions options;
  options.seconds_for_smallest = 600;  // however busy the machine is
  const auto result = check(hypothesis, seen, options);
  EXPECT_EQ(result.verdict, Verdict::inconsistent);
  EXPECT_FALSE(result.refuting.empty());
  EXPECT_LE(result.refuting.size(), 4U);
}

}  // namespace
}  // namespace mmaprint::check_recorded_test
