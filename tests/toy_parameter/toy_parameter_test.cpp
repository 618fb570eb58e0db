// A parameter that nothing but its member and its row knows of (CMakeLists.txt): indices, text, boxes,
// features, experiments, proofs, certificates and reports have it all the same. It does nothing in the
// datapath, so that no input can show it.
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <filesystem>

#include "device/simulated.h"
#include "inference/by_need.h"
#include "inference/certificate.h"
#include "inference/document.h"
#include "inference/packed_box.h"
#include "inference/representative.h"
#include "inference/space_json.h"
#include "inference/verification.h"
#include "model/evaluator.h"
#include "model/fixed_parameters.h"
#include "model/json_reader.h"
#include "model/spelling.h"
#include "report/identification_text.h"
#include "report/model_text.h"

namespace mmaprint::toy_parameter_test {
namespace {

constexpr Parameter kToy = Parameter::toy;
constexpr Signature kFormats{Format::fp16, Format::fp16, Format::fp32, Format::fp32};
const Instruction kDot2{"dot2", 2, kFormats};

/// Everything known but the toy and one rounding.
Space small_space() {
  ParameterValues values;
  values.adders.front().alignment_fraction_bits = 24;
  values.adders.front().output_fraction_bits = 23;
  const Skeleton skeleton{{}, tree_of(Chain{{{0, 1}}, CEnters::last})};
  Space space{kDot2.name, kDot2.k, kFormats, {skeleton}, Box(values), NanResults::one_pattern};
  space.box[kToy] = ValueSet::range(0, 2);
  space.box[Parameter::alignment_rounding] = ValueSet::range(0, 1);
  return space;
}

UnitModel unit_with(Toy toy) {
  const Space space = small_space();
  ParameterValues values = space.whole(0).box.lowest();
  values.adders.front().toy = toy;
  return space.model(0, values, canonical_nan(Format::fp32));
}

PartialFeatures only_green() {
  PartialFeatures stated;
  stated.get<kToy>() = Toy::green;
  return stated;
}

struct Found {
  Search search{small_space()};
  Identification result;
};
Found identified() {
  Found found;
  SimulatedUnit device("sim:toy", "a toy", {unit_with(Toy::green)});
  IdentifyOptions options;
  options.confirming_inputs = 200;
  found.result = identify(found.search.space, found.search.start(), device, kDot2, {}, options, {});
  return found;
}

TEST(ToyParameter, IsSetAndReadByIndex) {
  ParameterValues values;
  for (int index = 0; index < 3; ++index) {
    set_value(values, {kToy}, index);
    EXPECT_EQ(value_index(values, {kToy}), index);
    EXPECT_EQ(values.adders.front().toy, static_cast<Toy>(index));
    EXPECT_EQ(typed_value<kToy>(index), static_cast<Toy>(index));
    EXPECT_EQ(parameter_of<kToy>(values.adders.front(), values.conventions), static_cast<Toy>(index));
  }
  EXPECT_EQ(info(kToy).size, 3);
  EXPECT_EQ(value_text(kToy, 1), "green");
}

TEST(ToyParameter, IsWrittenInModelsAndReadBack) {
  const UnitModel model = unit_with(Toy::green);
  Json json = to_json(model);
  EXPECT_EQ(json["unit"]["adders"][0]["toy"], "green");
  EXPECT_EQ(json["unit"]["adders"][1]["toy"], "blue") << "a root of its own has the default";
  EXPECT_EQ(json["features"]["toy"], "green");
  EXPECT_EQ(std::get<UnitModel>(model_from_json(json, "test")), model);
  json["unit"]["adders"][0]["toy"] = "black";
  try {
    (void)model_from_json(json, "test");
    ADD_FAILURE() << "no complaint";
  } catch (const BadInput& problem) {
    EXPECT_STREQ(problem.what(), "test: unit.adders[0].toy: expected red, green or blue, found \"black\"");
  }
}

TEST(ToyParameter, MeansNothingForIntegers) {
  const Signature integers{Format::int8, Format::int8, Format::int32, Format::int32};
  const Space space = default_space("i", 2, integers);
  EXPECT_EQ(space.box[kToy].values(), std::vector{static_cast<int>(Toy::blue)});
  EXPECT_TRUE(to_json(space.model(0, space.box.lowest(), {}))["features"]["toy"].is_null());
}

TEST(ToyParameter, IsAFeatureThatDisagreesAndRestricts) {
  EXPECT_EQ(features_of(unit_with(Toy::green)).get<kToy>(), Toy::green);
  EXPECT_EQ(first_disagreement(only_green(), features_of(unit_with(Toy::red))), "toy");
  EXPECT_EQ(first_disagreement(only_green(), features_of(unit_with(Toy::green))), std::nullopt);
  const Json json = to_json(PartialModel{kDot2.name, kDot2.k, kFormats, only_green()});
  EXPECT_EQ(json["features"].dump(), R"({"toy":"green"})");
  EXPECT_EQ(std::get<PartialModel>(model_from_json(json, "test")).features, only_green());
  const Search search(small_space(), only_green());
  EXPECT_EQ(search.start().front().box[kToy], ValueSet::single(1));
  EXPECT_EQ(search.size(), 2);
}

TEST(ToyParameter, IsListedAmongFeaturesAtItsPlace) {
  const auto texts = feature_texts(features_of(unit_with(Toy::green)), kFormats);
  const auto toy = std::ranges::find(texts, "toy", &FeatureText::name);
  ASSERT_NE(toy, texts.end());
  EXPECT_EQ(toy->value, "green");
  EXPECT_EQ(std::prev(toy)->name, "normalisation");
  EXPECT_EQ(std::next(toy)->name, "product");
}

TEST(ToyParameter, IsSearchedUnlessToldOtherwise) {
  const Space space = default_space("d", 2, kFormats);
  EXPECT_EQ(space.box[kToy], ValueSet::range(0, 2));
  const Search search(space);
  const Json json = to_json(search);
  EXPECT_EQ(json["parameters"]["toy"].dump(), R"(["red","green","blue"])");
  const Search back = search_from_json(JsonReader(json), {"d", 2, kFormats});
  EXPECT_EQ(back.space.box, space.box);
}

TEST(ToyParameter, IsKeptInBoxes) {
  Box box = default_space("d", 2, kFormats).box;
  box[kToy] = ValueSet::single(1);
  EXPECT_EQ(PackedBox(box).unpacked(), box);
  PackedBox packed(box);
  packed.set<kToy>(0, PackedBox::Set<kToy>::range(1, 2));
  EXPECT_EQ(packed.unpacked()[kToy], ValueSet::range(1, 2));
  const Space space = small_space();
  const HypothesisSet set = space.whole(0);
  const HypothesisSet back = set_from_json(JsonReader(to_json(space, set)), space);
  EXPECT_EQ(back.box, set.box);
}

TEST(ToyParameter, UnitesBoxesThatDifferInItAlone) {
  const Space space = small_space();
  VersionSpace sets;
  for (int toy = 0; toy < 3; ++toy) {
    sets.push_back(space.whole(0));
    sets.back().box[kToy] = ValueSet::single(toy);
  }
  const auto all = united(std::move(sets));
  ASSERT_EQ(all.size(), 1U);
  EXPECT_EQ(all.front().box, space.whole(0).box);
}

TEST(ToyParameter, HasItsPlaceInTheOrderOfProof) {
  const auto order = order_of_proof(1);
  const auto toy = std::ranges::find(order, ParameterKey{kToy});
  ASSERT_NE(toy, order.end());
  EXPECT_EQ(*std::prev(toy), ParameterKey{Parameter::normalisation});
  EXPECT_EQ(*std::next(toy), ParameterKey{Parameter::product});
}

TEST(ToyParameter, SpeaksByItsPlainestValue) {
  EXPECT_EQ(plainest(small_space().whole(0).box).adders.front().toy, Toy::blue);
  EXPECT_EQ(nearest(small_space().whole(0).box, unit_with(Toy::red)).adders.front().toy, Toy::red);
}

TEST(ToyParameter, IsProvedUnobservableCertifiedAndReported) {
  const Found found = identified();
  ASSERT_EQ(found.result.verdict(), Identification::Verdict::equivalent);
  ASSERT_TRUE(found.result.model);
  EXPECT_EQ(found.result.model->adders.front().toy, Toy::blue);
  const auto unseen = unobservable(found.search.space, found.result);
  const auto toy = std::ranges::find(unseen, "toy", &Unobservable::feature);
  ASSERT_NE(toy, unseen.end());
  EXPECT_EQ(Json(toy->values).dump(), R"(["blue","red","green"])");

  const std::string text = identification_text(found.search, found.result, "sim:toy", std::nullopt, Style());
  const auto row = text.find("\n  toy ");
  ASSERT_NE(row, std::string::npos) << text;
  const std::string line = text.substr(row + 1, text.find('\n', row + 1) - row);
  EXPECT_NE(line.find("blue"), std::string::npos) << line;
  EXPECT_NE(line.find("no input tells it from red, green"), std::string::npos) << line;

  std::string folder = (std::filesystem::temp_directory_path() / "mmaprint_toy_XXXXXX").string();
  ASSERT_NE(::mkdtemp(folder.data()), nullptr);
  Temporaries temporaries;
  write_certificate(folder + "/c", found.search, found.result, {"test", "sim:toy", 1}, Solver::cadical,
                    temporaries);
  const auto verified = verify_certificate(folder + "/c", {});
  EXPECT_EQ(verified.verdict, Verification::Verdict::valid)
      << (verified.failures.empty() ? "" : verified.failures.front());
  EXPECT_EQ(verified.checked.hypotheses, 6);
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace mmaprint::toy_parameter_test
