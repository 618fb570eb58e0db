// What has to be true of every row, whatever it says.
#include <gtest/gtest.h>

#include <string>

#include "base/files.h"
#include "model/features.h"
#include "model/hypotheses.h"

namespace mmaprint {
namespace {

constexpr OperandFormats kFloats{Format::fp16, Format::fp16, Format::fp32, Format::fp32};
constexpr OperandFormats kIntegers{Format::int8, Format::int8, Format::int32, Format::int32};

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
    if (row.scope != Scope::root) {
      EXPECT_NE(models.find(member_of(row.field) + "`"), std::string::npos) << row.field;
    }
    for (const std::string_view word : row.words)
      EXPECT_NE(models.find("`" + std::string(word) + "`"), std::string::npos) << row.name << ": " << word;
  }
}

TEST(ParameterTable, SearchesValuesOfTheDomainAlone) {
  for (const OperandFormats& formats : {kFloats, kIntegers})
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
  ValueSet seen;
  for (const Parameter p : order_of_proof()) seen.insert(static_cast<int>(p));
  EXPECT_EQ(seen.size(), static_cast<int>(kParameterCount));
}

}  // namespace
}  // namespace mmaprint
