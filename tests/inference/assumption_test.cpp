// Stated features as restrictions of the space.
#include "inference/assumption.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>

#include "inference/experiments.h"
#include "inference/representative.h"
#include "samples.h"
#include "support/random.h"

namespace mmaprint::assumption_test {
namespace {

using samples::complaint;
using samples::kFp16ToFp32;

Space space_of_4() { return default_space(std::string(samples::kName), 4, kFp16ToFp32); }

PartialFeatures with(const std::function<void(PartialFeatures&)>& state) {
  PartialFeatures stated;
  state(stated);
  return stated;
}

std::string complaint_about(const PartialFeatures& stated) {
  return complaint<BadInput>([&] { (void)Search(space_of_4(), stated); });
}

TEST(Assumption, KeepsTheWholeSpaceWhereNothingIsStated) {
  const Search search{space_of_4()};
  EXPECT_EQ(search.size(), space_of_4().size());
  EXPECT_TRUE(search.is_default());
  EXPECT_EQ(Search(space_of_4(), {}).size(), space_of_4().size());
}

TEST(Assumption, GoesOnInTheSpaceThatItComesToAndInNoOther) {
  const Signature formats{Format::fp16, Format::fp16, Format::fp16, Format::fp16};
  const Search fresh = search_for("dot2", 2, formats);
  const auto skeletons = [&](const Search& before) { return resumed(fresh, before).space.skeletons.size(); };
  Search wide = fresh.wider().value();
  EXPECT_GT(wide.space.skeletons.size(), fresh.space.skeletons.size());
  EXPECT_EQ(skeletons(fresh), fresh.space.skeletons.size());
  EXPECT_EQ(skeletons(wide), wide.space.skeletons.size());
  wide.space.nan_results = NanResults::several;
  EXPECT_EQ(resumed(fresh, wide).space.nan_results, NanResults::several);
  wide.space.skeletons.pop_back();
  EXPECT_EQ(skeletons(wide), fresh.space.skeletons.size()) << "somebody else's";
  EXPECT_EQ(resumed(fresh, wide).space.nan_results, NanResults::one_pattern);
}

TEST(Assumption, KeepsWhatIsStatedOfUnitsThatCarrySumsOn) {
  const auto carrying = Search(space_of_4()).carrying();
  ASSERT_TRUE(carrying);
  for (const Skeleton& skeleton : carrying->space.skeletons)
    EXPECT_TRUE(
        std::ranges::any_of(skeleton.tree.nodes, [](const Node& node) { return node.result.is_carried(); }));
  EXPECT_FALSE(carrying->carrying()) << "all are searched already";
  const auto assumed = with([](PartialFeatures& f) { f.fma_width = 4; });
  const auto stated = Search(space_of_4(), assumed).carrying();
  ASSERT_TRUE(stated);
  EXPECT_EQ(stated->assumed, assumed);
  EXPECT_LT(stated->size(), carrying->size());
  for (const HypothesisSet& set : stated->start())
    EXPECT_EQ(features_of(stated->space.model(set.skeleton, set.box.lowest(), std::nullopt)).fma_width, 4);
  const auto chain = with([](PartialFeatures& f) { f.family = Family::exact; });
  EXPECT_FALSE(Search(space_of_4(), chain).carrying());
}

TEST(Assumption, KeepsExactlyTheUnitsWithTheStatedFeaturesOnRandomInputs) {
  const Space space = space_of_4();
  test::Random random(test::starting_seed(11));
  Sampler sampler(space, random.bits());
  for (long n = 0; n < test::count(100); ++n) {
    const Features features = features_of(sampler.one(space.whole()));
    // One or two features of some unit; carry bits, and the width that they make, are claims of their own
    // (below).
    PartialFeatures stated;
    const int chosen = random.between(0, 26);
    const int another = random.between(0, 26);
    int i = 0;
    visit_features(
        [&](auto feature, const auto& value, auto& slot) {
          if ((i == chosen || i == another) && feature.follows && feature.name != "extra_carry_bits" &&
              feature.name != "accumulator_width")
            slot = value;
          ++i;
        },
        features, stated);
    if (stated.c_enters && !*stated.c_enters) continue;
    const Search search(space, stated);
    for (int m = 0; m < 20; ++m) {
      const UnitModel inside = sampler.one(search.start());
      EXPECT_EQ(first_disagreement(stated, features_of(inside)), std::nullopt);
      const UnitModel any = sampler.one(space.whole());
      EXPECT_EQ(contains(space, search.start(), any),
                !first_disagreement(stated, features_of(any)).has_value())
          << to_json(PartialModel{"x", 4, kFp16ToFp32, stated}).dump() << to_json(any).dump();
    }
  }
}

TEST(Assumption, TakesAtLeastAsThatManyCarryBitsOrMore) {
  const Search search(space_of_4(), with([](PartialFeatures& f) {
                        f.get<Parameter::extra_carry_bits>() = CarryBits(AtLeast{2});
                      }));
  for (const auto& set : search.start()) {
    EXPECT_FALSE(set.box[Parameter::extra_carry_bits].contains(1));
    EXPECT_TRUE(set.box[Parameter::extra_carry_bits].contains(2));
    EXPECT_TRUE(set.box[Parameter::extra_carry_bits].contains(CarryDomain::index(std::nullopt)));
  }
  const Search never(space_of_4(), with([](PartialFeatures& f) {
                       f.get<Parameter::extra_carry_bits>() = CarryBits(AtLeast{60});
                     }));
  EXPECT_TRUE(never.start().front().box[Parameter::extra_carry_bits].is_single());
}

TEST(Assumption, TakesExactlyAsThatManyCarryBits) {
  const Search search(space_of_4(), with([](PartialFeatures& f) {
                        f.get<Parameter::extra_carry_bits>() = CarryBits(Exactly{2});
                      }));
  EXPECT_EQ(search.start().front().box[Parameter::extra_carry_bits], ValueSet::single(2));
  EXPECT_EQ(complaint_about(with(
                [](PartialFeatures& f) { f.get<Parameter::extra_carry_bits>() = CarryBits(Exactly{7}); })),
            "features.extra_carry_bits.exactly: expected 0 to 6");
}

TEST(Assumption, TakesEitherNameForAlignmentBits) {
  const Search named(space_of_4(),
                     with([](PartialFeatures& f) { f.extra_alignment_bits = std::optional(2); }));
  EXPECT_EQ(named.start().front().box[Parameter::alignment_fraction_bits], ValueSet::single(25));
}

TEST(Assumption, AddsBlocksAndFractionBitsThatTheSpaceLacks) {
  const Search search(space_of_4(), with([](PartialFeatures& f) {
                        f.blocks = {{0, 3}, {1}, {2}};
                        f.get<Parameter::alignment_fraction_bits>() = std::optional(77);
                      }));
  ASSERT_EQ(search.start().size(), 2U);  // c first and last
  EXPECT_EQ(chain_of(search.space.skeleton(search.start().front()).tree).value().blocks.front(),
            (std::vector{0, 3}));
  EXPECT_EQ(search.start().front().box[Parameter::alignment_fraction_bits], ValueSet::single(77));
  EXPECT_FALSE(search.is_default());
}

TEST(Assumption, RefusesWhatIsDerived) {
  EXPECT_EQ(complaint_about(with([](PartialFeatures& f) {
              f.monotonic = Monotonic{true, {}};
            })),
            "features.monotonic: expected no such feature: it follows from the others and cannot be assumed");
  EXPECT_EQ(complaint_about(with([](PartialFeatures& f) { f.monotonic = Monotonic{}; })), "no complaint");
}

TEST(Assumption, OfAFamilyThatOnlyTheWiderSpaceHasIsMadeThere) {
  const auto pairwise = with([](PartialFeatures& f) { f.family = Family::pairwise; });
  EXPECT_EQ(complaint_about(pairwise),
            "features: expected features that some unit of the space has together");
  const Search search = search_for(std::string(samples::kName), 4, kFp16ToFp32, pairwise);
  ASSERT_FALSE(search.start().empty());
  for (const HypothesisSet& set : search.start())
    EXPECT_EQ(features_of(search.space.model(set.skeleton, set.box.lowest(), std::nullopt)).family,
              Family::pairwise);
}

TEST(Assumption, OfAnAccumulatorsWidthNeedsWhatItFollowsFrom) {
  const auto width = with([](PartialFeatures& f) { f.accumulator_width = AccumulatorWidth{4, 23}; });
  EXPECT_EQ(
      complaint_about(width),
      "features.accumulator_width: expected alignment_fraction_bits and extra_carry_bits beside it, from "
      "which it follows");
}

TEST(Assumption, RefusesFeaturesThatNoUnitHasTogether) {
  EXPECT_EQ(complaint_about(with([](PartialFeatures& f) {
              f.family = Family::exact;
              f.get<Parameter::alignment_fraction_bits>() = std::optional(24);
            })),
            "features: expected features that some unit of the space has together");
  EXPECT_EQ(complaint_about(with([](PartialFeatures& f) {
              f.blocks = {{0, 1}, {1, 2, 3}};
            })),
            "features.blocks: expected each of the 4 products once");
}

}  // namespace
}  // namespace mmaprint::assumption_test
