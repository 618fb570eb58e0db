// Documents of identifications stay small, whatever was found.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "base/json_text.h"
#include "inference/document.h"
#include "inference/representative.h"
#include "inference/space_json.h"
#include "inference/summary.h"
#include "model/evaluator.h"
#include "samples.h"
#include "support/random.h"

namespace mmaprint::document_size_test {
namespace {

using Standing = SurvivorClass::Standing;

constexpr Signature kInt8{Format::int8, Format::int8, Format::int32, Format::int32};

/// As it is printed alone and as one of several, the inputs that it quotes left out.
std::size_t size_of(Json document) {
  if (document.contains("conflict")) document["conflict"].clear();
  for (Json& survivor : document["survivors"]) survivor.erase("witness");
  return json_text({{"results", Json::array({document})}}).size();
}

/// What remains of a space is `sets`, of which the first speaks for all.
Identification remaining(const Space& space, const VersionSpace& sets, Standing standing) {
  Identification result;
  for (const HypothesisSet& set : sets) result.survivors.push_back({set, standing, 1000, 0.5});
  result.model = space.model(sets.front().skeleton, plainest(sets.front().box), sets.front().nan);
  result.end = standing == Standing::proved ? Ending(ending::ProvedAlike{}) : Ending(ending::SomeOpen{});
  return result;
}

/// Every skeleton of the space with several sets of parameters that don't merge.
VersionSpace many_sets(const Space& space, int of_each) {
  VersionSpace sets;
  for (const HypothesisSet& whole : space.whole())
    for (int i = 0; i < of_each; ++i) {
      sets.push_back(whole);
      Box& box = sets.back().box;
      box[Parameter::minimum_alignment_exponent] = ValueSet::range(i, i + 150);
      box[Parameter::output_fraction_bits] = ValueSet::single(1 + i % 23);
      sets.back().nan = 0x7fffffff;
    }
  return sets;
}

void expect_small_and_a_model(const Space& space, const Identification& result) {
  const Json document = identification_document(Search(space), result, "sim:sample", "certificate");
  EXPECT_LE(size_of(document), kLargestIdentification);
  EXPECT_EQ(std::get<UnitModel>(model_from_text(json_text(document), "id.json")), *result.model);
  for (const Json& survivor : document["survivors"])
    EXPECT_NO_THROW((void)model_from_json(survivor["model"], "survivor"));
}

TEST(DocumentSize, IsBoundedForThousandsOfOpenSets) {
  const Space space = default_space("dot16", 16, samples::kFp16ToFp32);
  const auto sets = many_sets(space, 100);
  const auto result = remaining(space, sets, Standing::open);
  expect_small_and_a_model(space, result);
  const Json document = identification_document(Search(space), result, "sim:sample", std::nullopt);
  ASSERT_FALSE(document["survivors"].empty());
  // Sets that differ in structure alone are one class, and every set is in a class that is listed or counted.
  EXPECT_GT(document["survivors"][0]["sets"].get<int>(), 1);
  EXPECT_EQ(document["survivors"].size() + document["more_survivors"].get<std::size_t>(), 200U);
}

TEST(DocumentSize, IsBoundedForTheWidestUnits) {
  if (test::counts_are_reduced()) GTEST_SKIP() << test::kTakesMinutesThen;
  for (const int k : {256, 1024})
    for (const bool integer : {true, false}) {
      SCOPED_TRACE(k);
      const Space space = default_space("wide", k, integer ? kInt8 : samples::kFp16ToFp32);
      auto sets = integer ? space.whole() : many_sets(space, 3);
      // Chains of single products are the longest.
      std::ranges::stable_sort(sets, std::ranges::greater(), [&](const HypothesisSet& set) {
        return chain_of(space.skeleton(set).tree).value().blocks.size();
      });
      expect_small_and_a_model(space, remaining(space, sets, integer ? Standing::proved : Standing::open));
    }
}

TEST(DocumentSize, LeavesOutTheInputsThatAreQuoted) {
  const Space space = default_space("wide", 1024, samples::kFp16ToFp32);
  auto result = remaining(space, many_sets(space, 1), Standing::undecided);
  for (SurvivorClass& s : result.survivors)
    s.witness = DotInput{std::vector<Pattern>(1024, 0x3c00), std::vector<Pattern>(1024, 0x3c00), 0};
  expect_small_and_a_model(space, result);
  const Json document = identification_document(Search(space), result, "sim:sample", std::nullopt);
  ASSERT_FALSE(document["survivors"].empty());
  EXPECT_EQ(document["survivors"][0]["witness"]["a"].size(), 1024U);
}

TEST(DocumentSize, LeavesRoomForWhatIsUsuallyFound) {
  // No input tells the structures of an exact sum apart.
  const Space space = default_space("mma.m16n8k64.s32.s4.s4.s32", 64,
                                    {Format::int4, Format::int4, Format::int32, Format::int32});
  auto sets = space.whole();
  for (HypothesisSet& set : sets)
    set.box[Parameter::overflow] = ValueSet::single(static_cast<int>(Overflow::wrap));
  const Json document =
      identification_document(Search(space), remaining(space, sets, Standing::proved), "sim:sample", "c");
  EXPECT_FALSE(document.contains("more_survivors"));
  EXPECT_FALSE(document["space"].contains("more_skeletons"));
  EXPECT_EQ(document["space"]["skeletons"].size(), space.skeletons.size());
  std::size_t listed = 0;
  for (const Json& survivor : document["survivors"]) listed += survivor["free"]["skeletons"].size();
  EXPECT_EQ(listed, space.skeletons.size());
  EXPECT_LT(size_of(document), kLargestIdentification / 2);
}

TEST(SkeletonSummary, NamesEveryPatternOfTheSpaceOnce) {
  std::set<std::string> seen;
  const Space space = default_space("dot16", 16, samples::kFp16ToFp32);
  for (const Skeleton& skeleton : space.skeletons) {
    const Json json = skeleton_summary(skeleton, 16);
    EXPECT_FALSE(json.contains("blocks"));
    EXPECT_TRUE(seen.insert(json.dump()).second);
  }
  const auto summary = [](const Chain& chain) { return skeleton_summary({{}, tree_of(chain)}, 4).dump(); };
  EXPECT_EQ(summary({{{0, 1}, {2, 3}}, CEnters::first}), R"({"width":2,"c_enters":"first"})");
  EXPECT_EQ(summary({{{1, 3}, {0, 2}}, CEnters::last}),
            R"({"width":2,"group":1,"reversed":true,"c_enters":"last"})");
  EXPECT_EQ(summary({{{0, 3}, {1, 2}}, CEnters::last}), R"({"blocks":[[0,3],[1,2]],"c_enters":"last"})");
}

TEST(UnobservableSummary, JoinsRunsAndKeepsTheUnitsOwnValueFirst) {
  Unobservable clamp{"minimum_alignment_exponent", {-133}, {0}};
  for (int e = -300; e < -133; ++e) clamp.values.emplace_back(e);
  clamp.values.emplace_back(nullptr);
  EXPECT_EQ(unobservable_summary({clamp}, 4, true).dump(),
            R"([{"feature":"minimum_alignment_exponent","values":[-133,{"from":-300,"to":-134},null],)"
            R"("proof":"proofs/001.json"}])");
}

TEST(UnobservableSummary, CountsWhatIsTooLong) {
  Unobservable many{"minimum_alignment_exponent", {0}, {0}};
  for (int e = -300; e < 0; e += 2) many.values.emplace_back(e);
  const Json entry = unobservable_summary({many}, 4, false)[0];
  EXPECT_LT(entry.dump().size(), 1000U);
  EXPECT_EQ(entry["values"].size() + entry["more_values"].get<std::size_t>(), many.values.size());
}

}  // namespace
}  // namespace mmaprint::document_size_test
