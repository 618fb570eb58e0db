// The hypothesis that speaks for the rest, and its neighbours.
#include "inference/representative.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "samples.h"

namespace mmaprint::representative_test {
namespace {

using enum Parameter;

/// Parameters in which two models of one skeleton differ.
std::vector<ParameterKey> differing(const UnitModel& x, const UnitModel& y) {
  std::vector<ParameterKey> all;
  for (const ParameterKey& key : all_keys(static_cast<int>(x.adders.size())))
    if (value_index(values_of(x), key) != value_index(values_of(y), key)) all.push_back(key);
  return all;
}

/// The sample unit, with these values free.
HypothesisSet around(const UnitModel& model, std::initializer_list<std::pair<Parameter, ValueSet>> free) {
  HypothesisSet set{0, Box(values_of(model)), constant_nan(model.nan)};
  for (const auto& [parameter, values] : free) set.box[parameter] = values;
  return set;
}

TEST(Neighbours, DifferInOneParameterEach) {
  const Space space = samples::small_space();
  const UnitModel model = samples::unit();
  const auto all = neighbours(space, space.whole(), model);
  EXPECT_FALSE(all.empty());
  for (const UnitModel& other : all) {
    EXPECT_EQ(other.tree, model.tree);
    EXPECT_EQ(differing(model, other).size(), 1U);
  }
}

TEST(Neighbours, AreTheNearestOnEitherSideAndTheFarthest) {
  const Space space = samples::small_space();
  UnitModel model = samples::unit();
  for (Adder& adder : model.adders) adder.alignment_fraction_bits = 10;
  const HypothesisSet set = around(model, {{alignment_fraction_bits, ValueSet::range(4, 20)}});
  std::vector<int> bits;
  for (const UnitModel& other : neighbours(space, {set}, model))
    bits.push_back(other.adders.front().alignment_fraction_bits.value());
  std::ranges::sort(bits);
  EXPECT_EQ(bits, (std::vector<int>{4, 9, 11, 20}));
}

TEST(Neighbours, AreMembersOfTheSetsAndOfTheModelsStructure) {
  const Space space = samples::small_space();
  const UnitModel model = samples::unit();
  const auto free = std::pair{block_rounding, space.box[block_rounding]};
  HypothesisSet other_chain = around(model, {free});
  other_chain.skeleton = 1;
  EXPECT_TRUE(neighbours(space, {other_chain}, model).empty());
  const HypothesisSet own_chain = around(model, {free});
  for (const UnitModel& other : neighbours(space, {own_chain}, model))
    EXPECT_TRUE(contains(space, {own_chain}, other));
  EXPECT_TRUE(neighbours(space, {around(model, {})}, model).empty()) << "it is alone";
}

TEST(Representative, IsInTheSetItSpeaksFor) {
  const Space space = samples::small_space();
  for (const HypothesisSet& set : space.whole()) {
    EXPECT_TRUE(set.box.contains(plainest(set.box)));
    EXPECT_TRUE(contains(space, {set}, space.model(set.skeleton, plainest(set.box), 0x7fffffff)));
  }
}

TEST(Representative, IsInNoSetThatLacksOneOfItsValuesOrItsNan) {
  const Space space = samples::small_space();
  const UnitModel model = samples::unit();
  const HypothesisSet set = around(model, {});
  EXPECT_TRUE(contains(space, {set}, model));
  HypothesisSet other = set;
  other.box[alignment_fraction_bits] = ValueSet::single(24);
  EXPECT_FALSE(contains(space, {other}, model));
  other = set;
  other.nan = 0x7fc00000;
  EXPECT_FALSE(contains(space, {other}, model));
  other.nan.reset();
  EXPECT_TRUE(contains(space, {other}, model)) << "any pattern is possible still";
}

TEST(Nearest, HasTheModelsValuesWhereItCanAndIsAMember) {
  const UnitModel model = samples::unit();
  const HypothesisSet set = around(
      model, {{alignment_fraction_bits, ValueSet::range(24, 25)}, {block_rounding, ValueSet::range(0, 5)}});
  const ParameterValues near = nearest(set.box, model);
  EXPECT_TRUE(set.box.contains(near));
  EXPECT_EQ(near.adders.front().rounding, model.adders.front().rounding);
  EXPECT_NE(near.adders.front().alignment_fraction_bits, model.adders.front().alignment_fraction_bits);
}

}  // namespace
}  // namespace mmaprint::representative_test
