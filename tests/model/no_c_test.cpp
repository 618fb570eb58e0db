// Units that sum products alone: every instance of the datapath against the oracle, their documents, and what
// is said of a c that they don't have.
#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <sstream>

#include "model/evaluator.h"
#include "model/hypotheses.h"
#include "model/model_json.h"
#include "model/observation_json.h"
#include "model/skeletons.h"
#include "oracle/oracle.h"
#include "support/agreement.h"
#include "support/describe.h"
#include "support/flat.h"
#include "support/generate.h"
#include "support/wide_units.h"

namespace mmaprint::no_c_test {
namespace {

using test::Random;
using enum Format;

constexpr Signature kFormats{fp16, fp16, std::nullopt, fp32};
constexpr Signature kWithC{fp16, fp16, fp32, fp32};

UnitModel chain_without_c() {
  Adder block = exact_adder(fp32, Rounding::toward_zero);
  block.alignment_fraction_bits = 24;
  return chain_model("dot4", 4, kFormats, {{{0, 1}, {2, 3}}, std::nullopt}, {block, {}, {}}, 0x7fffffff);
}

UnitModel random_unit_without_c(Random& random) {
  return test::without_c(test::random_wide_unit(random, random.between(1, 9)));
}

/// How often c is an operand.
int times_c(const Tree& tree) {
  std::ptrdiff_t n = 0;
  for (const Node& node : tree.nodes) n += std::ranges::count(node.operands, Leaf(CLeaf{}));
  return static_cast<int>(n);
}

std::string complaint_about(const Json& model) {
  try {
    (void)model_from_json(model, "model");
  } catch (const BadInput& error) {
    return error.what();
  }
  return "none";
}

std::vector<ObservationRecord> records_of(const std::string& text, const ObservationRules& rules = {}) {
  std::istringstream in(text);
  std::vector<ObservationRecord> all;
  read_observations(in, "o.jsonl", rules,
                    [&](ObservationRecord record) { all.push_back(std::move(record)); });
  return all;
}

std::string complaint_about_line(const std::string& text, const ObservationRules& rules = {}) {
  try {
    (void)records_of(text, rules);
  } catch (const BadInput& error) {
    return error.what();
  }
  return "none";
}

TEST(UnitsWithoutC, AgreeWithTheOracleOnRandomInputs) {
  const auto concrete = [](const UnitModel& model) -> test::Evaluation {
    validate(model);
    return [evaluator = std::make_shared<Evaluator>(model)](const DotInput& in) { return (*evaluator)(in); };
  };
  test::expect_agreement_with_oracle(concrete, test::starting_seed(8'100'000), test::count(4'000), 50,
                                     random_unit_without_c);
}

TEST(UnitsWithoutC, AreComputedAlikeByTheFlatEvaluator) {
  Random random(test::starting_seed(8'200));
  int compared = 0;
  for (int i = 0; i < test::count(300); ++i)
    compared += test::expect_flat_agrees(random, random_unit_without_c(random), 60) ? 1 : 0;
  EXPECT_GT(compared, test::count(100));
}

TEST(UnitsWithoutC, OfIntegersAgreeWithTheOracle) {
  const Signature formats{int8, uint8, std::nullopt, int32};
  const Space space = default_space("dot8", 8, formats);
  Random random(test::starting_seed(8'300));
  for (const HypothesisSet& set : space.whole())
    for (const int overflow : set.box[Parameter::overflow].values()) {
      ParameterValues values = set.box.lowest();
      set_value(values, {Parameter::overflow}, overflow);
      const UnitModel model = space.model(set.skeleton, values, std::nullopt);
      validate(model);
      for (int n = 0; n < 200; ++n) {
        DotInput in{std::vector<Pattern>(8), std::vector<Pattern>(8), 0};
        for (Pattern& a : in.a) a = random.bits() & info(int8).pattern_mask();
        for (Pattern& b : in.b) b = random.bits() & info(uint8).pattern_mask();
        ASSERT_EQ(evaluate(model, in), oracle::evaluate(model, in)) << to_json(model).dump();
      }
    }
}

TEST(UnitsWithoutC, GiveThemselvesAndTheirFeaturesBackFromText) {
  Random random(test::starting_seed(8'400));
  for (int i = 0; i < test::count(300); ++i) {
    const UnitModel model = i == 0 ? chain_without_c() : random_unit_without_c(random);
    ASSERT_EQ(std::get<UnitModel>(model_from_json(to_json(model), "model")), model) << to_json(model).dump();
  }
  const Json json = to_json(chain_without_c());
  EXPECT_EQ(json["formats"].dump(), R"({"a":"fp16","b":"fp16","c":null,"d":"fp32"})");
  EXPECT_EQ(json["unit"]["conventions"]["c_subnormals"], nullptr);
  EXPECT_EQ(json["features"]["c_enters"], nullptr);
  EXPECT_EQ(json["features"]["c_subnormals"], nullptr);
  EXPECT_EQ(json["features"]["operand_formats"]["c"], nullptr);
  EXPECT_EQ(json["features"]["structure"], "((p0,1) + p2,3)");
  EXPECT_EQ(json["features"]["family"], "fused-dot-add");
}

TEST(UnitsWithoutC, AreChainsOfTheirOwn) {
  for (const std::optional<Inside>& inside : {std::optional<Inside>(), std::optional(Inside{fp32, true})}) {
    const Chain chain{{{0, 2}, {1, 3}}, std::nullopt, inside};
    const Tree tree = tree_of(chain);
    EXPECT_EQ(times_c(tree), 0);
    EXPECT_EQ(chain_of(tree), chain);
    EXPECT_EQ(skeleton_from_json(JsonReader(to_json(Skeleton{{}, tree})), 4).tree, tree);
  }
  EXPECT_EQ(times_c(tree_of(Chain{{{0}}, CEnters::last})), 1);
}

TEST(UnitsWithoutC, HaveNoSkeletonWithOneAndOneValueForWhatIsAboutIt) {
  const Space space = wider_space("dot", 8, {bf16, bf16, std::nullopt, bf16});
  EXPECT_GT(space.skeletons.size(), 20U);
  for (std::size_t i = 0; i < space.skeletons.size(); ++i) {
    EXPECT_EQ(times_c(space.skeletons[i].tree), 0) << i;
    const HypothesisSet whole = space.whole(static_cast<int>(i));
    EXPECT_TRUE(whole.box[Parameter::c_subnormals].is_single());
    EXPECT_NO_THROW(validate(space.model(static_cast<int>(i), whole.box.lowest(), std::nullopt))) << i;
  }
}

TEST(UnitsWithoutC, AreRefusedWhereTheirTreeHasOneAndTheOtherWayRound) {
  UnitModel model = chain_without_c();
  model.tree = tree_of(Chain{{{0, 1}, {2, 3}}, CEnters::first});
  EXPECT_THROW(validate(model), std::invalid_argument);
  Json json = to_json(chain_without_c());
  json.erase("features");
  Json with_leaf = json;
  with_leaf["unit"]["tree"][1]["operands"].push_back("c");
  EXPECT_EQ(complaint_about(with_leaf), "model: unit: tree[1].operands: c takes part, but the unit has none");
  Json flushes = json;
  flushes["unit"]["conventions"]["c_subnormals"] = "kept";
  EXPECT_EQ(complaint_about(flushes),
            "model: unit.conventions.c_subnormals: expected null, as the unit has no c, found \"kept\"");
  Json converts = json;
  converts["unit"]["operands"]["c"] = {{"format", "tf32"}, {"conversion", "chop"}};
  EXPECT_EQ(complaint_about(converts), "model: unit: operands.c: expected none, as the unit has no c");
  Json with_c = json;
  with_c["formats"]["c"] = "fp32";
  with_c["unit"]["conventions"]["c_subnormals"] = "kept";
  EXPECT_EQ(complaint_about(with_c), "model: unit: tree: c takes no part");
  Json unsaid = json;
  unsaid["formats"].erase("c");
  EXPECT_EQ(complaint_about(unsaid), "model: formats: expected a field \"c\"");
}

TEST(UnitsWithoutC, HaveHypothesesThatSayNothingAboutIt) {
  const auto hypothesis = [](const char* features) {
    return Json{{"instruction", "dot4"},
                {"k", 4},
                {"formats", to_json(kFormats)},
                {"features", Json::parse(features)}};
  };
  const Json json = hypothesis(R"({"fma_width":2,"c_enters":null,"c_subnormals":null})");
  const auto model = std::get<PartialModel>(model_from_json(json, "model"));
  EXPECT_FALSE(model.features.c_enters);
  EXPECT_EQ(std::get<PartialModel>(model_from_json(to_json(model), "model")), model);
  EXPECT_EQ(complaint_about(hypothesis(R"({"c_enters":"first"})")),
            "model: features.c_enters: expected null, as the unit has no c, found \"first\"");
  EXPECT_EQ(complaint_about(hypothesis(R"({"operand_formats":{"a":"fp16","b":"fp16","c":"fp32"}})")),
            "model: features.operand_formats.c: expected null, as the unit has no c, found \"fp32\"");
}

TEST(UnitsWithoutC, AreObservedWithoutOne) {
  const Observation seen{{{0x3c00, 0x4000}, {0x3c00, 0x3c00}, 0}, 0x40400000};
  const std::string line = R"({"instruction":"dot2","formats":{"a":"fp16","b":"fp16","c":null,"d":"fp32"},)"
                           R"("a":["3c00","4000"],"b":["3c00","3c00"],"c":null,"d":"40400000"})";
  EXPECT_EQ(observation_to_json("dot2", kFormats, seen).dump(), line);
  std::string without = line;
  without.replace(without.find("\"c\":null,\"d\":\"4"), 9, "");
  for (const std::string& text : {line, without}) {
    const auto records = records_of(text);
    ASSERT_EQ(records.size(), 1U);
    EXPECT_EQ(records[0].input, seen.input);
    EXPECT_EQ(records[0].formats, kFormats);
  }
}

TEST(UnitsWithoutC, HaveObservationsRefusedThatSayOneAndTheOtherWayRound) {
  ObservationRules rules;
  rules.stated_formats = kFormats;
  EXPECT_EQ(complaint_about_line(R"({"a":["3c00"],"b":["3c00"],"c":"00000000","d":"3f800000"})", rules),
            "o.jsonl:1: c: expected null, as the unit has no c, found \"00000000\"");
  rules.stated_formats = kWithC;
  EXPECT_EQ(complaint_about_line(R"({"a":["3c00"],"b":["3c00"],"c":null,"d":"3f800000"})", rules),
            "o.jsonl:1: c: expected 8 lower-case hexadecimal digits (fp32), found null");
}

TEST(Formats, SayNoneForACThatIsNotThere) {
  EXPECT_EQ(formats_from_text("fp16,fp16,none,fp32"), kFormats);
  EXPECT_EQ(formats_from_text("fp16,fp16,fp32,fp32"), kWithC);
  EXPECT_EQ(formats_option(kFormats), "fp16,fp16,none,fp32");
  for (const char* text : {"none,fp16,fp32,fp32", "fp16,fp16,fp32,none", "fp16,fp16,,fp32", "fp16,fp16,none"})
    EXPECT_THROW((void)formats_from_text(text), BadInput) << text;
}

}  // namespace
}  // namespace mmaprint::no_c_test
