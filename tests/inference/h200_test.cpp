// What an H200 answered, and what was concluded from it: every recorded identification can be had again
// without the GPU.
#include <gtest/gtest.h>

#include <fstream>
#include <nlohmann/json.hpp>

#include "device/recording.h"
#include "inference/characterise.h"
#include "inference/inputs.h"
#include "model/evaluator.h"
#include "model/instruction.h"
#include "model/model_json.h"
#include "support/random.h"

namespace mmaprint::h200_test {
namespace {

const std::string kFolder = std::string(MMAPRINT_SOURCE_DIR) + "/tests/recordings";

Json recorded_models() {
  std::ifstream in(kFolder + "/h200.models.json");
  return Json::parse(in);
}

/// Does the identification give the recorded verdict, and a model that computes as the recorded one does?
void expect_as_recorded(const Recording& unit, const std::string& name, const Json& recorded) {
  SCOPED_TRACE(name);
  const auto instruction = instruction_from_name(name);
  ASSERT_TRUE(instruction);
  CharacteriseOptions options;
  options.identify.threads = 2;
  // Of an open proof the model is compared, unless there is time to see whether it ends by now.
  const bool is_open = recorded.at("verdict") == "unknown" && test::count(100) <= 100;
  options.identify.proof_steps = is_open ? 20'000 : 1'500'000;
  const Characterisation found =
      characterise(Search(default_space(name, instruction->k, instruction->formats)), Recorded{},
                   *instruction, unit.of(name), options, {});
  // Where a proof was not finished, more time may finish it.
  if (recorded.at("verdict") != "unknown" || found.result.verdict() != Identification::Verdict::equivalent) {
    EXPECT_EQ(kVerdictWords[static_cast<std::size_t>(found.result.verdict())],
              recorded.at("verdict").get<std::string>())
        << found.result.reason();
  }
  if (recorded.at("unit").is_null()) return;
  const Json document{{"instruction", name}, {"unit", recorded.at("unit")}};
  const auto model = std::get<UnitModel>(model_from_json(document, name));
  ASSERT_TRUE(found.result.model);
  const Evaluator expected(model);
  const Evaluator actual(*found.result.model);
  InputGenerator inputs(instruction->k, instruction->formats, 23);
  for (long n = 0; n < test::count(5000); ++n) {
    const DotInput in = inputs.next();
    ASSERT_EQ(actual(in), expected(in));
  }
}

TEST(H200, EveryRecordedInstructionHasObservationsAndAVerdict) {
  const Json models = recorded_models();
  const Recording unit("replay:h200", kFolder + "/h200.jsonl", std::nullopt);
  EXPECT_EQ(unit.instructions().size(), models.size());
  std::size_t identified = 0;
  for (const InstructionInfo& info : unit.instructions()) {
    ASSERT_TRUE(models.contains(info.instruction.name)) << info.instruction.name;
    if (models.at(info.instruction.name).at("verdict") == "equivalent") ++identified;
  }
  EXPECT_GE(identified, 200U);
}

TEST(H200, OneOfEachGroupIsIdentifiedFromTheRecording) {
  if (test::counts_are_reduced()) GTEST_SKIP() << test::kTakesMinutesThen;
  const Json models = recorded_models();
  const Recording unit("replay:h200", kFolder + "/h200.jsonl", std::nullopt);
  for (const char* name :
       {"mma.m16n8k8.f32.f16.f16.f32", "mma.m16n8k16.f16.f16.f16.f16", "mma.m16n8k4.f32.tf32.tf32.f32",
        "mma.m8n8k4.row.col.f32.f16.f16.f32", "mma.m8n8k4.row.col.f16.f16.f16.f16",
        "mma.m8n8k4.f64.f64.f64.f64", "mma.m8n8k4.f64.f64.f64.f64.rz", "mma.m16n8k16.f32.e4m3.e4m3.f32",
        "mma.m16n8k32.s32.s8.u8.s32.satfinite", "mma.m8n8k32.s32.u4.s4.s32",
        "mma.m8n8k128.s32.b1.b1.s32.xor.popc", "mma.sp.m16n8k16.f32.f16.f16.f32", "wgmma.m64n8k32.s32.s8.u8",
        "wgmma.m64n8k256.s32.b1.b1.and.popc", "wgmma.sp.m64n8k16.f32.tf32.tf32"})
    expect_as_recorded(unit, name, models.at(name));
}

/// Minutes of work: with the tests that are left out by default.
TEST(H200, AllRecordedIdentificationsHoldOnRandomInputs) {
  if (test::count(100) <= 100) GTEST_SKIP() << "only with MMAPRINT_TEST_COUNTS=full";
  const Json models = recorded_models();
  const Recording unit("replay:h200", kFolder + "/h200.jsonl", std::nullopt);
  for (const auto& [name, recorded] : models.items()) expect_as_recorded(unit, name, recorded);
}

}  // namespace
}  // namespace mmaprint::h200_test
