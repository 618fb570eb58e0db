// JSON from outside: objects of more fields than any document of ours has are refused before they are parsed,
// which takes the square of their number.
#include "base/json_source.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/bad_input.h"

namespace mmaprint::json_source_test {
namespace {

std::string complaint_about(const std::string& text) {
  try {
    (void)JsonSource{text, "f", 1}.parse();
  } catch (const BadInput& problem) {
    return problem.what();
  }
  return "no complaint";
}

/// An object with this many fields, one a line.
std::string object_of(int fields) {
  std::string text = "{";
  for (int i = 0; i < fields; ++i) text += (i == 0 ? "" : ",\n") + ("\"k" + std::to_string(i) + "\":[]");
  return text + "}";
}

TEST(JsonSource, RefusesObjectsOfTooManyFieldsWhereTheFirstOfThemStands) {
  EXPECT_EQ(complaint_about(object_of(kMostFields)), "no complaint");
  const std::string expected =
      "f:" + std::to_string(kMostFields + 1) + ": expected at most 1000 fields in an object";
  EXPECT_EQ(complaint_about(object_of(kMostFields + 1)), expected);
  EXPECT_EQ(complaint_about(object_of(300'000)), expected);
}

TEST(JsonSource, IsParsedInTimeOrNotAtAll) {
  std::string text = "[0";
  for (int i = 0; i < 10'000; ++i) text += ",0";
  text += "]";
  EXPECT_EQ((JsonSource{text, "long"}.parse(Deadline(1000.0)).size()), 10'001U);
  EXPECT_THROW((void)(JsonSource{text, "long"}.parse(Deadline(0.0))), DeadlinePassed);
}

TEST(JsonSource, CountsEachObjectByItself) {
  EXPECT_EQ(complaint_about("[" + object_of(kMostFields) + "," + object_of(kMostFields) + "]"),
            "no complaint");
}

TEST(JsonSource, TakesArraysOfAnyLengthAndColonsInStrings) {
  std::string array = "[0";
  for (int i = 0; i < 100'000; ++i) array += ",\":\"";
  EXPECT_EQ(complaint_about(array + "]"), "no complaint");
}

}  // namespace
}  // namespace mmaprint::json_source_test
