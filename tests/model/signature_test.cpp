// Signatures say which roles an input has; scales are among them, although no model computes with them yet.
#include "model/signature.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>
#include <sstream>

#include "model/model_json.h"
#include "model/observation_json.h"
#include "model/observation_table.h"

namespace mmaprint::signature_test {
namespace {

constexpr Scales kOf32{Format::ue8m0, 32};
constexpr Scales kOf16{Format::ue4m3, 16};
const Signature kScaled{
    .a = Format::e4m3, .b = Format::e2m1, .c = Format::fp32, .d = Format::fp32, .sa = kOf32, .sb = kOf16};
const Signature kPlain{.a = Format::fp16, .b = Format::fp16, .c = std::nullopt, .d = Format::fp32};

/// Patterns that all differ from their neighbours.
DotInput scaled_input(int k) {
  DotInput input = zero_input(kScaled, k);
  Pattern next = 1;
  for (const auto& [role, format, count] : input_roles(kScaled, k))
    for (Pattern& p : input.of(role)) p = next++ & info(format).pattern_mask();
  return input;
}

std::string signature_complaint(const char* text) {
  const Json json = Json::parse(text);
  try {
    (void)JsonReader(json).signature();
  } catch (const FieldError& error) {
    return path_text(error.path) + ": " + error.what();
  }
  return "none";
}

TEST(Signature, CountsThePatternsOfEachRole) {
  std::string text;
  for (const auto& [role, format, count] : input_roles(kScaled, 40))
    text += std::string(name(role)) + ":" + std::string(name(format)) + "*" + std::to_string(count) + " ";
  EXPECT_EQ(text, "a:e4m3*40 b:e2m1*40 c:fp32*1 sa:ue8m0*2 sb:ue4m3*3 ");
  EXPECT_EQ(input_roles(kPlain, 4).size(), 2U);
}

TEST(Signature, TellsInputsThatFitFromThoseThatDoNot) {
  const auto roles = input_roles(kScaled, 40);
  const DotInput good = scaled_input(40);
  EXPECT_TRUE(fits(good, roles));
  const auto changed = [&](auto change) {
    DotInput input = good;
    change(input);
    return fits(input, roles);
  };
  EXPECT_FALSE(changed([](DotInput& in) { in.sa.pop_back(); }));
  EXPECT_FALSE(changed([](DotInput& in) { in.sb.push_back(0); }));
  EXPECT_FALSE(changed([](DotInput& in) { in.a.pop_back(); }));
  EXPECT_FALSE(changed([](DotInput& in) { in.b[39] = 16; }));
  EXPECT_FALSE(changed([](DotInput& in) { in.sa[1] = 256; }));

  const auto plain = input_roles(kPlain, 1);
  EXPECT_TRUE(fits({{1}, {1}, 0}, plain));
  EXPECT_FALSE(fits({{1}, {1}, 1}, plain)) << "there is no c";
  EXPECT_FALSE(fits({.a = {1}, .b = {1}, .c = 0, .sa = {1}}, plain)) << "there are no scales";
}

TEST(Signature, IsReadAsItIsWritten) {
  for (const Signature& signature : {kScaled, kPlain}) {
    const Json json = to_json(signature);
    EXPECT_EQ(JsonReader(json).signature(), signature) << json;
  }
  EXPECT_EQ(to_json(kScaled)["sb"], Json::parse(R"({"format":"ue4m3","per":16})"));
}

TEST(Signature, HasScalesOfUnsignedFormatsAlone) {
  EXPECT_EQ(
      signature_complaint(R"({"a":"e4m3","b":"e4m3","c":null,"d":"fp32","sa":{"format":"fp16","per":32}})"),
      "sa.format: expected ue8m0 or ue4m3, found \"fp16\"");
  EXPECT_EQ(
      signature_complaint(R"({"a":"e4m3","b":"e4m3","c":null,"d":"fp32","sb":{"format":"ue8m0","per":0}})"),
      "sb.per: expected an integer from 1 to 1024, found 0");
  EXPECT_EQ(signature_complaint(R"({"a":"e4m3","b":"e4m3","c":null,"d":"fp32","sb":{"format":"ue8m0"}})"),
            "sb: expected a field \"per\"");
}

TEST(Signature, OfAModelHasScalesWithFloatingPointFormatsAlone) {
  EXPECT_EQ(not_modelled(kScaled), std::nullopt);
  Signature integers = kScaled;
  integers.a = integers.b = Format::int8;
  integers.c = integers.d = Format::int32;
  EXPECT_EQ(not_modelled(integers), "no scales with integers");
  const Json json{
      {"instruction", "x"}, {"k", 32}, {"formats", to_json(integers)}, {"features", Json::object()}};
  try {
    (void)model_from_json(json, "m.json");
    ADD_FAILURE() << "no complaint";
  } catch (const BadInput& error) {
    EXPECT_EQ(std::string(error.what()).find("m.json: formats: expected no scales with integers"), 0U)
        << error.what();
  }
}

TEST(Observations, CarryTheScalesOfTheirSignature) {
  const Observation seen{scaled_input(40), 0x3f800000};
  const std::string line = observation_to_json("scaled", kScaled, seen).dump();
  std::istringstream in(line);
  int lines = 0;
  read_observations(in, "o.jsonl", {}, [&](const ObservationRecord& record) {
    ++lines;
    EXPECT_EQ(record.formats, kScaled);
    EXPECT_EQ(record.input, seen.input);
    EXPECT_EQ(record.d, seen.d);
  });
  EXPECT_EQ(lines, 1);

  Json short_of_one = Json::parse(line);
  short_of_one["sa"].erase(1);
  std::istringstream again(short_of_one.dump());
  try {
    read_observations(again, "o.jsonl", {}, [](const ObservationRecord&) {});
    ADD_FAILURE() << "no complaint";
  } catch (const BadInput& error) {
    EXPECT_STREQ(error.what(), "o.jsonl:1: sa: expected 2 entries, found an array of 1");
  }
}

TEST(Observations, MaySayNullForScalesThatTheUnitHasNot) {
  Json line = observation_to_json("plain", kPlain, {{{0x3c00}, {0x3c00}, 0}, 0x3f800000});
  line["sa"] = nullptr;
  line["sb"] = nullptr;
  std::istringstream in(line.dump());
  int lines = 0;
  read_observations(in, "o.jsonl", {}, [&](const ObservationRecord&) { ++lines; });
  EXPECT_EQ(lines, 1);
}

TEST(ObservationTable, KeepsScales) {
  ObservationTable table(kScaled, 40);
  Observation seen{scaled_input(40), 7};
  table.add(seen);
  Observation other = seen;
  other.input.sb[2] ^= 1U;
  table.add(other);
  EXPECT_EQ(table[0], seen);
  EXPECT_EQ(table[1], other);
  EXPECT_FALSE(table.same_input(0, 1));
}

}  // namespace
}  // namespace mmaprint::signature_test
