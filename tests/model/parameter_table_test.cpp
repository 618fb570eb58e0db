// What has to be true of every row, whatever it says.
#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <string>

#include "base/files.h"
#include "model/features.h"
#include "model/hypotheses.h"

namespace mmaprint::parameter_table_test {
namespace {

constexpr Signature kFloats{Format::fp16, Format::fp16, Format::fp32, Format::fp32};
constexpr Signature kIntegers{Format::int8, Format::int8, Format::int32, Format::int32};

std::string member_of(std::string_view name) {
  const auto dot = name.find('.');
  return std::string(dot == std::string_view::npos ? name : name.substr(dot + 1));
}

TEST(ParameterTable, IsDescribedInTheDocuments) {
  const std::string folder = std::string(MMAPRINT_SOURCE_DIR) + "/docs/";
  const std::string models = read_file(folder + "models.md");
  const std::string semantics = read_file(folder + "semantics.md");
  for (const ParameterInfo& row : all_parameters()) {
    EXPECT_NE(models.find(member_of(row.name) + "`"), std::string::npos) << row.name;
    EXPECT_NE(semantics.find(member_of(row.name) + "`"), std::string::npos) << row.name;
    EXPECT_NE(models.find(member_of(row.field) + "`"), std::string::npos) << row.field;
    for (const std::string_view word : row.words)
      EXPECT_NE(models.find("`" + std::string(word) + "`"), std::string::npos) << row.name << ": " << word;
  }
}

TEST(ParameterTable, SearchesValuesOfTheDomainAlone) {
  for (const Signature& formats : {kFloats, kIntegers})
    for (const ParameterInfo& row : all_parameters()) {
      const ValueSet searched = row.searched(formats);
      ASSERT_FALSE(searched.empty()) << row.name;
      EXPECT_LT(searched.last(), row.size) << row.name;
    }
}

TEST(ParameterTable, FixesForIntegersWhatMeansNothingToThem) {
  for (const ParameterInfo& row : all_parameters())
    if (!row.of_integers) {
      EXPECT_TRUE(row.searched(kIntegers).is_single()) << row.name;
    }
}

TEST(ParameterTable, HasAFeatureForEveryParameterOnce) {
  const PartialFeatures any;
  for (const ParameterInfo& row : all_parameters()) {
    int found = 0;
    visit_features([&](auto feature, const auto&) { found += feature.name == row.name ? 1 : 0; }, any);
    EXPECT_EQ(found, 1) << row.name;
  }
}

TEST(ParameterTable, TakesEachParameterOnceInProofs) {
  for (const int classes : {1, 2, kMostClasses}) {
    const std::span<const ParameterKey> order = order_of_proof(classes);
    const std::set<ParameterKey> seen(order.begin(), order.end());
    EXPECT_EQ(order.size(), seen.size());
    EXPECT_EQ(seen, std::set<ParameterKey>(all_keys(classes).begin(), all_keys(classes).end()));
  }
}

TEST(ParameterTable, HasEveryParameterInTheFirstClassAndThoseOfAddersInLaterOnes) {
  for (const int classes : {1, 2, kMostClasses}) {
    const std::span<const ParameterKey> keys = all_keys(classes);
    std::set<std::string> names;
    for (std::size_t i = 0; i < keys.size(); ++i) {
      EXPECT_EQ(place_of(keys[i]), i);
      EXPECT_LT(keys[i].of_class, classes);
      EXPECT_TRUE(keys[i].of_class == 0 || info(keys[i].parameter).scope == Scope::adder);
      EXPECT_TRUE(names.insert(name_of(keys[i], classes)).second) << name_of(keys[i], classes);
    }
    const auto later = std::ranges::count(all_parameters(), Scope::adder, &ParameterInfo::scope);
    EXPECT_EQ(keys.size(), kParameterCount + static_cast<std::size_t>((classes - 1) * later));
  }
  EXPECT_EQ(name_of({Parameter::block_rounding, 1}, 2), "final_rounding");
}

}  // namespace
}  // namespace mmaprint::parameter_table_test
