// Numbers of hypotheses: exact, however large, and as documents write them.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "inference/space_json.h"

namespace mmaprint::count_test {
namespace {

Box of_everything() {
  Box box;
  for (const ParameterInfo& row : all_parameters()) box[row.id] = ValueSet::range(0, row.size - 1);
  return box;
}

TEST(Count, IsExactWhereAFloatingPointNumberLosesTheLastHypothesis) {
  Box wide;
  for (ValueSet& set : wide.sets()) set = ValueSet::range(0, ValueSet::kCapacity - 1);
  Count expected = 1;
  for (std::size_t i = 0; i < kParameterCount; ++i) expected *= ValueSet::kCapacity;
  EXPECT_EQ(wide.size(), expected);
  Box single;
  for (ValueSet& set : single.sets()) set = ValueSet::single(3);
  EXPECT_EQ(single.size(), 1);
  EXPECT_EQ(count({{0, wide, {}}, {1, single, {}}}), expected + 1);
  EXPECT_EQ(approximate(expected + 1), approximate(expected));
}

TEST(Count, OfNoSetsAndOfAnEmptySetIsZero) {
  EXPECT_EQ(count({}), 0);
  Box empty = of_everything();
  empty[Parameter::overflow] = ValueSet();
  EXPECT_EQ(empty.size(), 0);
}

TEST(Count, IsAnIntegerInDocumentsBelowTwoToThe53AndANumberFromThereOn) {
  EXPECT_EQ(count_to_json(0).dump(), "0");
  EXPECT_EQ(count_to_json((Count(1) << 53) - 1).dump(), "9007199254740991");
  EXPECT_EQ(count_to_json(Count(1) << 53).dump(), "9.007199254740992e+15");
  EXPECT_EQ(count_to_json(Count(1) << 100).dump(), "1.2676506002282294e+30");
}

}  // namespace
}  // namespace mmaprint::count_test
