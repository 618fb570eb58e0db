// Documents and spaces as JSON.
#include "inference/document.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "inference/set_difference.h"
#include "inference/space_json.h"
#include "model/json_reader.h"
#include "samples.h"

namespace mmaprint::document_test {
namespace {

const Search& small() {
  static const Search kSearch(samples::small_space());
  return kSearch;
}
const Identification& found() {
  static const Identification kFound = samples::identified(small().space, samples::unit());
  return kFound;
}

Json document() { return identification_document(small(), found(), "sim:sample", "cert"); }

TEST(IdentificationDocument, HoldsWhatAnIdentificationIs) {
  const Json json = document();
  EXPECT_EQ(json["schema"], "mmaprint/identification/1");
  EXPECT_EQ(json["device"], "sim:sample");
  EXPECT_EQ(json["instruction"], samples::kName);
  EXPECT_EQ(json["verdict"], "equivalent");
  EXPECT_EQ(json["certificate"], "cert");
  EXPECT_EQ(json["observations"], found().observations.size());
  EXPECT_EQ(json["space"]["hypotheses"], count_to_json(small().size()));
  EXPECT_FALSE(json.contains("conflict"));
  EXPECT_TRUE(json["seconds"].contains("solver"));
}

TEST(IdentificationDocument, IsAModel) {
  EXPECT_EQ(std::get<UnitModel>(model_from_text(document().dump(), "id.json")), *found().model);
}

TEST(IdentificationDocument, ListsWhatNoInputCanShow) {
  const Json json = document();
  const Json& list = json["model"]["unobservable"];
  const auto clamp =
      std::ranges::find_if(list, [](const Json& u) { return u["feature"] == "minimum_alignment_exponent"; });
  ASSERT_NE(clamp, list.end());
  EXPECT_EQ((*clamp)["values"].size(), 2U);
  EXPECT_TRUE((*clamp)["proof"].get<std::string>().starts_with("proofs/"));
  // What inputs do show is not among them.
  for (const Json& u : list) EXPECT_NE(u["feature"], "alignment_fraction_bits");
}

TEST(IdentificationDocument, GivesSurvivorsAsClasses) {
  const Json json = document();
  ASSERT_EQ(json["survivors"].size(), found().survivors.size());
  double n = 0;
  for (const Json& survivor : json["survivors"]) {
    EXPECT_EQ(survivor["standing"], "proved");
    EXPECT_NO_THROW((void)model_from_json(survivor["model"], "survivor"));
    n += survivor["hypotheses"].get<double>();
  }
  EXPECT_GE(n, 2);
}

TEST(IdentificationDocument, ShowsTheConflictWhereNothingExplainsTheUnit) {
  Space space = samples::small_space();
  const auto result = samples::identified(space, samples::stranger());
  ASSERT_EQ(result.verdict(), Identification::Verdict::none);
  const Json json = identification_document(Search(space), result, "sim:sample", std::nullopt);
  EXPECT_EQ(json["verdict"], "none");
  EXPECT_TRUE(json["model"].is_null());
  EXPECT_TRUE(json["certificate"].is_null());
  ASSERT_FALSE(json["conflict"].empty());
  for (const Json& seen : json["conflict"]) {
    EXPECT_TRUE(seen.contains("d"));
    EXPECT_TRUE(seen.contains("predicted"));
  }
  EXPECT_NO_THROW((void)model_from_json(json["nearest"], "nearest"));
}

TEST(SpaceText, ReadsBackTheDefaultSpace) {
  const Search search(default_space("dot", 8, {Format::bf16, Format::bf16, Format::fp32, Format::fp32}));
  const Json json = Json::parse(to_json(search).dump());
  const Search again = search_from_json(JsonReader(json), {"dot", 8, search.space.formats});
  EXPECT_EQ(again.space.skeletons, search.space.skeletons);
  EXPECT_EQ(again.space.box, search.space.box);
  EXPECT_TRUE(again.is_default());
}

TEST(SpaceText, ReadsBackSets) {
  const Space space = samples::small_space();
  for (HypothesisSet set : space.whole()) {
    set.nan = 0xffc00001;
    const Json json = Json::parse(to_json(space, set).dump());
    EXPECT_TRUE(same(set_from_json(JsonReader(json), space), set));
  }
}

TEST(SpaceText, ReadsTheChainsAndFinalRoundingsOfOlderDocuments) {
  const Search search(samples::small_space());
  const Json every_rounding = to_json(Parameter::block_rounding, ValueSet::range(0, 5), Runs::merged);
  Json json = to_json(search);
  json["chains"] = json["skeletons"];
  json.erase("skeletons");
  json["parameters"]["final_rounding"] = every_rounding;
  const Search again =
      search_from_json(JsonReader(json), {std::string(samples::kName), 4, samples::kFp16ToFp32});
  EXPECT_EQ(again.space.skeletons, search.space.skeletons);
  EXPECT_EQ(again.space.box, search.space.box);
  EXPECT_EQ(again.size(), search.size());

  const ParameterKey final_rounding{Parameter::block_rounding, 1};
  int roots = 0;
  for (HypothesisSet set : search.space.whole()) {
    const bool has_root = set.box.classes() == 2;
    if (has_root) set.box[final_rounding] = ValueSet::single(static_cast<int>(Rounding::up));
    Json older = to_json(search.space, set);
    EXPECT_EQ(older["parameters"].contains("final_rounding"), has_root);
    older["parameters"]["final_rounding"] = Json::array({has_root ? "up" : "toward-zero"});
    EXPECT_TRUE(same(set_from_json(JsonReader(older), again.space), set)) << older.dump();
    roots += has_root ? 1 : 0;
  }
  EXPECT_EQ(roots, 1);
}

TEST(SpaceText, MergesRunsOnlyWhereAsked) {
  const auto values = ValueSet::range(0, 40);
  EXPECT_EQ(to_json(Parameter::alignment_fraction_bits, values, Runs::merged).dump(),
            R"([{"from":0,"to":40}])");
  EXPECT_EQ(to_json(Parameter::alignment_fraction_bits, values, Runs::listed).size(), 41U);
  EXPECT_EQ(to_json(Parameter::block_rounding, ValueSet::range(0, 3), Runs::merged).dump(),
            R"(["toward-zero","nearest-even","up","down"])");
  EXPECT_EQ(to_json(Parameter::extra_carry_bits, ValueSet::range(6, 7), Runs::merged).dump(), "[6,null]");
}

TEST(SpaceText, RefusesACountThatIsNotTheSpaces) {
  Json json = to_json(small());
  json["hypotheses"] = 1;
  EXPECT_THROW(
      (void)search_from_json(JsonReader(json), {std::string(samples::kName), 4, samples::kFp16ToFp32}),
      FieldError);
}

TEST(CheckDocument, NamesFileAndLine) {
  CheckResult result;
  result.verdict = CheckResult::Verdict::inconsistent;
  result.observations = 3;
  ObservationRecord record;
  record.file = "seen.jsonl";
  record.line = 2;
  record.instruction = samples::kName;
  record.formats = samples::kFp16ToFp32;
  record.input = {{0, 0, 0, 0}, {0, 0, 0, 0}, 0};
  record.d = 0x3f800000;
  result.refuting = {{record, {0}}};
  EXPECT_EQ(check_document(result)["refuting"].dump(),
            R"([{"instruction":"mma.m8n8k4.f32.f16.f16.f32","a":["0000","0000","0000","0000"],)"
            R"("b":["0000","0000","0000","0000"],"c":"00000000","d":"3f800000","predicted":"00000000",)"
            R"("file":"seen.jsonl","line":2}])");
}

}  // namespace
}  // namespace mmaprint::document_test
