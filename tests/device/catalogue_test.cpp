// What the catalogue says, against published values and against results: MMA-Sim's, and those of an H200.
#include "device/catalogue.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "device/read.h"
#include "model/evaluator.h"
#include "model/features.h"
#include "model/model_json.h"
#include "support/flat.h"

namespace mmaprint::catalogue_test {
namespace {

TEST(Catalogue, HoldsOnlyLegalModelsWithNamesOfTheirOwn) {
  for (const CataloguedUnit& unit : catalogued_units()) {
    std::set<std::string> names;
    const auto models = catalogued_models(unit.name);
    EXPECT_FALSE(models.empty()) << unit.name;
    for (const UnitModel& model : models) {
      EXPECT_NO_THROW(validate(model)) << unit.name << " " << model.instruction;
      EXPECT_TRUE(names.insert(model.instruction).second) << unit.name << " " << model.instruction;
      EXPECT_EQ(catalogued_model(unit.name, model.instruction), model);
      EXPECT_EQ(std::get<UnitModel>(model_from_text(to_json(model).dump(), "f")), model);
    }
  }
}

TEST(Catalogue, StatesThePublishedFeatures) {
  const auto features = [](const char* unit, const char* instruction) {
    return features_of(catalogued_model(unit, instruction).value());
  };
  const Features v100 = features("v100", "mma.m8n8k4.f32.f16.f16.f32");
  EXPECT_EQ(v100.fma_width, 4);
  EXPECT_EQ(v100.extra_alignment_bits, 0);
  EXPECT_EQ(v100.get<Parameter::extra_carry_bits>(), CarryBits(AtLeast{4}));
  EXPECT_EQ(features("a100", "mma.m16n8k16.f32.f16.f16.f32").blocks.size(), 2U);
  EXPECT_EQ(features("a100", "mma.m16n8k8.f32.f16.f16.f32").get<Parameter::extra_carry_bits>(),
            CarryBits(AtLeast{5}));
  EXPECT_EQ(features("a100", "mma.m16n8k8.f32.tf32.tf32.f32").fma_width, 4);
  EXPECT_EQ(features("a100", "mma.m16n8k8.f16.f16.f16.f16").final_rounding, Rounding::nearest_even);
  EXPECT_EQ(features("a100", "mma.m8n8k4.f64.f64.f64.f64").family, Family::fma_chain);
  const Features h100 = features("h100", "mma.m16n8k16.f32.f16.f16.f32");
  EXPECT_EQ(h100.extra_alignment_bits, 2);
  EXPECT_EQ(h100.get<Parameter::extra_carry_bits>(), CarryBits(AtLeast{6}));
  const Features fp8 = features("h100", "wgmma.m64n8k32.f32.e4m3.e4m3");
  EXPECT_EQ(fp8.fma_width, 32);
  EXPECT_EQ(fp8.get<Parameter::output_fraction_bits>(), 13);
  EXPECT_EQ(fp8.extra_alignment_bits, -10);
}

TEST(Catalogue, HasTheRuleOfAHoppersFp64Nans) {
  const auto model = [](const char* unit) {
    return catalogued_model(unit, "mma.m8n8k4.f64.f64.f64.f64").value();
  };
  EXPECT_EQ(model("a100").nan, NanBehaviour(SeveralNans{}));
  constexpr Pattern kOne = 0x3ff0000000000000, kNanA = 0xfff8000000000a0a, kNanB = 0x7ff0000000000b0b,
                    kNanC = 0x7ff8000000000c0c;
  DotInput in{{kOne, kOne, kNanA, kOne}, {kOne, kOne, kOne, kOne}, kOne};
  EXPECT_EQ(evaluate(model("h100"), in), kNanA);
  in.c = kNanC;
  EXPECT_EQ(evaluate(model("h100"), in), kNanC);
  in.b[2] = kNanB;
  EXPECT_EQ(evaluate(model("h100"), in), 0x7ff8000000000b0bU);
}

TEST(Catalogue, GivesASourceThatDiffersAUnitOfItsOwn) {
  const auto model = [](const char* unit, const char* instruction) {
    return catalogued_model(unit, instruction).value();
  };
  const auto width = [&](const char* unit, const char* instruction) {
    return features_of(model(unit, instruction)).fma_width;
  };
  EXPECT_EQ(width("t4", "mma.m16n8k8.f32.f16.f16.f32"), 4);
  EXPECT_EQ(width("t4-mmasim", "mma.m16n8k8.f32.f16.f16.f32"), 8);
  EXPECT_EQ(model("t4-mmasim", "mma.m8n8k4.f32.f16.f16.f32"), model("t4", "mma.m8n8k4.f32.f16.f16.f32"));
  EXPECT_EQ(width("a100-tf32x8", "mma.m16n8k8.f32.tf32.tf32.f32"), 8);
  EXPECT_EQ(width("a100-tf32x8", "mma.m16n8k16.f32.f16.f16.f32"), 8);
  EXPECT_EQ(model("v100", "mma.m8n8k4.f32.f16.f16.f32").adders.front().extra_carry_bits, std::nullopt);
  EXPECT_EQ(model("v100-27bit", "mma.m8n8k4.f32.f16.f16.f32").adders.front().extra_carry_bits, 3);
  EXPECT_TRUE(catalogued_model("a100", "mma.m8n8k4.f64.f64.f64.f64"));
  EXPECT_FALSE(catalogued_model("rtx3060", "mma.m8n8k4.f64.f64.f64.f64"));
}

TEST(Catalogue, ClampsTheAlignmentExponentAsItsSourcesDo) {
  const auto clamp = [](const char* unit, const char* instruction) {
    return catalogued_model(unit, instruction).value().adders.front().minimum_alignment_exponent;
  };
  EXPECT_EQ(clamp("v100", "mma.m8n8k4.f32.f16.f16.f32"), std::nullopt);
  EXPECT_EQ(clamp("v100", "mma.m8n8k4.f16.f16.f16.f16"), -19);
  EXPECT_EQ(clamp("t4", "mma.m8n8k4.f16.f16.f16.f16"), -19);
  EXPECT_EQ(clamp("t4", "mma.m16n8k8.f16.f16.f16.f16"), -20);
  for (const char* unit : {"a100", "ada", "rtx3060"}) {
    EXPECT_EQ(clamp(unit, "mma.m16n8k16.f32.bf16.bf16.f32"), -132) << unit;
    EXPECT_EQ(clamp(unit, "mma.m16n8k16.f16.f16.f16.f16"), -20) << unit;
  }
  for (const char* unit : {"h100", "b200"}) {
    EXPECT_EQ(clamp(unit, "mma.m16n8k16.f32.bf16.bf16.f32"), -133) << unit;
    EXPECT_EQ(clamp(unit, "mma.m16n8k16.f16.f16.f16.f16"), -21) << unit;
  }
}

TEST(Catalogue, SaturatesIntegersWhereTheNameSaysSo) {
  const auto d = [](const char* instruction, Pattern byte) {
    const UnitModel model = catalogued_model("a100", instruction).value();
    const auto k = static_cast<std::size_t>(model.k);
    return evaluate(model, {std::vector<Pattern>(k, byte), std::vector<Pattern>(k, byte), 0x7fffffff});
  };
  EXPECT_EQ(d("mma.m16n8k32.s32.s8.s8.s32", 1), 0x8000001fU);
  EXPECT_EQ(d("mma.m16n8k32.s32.s8.s8.s32.satfinite", 1), 0x7fffffffU);
  EXPECT_EQ(d("mma.m16n8k128.s32.b1.b1.s32.and.popc", 1), 0x8000007fU);
  EXPECT_EQ(d("mma.m16n8k128.s32.b1.b1.s32.xor.popc", 1), 0x7fffffffU);
}

/// How many of the records the model does not give, and the first of them.
struct Disagreement {
  std::size_t count = 0;
  std::string first = {};
};
Disagreement disagreement(const UnitModel& model, const std::vector<ObservationRecord>& records) {
  Disagreement found;
  const Evaluator unit(model);
  for (const ObservationRecord& record : records)
    if (unit(record.input) != as_modelled(model, *record.d) && found.count++ == 0)
      found.first = record.place() + ": " + record.text;
  return found;
}

std::vector<ObservationRecord> records_of(const std::string& path, const UnitModel& model) {
  ObservationRules rules;
  rules.model_formats = model.formats;
  rules.k = model.k;
  rules.need_d = true;
  return read_observations(path, rules);
}

std::filesystem::path mmasim_folder() {
  const char* stated = std::getenv("MMAPRINT_MMASIM");
  return stated != nullptr ? stated : MMAPRINT_SOURCE_DIR "/../shared/data/mmasim";
}

/// A file's unit and instruction: "kind-f16" is "kind::f16" in the instruction's name.
std::pair<std::string, std::string> named_by(const std::filesystem::path& file) {
  const std::string name = file.stem();
  std::string instruction = name.substr(name.find('.') + 1);
  if (const auto kind = instruction.find("kind-"); kind != std::string::npos)
    instruction.replace(kind, 5, "kind::");
  return {name.substr(0, name.find('.')), instruction};
}

/// Rows that follow a measurement where MMA-Sim says something else, and the unit that follows MMA-Sim.
struct FollowsMeasurement {
  std::string_view unit, instruction, as_mmasim;
};
constexpr std::array kMeasured{
    // Fasi et al. 2021 measured blocks of 4.
    FollowsMeasurement{"t4", "mma.m16n8k8.f32.f16.f16.f32", "t4-mmasim"},
    FollowsMeasurement{"t4", "mma.m16n8k8.f16.f16.f16.f16", "t4-mmasim"},
};

TEST(CatalogueAndMmaSim, AgreeButForRowsThatFollowAMeasurement) {
  if (!std::filesystem::is_directory(mmasim_folder()))
    GTEST_SKIP() << "no results of MMA-Sim; MMAPRINT_MMASIM names the folder";
  int compared = 0;
  for (const auto& entry : std::filesystem::directory_iterator(mmasim_folder())) {
    SCOPED_TRACE(entry.path().stem().string());
    const auto [unit, instruction] = named_by(entry.path());
    const auto model =
        entry.path().extension() == ".jsonl" ? catalogued_model(unit, instruction) : std::nullopt;
    if (!model) continue;
    ++compared;
    const auto records = records_of(entry.path(), *model);
    EXPECT_GE(records.size(), 250U);
    const Disagreement found = disagreement(*model, records);
    const auto other =
        std::ranges::find_if(kMeasured, [&, &u = unit, &i = instruction](const FollowsMeasurement& row) {
          return row.unit == u && row.instruction == i;
        });
    if (other == kMeasured.end()) {
      EXPECT_EQ(found.count, 0U) << found.first;
      continue;
    }
    EXPECT_GT(found.count, 0U) << "nothing to choose between";
    const Disagreement left = disagreement(catalogued_model(other->as_mmasim, instruction).value(), records);
    EXPECT_EQ(left.count, 0U) << left.first;
  }
  EXPECT_GE(compared, 57);
}

/// Units that the catalogue does not have: AMD's, with carried and rounded products and zeros that take part,
/// and Blackwell's.
TEST(ModelFilesOfTheExamples, GiveWhatMmaSimGives) {
  if (!std::filesystem::is_directory(mmasim_folder()))
    GTEST_SKIP() << "no results of MMA-Sim; MMAPRINT_MMASIM names the folder";
  int compared = 0;
  for (const auto& entry : std::filesystem::directory_iterator(MMAPRINT_SOURCE_DIR "/examples/models")) {
    SCOPED_TRACE(entry.path().filename().string());
    const auto model = std::get<UnitModel>(load_model(entry.path().string()));
    const auto records =
        records_of((mmasim_folder() / (entry.path().stem().string() + ".jsonl")).string(), model);
    EXPECT_GE(records.size(), 250U);
    const Disagreement found = disagreement(model, records);
    EXPECT_EQ(found.count, 0U) << found.first;
    ++compared;
  }
  EXPECT_GE(compared, 24);
}

/// So a GPU that has such an instruction compares it in bulk.
TEST(ModelFilesOfTheExamples, AreComputedAlikeByTheFlatEvaluator) {
  test::Random random(test::starting_seed(7'260));
  for (const auto& entry : std::filesystem::directory_iterator(MMAPRINT_SOURCE_DIR "/examples/models")) {
    SCOPED_TRACE(entry.path().filename().string());
    const auto model = std::get<UnitModel>(load_model(entry.path().string()));
    EXPECT_TRUE(test::expect_flat_agrees(random, model, 200));
  }
}

/// That the tests above leave none out.
TEST(CatalogueAndMmaSim, HaveTheSameInstructions) {
  if (!std::filesystem::is_directory(mmasim_folder()))
    GTEST_SKIP() << "no results of MMA-Sim; MMAPRINT_MMASIM names the folder";
  int files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(mmasim_folder())) {
    if (entry.path().extension() != ".jsonl") continue;
    ++files;
    const auto [unit, instruction] = named_by(entry.path());
    EXPECT_TRUE(catalogued_model(unit, instruction)) << entry.path();
  }
  EXPECT_GE(files, 57);
}

TEST(CatalogueAndTheRecordedH200, AgreeOnEveryInstructionThatBothHave) {
  ObservationRules rules;
  rules.need_d = true;
  std::map<std::string, std::vector<ObservationRecord>> recorded;
  for (ObservationRecord& record :
       read_observations(MMAPRINT_SOURCE_DIR "/tests/recordings/h200.jsonl", rules))
    recorded[record.instruction].push_back(std::move(record));
  int compared = 0;
  for (const UnitModel& model : catalogued_models("h100")) {
    const auto records = recorded.find(model.instruction);
    if (records == recorded.end()) continue;
    ++compared;
    const Disagreement found = disagreement(model, records->second);
    EXPECT_EQ(found.count, 0U) << found.first;
  }
  EXPECT_GE(compared, 150);
}

}  // namespace
}  // namespace mmaprint::catalogue_test
