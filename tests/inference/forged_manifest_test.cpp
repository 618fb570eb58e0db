// Manifests that were tampered with, their checksum made to agree: verdict, reason, space, numbers, conflict.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "base/files.h"
#include "forgery.h"

namespace mmaprint::forged_manifest_test {
namespace {

using samples::expect_found;
using samples::expect_refused;
using samples::failures;
using samples::Folder;
using samples::forge_json;
using samples::write_file;
using samples::write_sample_certificate;
using Verdict = Verification::Verdict;

Verification verify(const std::string& path) { return verify_certificate(path, {}); }

TEST(ForgedManifest, IsInvalidWhereTheVerdictSaysTooMuch) {
  expect_found(
      [](const std::string& c) {
        forge_json(c, "manifest.json", [](Json& json) { json["verdict"] = "unique"; });
      },
      "verdict: expected equivalent");
}

TEST(ForgedManifest, IsFoundInAVerdictBelowWhatIsProved) {
  expect_found(
      [](const std::string& c) {
        forge_json(c, "manifest.json", [](Json& json) {
          json["verdict"] = "unknown";
          json["reason"] = "time limit reached";
        });
      },
      "manifest.json: verdict: expected equivalent");
  Space space = samples::small_space();
  space.skeletons.resize(1);
  space.box[Parameter::minimum_alignment_exponent] = ValueSet::single(0);
  space.box[Parameter::alignment_rounding] = ValueSet::single(0);
  const auto one = samples::identified(space, samples::unit());
  ASSERT_EQ(one.verdict(), Identification::Verdict::unique);
  const Folder folder;
  write_sample_certificate(folder / "c", one, space);
  EXPECT_EQ(verify(folder / "c").verdict, Verdict::valid) << failures(verify(folder / "c"));
  for (const char* lower : {"equivalent", "unknown", "none"}) {
    forge_json(folder / "c", "manifest.json", [&](Json& json) { json["verdict"] = lower; });
    const auto found = verify(folder / "c");
    EXPECT_EQ(found.verdict, Verdict::invalid);
    EXPECT_NE(failures(found).find(lower == std::string("none") ? "expected none where nothing explains"
                                                                : "verdict: expected unique"),
              std::string::npos)
        << failures(found);
  }
}

TEST(ForgedManifest, IsFoundInAVerdictThatTheDeviceDidNotConfirm) {
  expect_found(
      [](const std::string& c) {
        forge_json(c, "manifest.json", [](Json& json) { json["confirmed"] = false; });
      },
      "manifest.json: verdict: expected unknown");
}

TEST(ForgedManifest, IsFoundInReasonsThatContradictTheVerdict) {
  expect_found(
      [](const std::string& c) {
        forge_json(c, "manifest.json", [](Json& json) { json["reason"] = "time limit reached"; });
      },
      "manifest.json: reason: expected none where the verdict is known");
  expect_found(
      [](const std::string& c) {
        forge_json(c, "manifest.json", [](Json& json) {
          json["verdict"] = "unknown";
          json["confirmed"] = false;
        });
      },
      "manifest.json: reason: expected one where the verdict is not known");
}

TEST(ForgedManifest, IsFoundInSpaces) {
  const auto space = [](const std::function<void(Json&)>& edit) {
    return [edit](const std::string& c) {
      forge_json(c, "manifest.json", [&](Json& json) { edit(json["space"]); });
    };
  };
  expect_refused(space([](Json& s) { s["skeletons"].push_back(s["skeletons"][0]); }), "each skeleton once");
  expect_refused(space([](Json& s) { s["hypotheses"] = 1; }), "space.hypotheses: expected");
  expect_refused(space([](Json& s) { s["hypotheses"] = -1; }), "space.hypotheses: expected");
  expect_refused(space([](Json& s) { s["default"] = true; }), "space.default: unknown field");
  expect_refused(space([](Json& s) { s["skeletons"][0]["proved"] = true; }), "proved: unknown field");
  expect_refused(
      space([](Json& s) { s["parameters"]["output_fraction_bits"].push_back(40); }),
      "space.parameters.output_fraction_bits: expected values that units of these formats can have");
  // A smaller space makes other claims, and is not presented as the one that is searched by default.
  const Folder folder;
  write_sample_certificate(folder / "c");
  EXPECT_FALSE(verify(folder / "c").checked.default_space);
  expect_found(space([](Json& s) {
                 s["parameters"]["minimum_alignment_exponent"] = {nullptr};
                 s["hypotheses"] = s["hypotheses"].get<int>() / 2;
               }),
               "survivors.json: among them, though");
}

TEST(ForgedManifest, IsFoundInNumbersThatAreNone) {
  const auto number = [](const std::string& field, const std::string& value) {
    return [=](const std::string& c) {
      std::string text = read_file(c + "/manifest.json");
      const std::size_t at = text.find("\"" + field + "\": ") + field.size() + 4;
      text.replace(at, text.find(',', at) - at, value);
      write_file(c + "/manifest.json", text);
    };
  };
  expect_refused(number("observations", "1e400"), "a number is out of range");
  for (const char* field : {"observations", "survivors"})
    expect_refused(
        [&](const std::string& c) { forge_json(c, "manifest.json", [&](Json& json) { json[field] = -1; }); },
        std::string(field) + ": expected");
  expect_found(
      [](const std::string& c) {
        forge_json(c, "manifest.json", [](Json& json) { json["hypotheses"] = 1e300; });
      },
      "survivors.json: expected as many sets and hypotheses as the manifest says");
  expect_refused(
      [](const std::string& c) {
        forge_json(c, "manifest.json", [](Json& json) { json["conflict"] = {0, 1000000}; });
      },
      "conflict[1]: expected");
}

/// A certificate that nothing explains the unit, changed by `edit`.
void expect_found_in_none(const std::function<void(Json&)>& edit, const std::string& expected) {
  static const Identification kNone = samples::identified(samples::small_space(), samples::stranger());
  const Folder folder;
  write_sample_certificate(folder / "c", kNone);
  ASSERT_EQ(verify(folder / "c").verdict, Verdict::valid) << failures(verify(folder / "c"));
  forge_json(folder / "c", "manifest.json", edit);
  const auto result = verify(folder / "c");
  EXPECT_EQ(result.verdict, Verdict::invalid);
  EXPECT_NE(failures(result).find(expected), std::string::npos) << failures(result);
}

TEST(ForgedManifest, IsFoundInConflicts) {
  expect_found_in_none([](Json& json) { json["conflict"].push_back(json["conflict"][0]); },
                       "conflict: expected each observation once, in ascending order");
  expect_found_in_none(
      [](Json& json) {
        json["conflict"].clear();
        json["conflict_is_smallest"] = true;
      },
      "conflict_is_smallest: expected false where no conflict is named");
  expect_found_in_none(
      [](Json& json) {
        Json all = Json::array();
        for (int i = 0; i < json["observations"].get<int>(); ++i) all.push_back(i);
        json["conflict"] = all;
        json["conflict_is_smallest"] = true;
      },
      "conflict: not a smallest one");
  expect_found(
      [](const std::string& c) {
        forge_json(c, "manifest.json", [](Json& json) { json["conflict"] = {0}; });
      },
      "conflict: expected none where hypotheses remain");
}

TEST(ForgedManifest, IsFoundInAConflictThatIsSaidToContradictItself) {
  Identification twice;
  twice.observations = samples::observations(samples::unit(), 60, 1);
  std::ranges::sort(twice.observations);
  const auto repeated = std::ranges::unique(twice.observations);
  twice.observations.erase(repeated.begin(), repeated.end());
  // The second time as another unit of the space answers: neither result alone refutes all of it.
  const Space space = samples::small_space();
  const UnitModel other = space.model(0, space.whole().front().box.lowest(), 0x7fffffff);
  const auto seen = std::ranges::find_if(
      twice.observations, [&](const Observation& o) { return evaluate(other, o.input) != o.d; });
  ASSERT_NE(seen, twice.observations.end());
  const auto first = static_cast<std::size_t>(seen - twice.observations.begin());
  const Observation again{seen->input, evaluate(other, seen->input)};
  twice.observations.push_back(again);
  twice.conflict = {first, twice.observations.size() - 1};
  twice.conflict_is_smallest = true;
  twice.end = ending::NotDeterministic{first, twice.observations.size() - 1};
  const Folder folder;
  write_sample_certificate(folder / "c", twice);
  const auto result = verify(folder / "c");
  EXPECT_EQ(result.verdict, Verdict::valid) << failures(result);
  EXPECT_EQ(result.checked.conflict, 2U);
  EXPECT_TRUE(result.checked.smallest_conflict);
  forge_json(folder / "c", "manifest.json",
             [](Json& json) { json["conflict"].push_back(json["conflict"][1].get<int>() - 1); });
  const auto forged = verify(folder / "c");
  EXPECT_EQ(forged.verdict, Verdict::invalid);
  EXPECT_NE(failures(forged).find("reason: expected two results for one input"), std::string::npos)
      << failures(forged);
}

TEST(Certificate, OfTwoNansForOneInputIsValidWhereNansAreNotToldApart) {
  Space space = samples::small_space();
  space.nan_results = NanResults::several;
  const DotInput invalid{{0x7c00, 0, 0, 0}, {0, 0, 0, 0}, 0};
  Identification twice;
  twice.observations = {{invalid, 0x7fc00000}, {invalid, 0x7fc00001}};
  twice.conflict = {0, 1};
  twice.conflict_is_smallest = true;
  twice.end = ending::NotDeterministic{0, 1};
  const Folder folder;
  write_sample_certificate(folder / "c", twice, space);
  const auto result = verify(folder / "c");
  EXPECT_EQ(result.verdict, Verdict::valid) << failures(result);
  EXPECT_TRUE(result.checked.smallest_conflict);
}

TEST(Certificate, OfASearchThatWasCutShortBeforeAModelWasMetIsValid) {
  const Space space = samples::small_space();
  Identification cut;
  for (const HypothesisSet& set : space.whole())
    cut.survivors.push_back({set, SurvivorClass::Standing::open, 0, 0, {}});
  cut.observations = samples::observations(samples::unit(), 3, 1);
  cut.unused = cut.observations.size();
  cut.end = ending::TimeUp{};
  const Folder folder;
  write_sample_certificate(folder / "c", cut, space);
  const auto result = verify(folder / "c");
  EXPECT_EQ(result.verdict, Verdict::valid) << failures(result);
  forge_json(folder / "c", "manifest.json", [](Json& json) { json["confirmed"] = true; });
  EXPECT_NE(failures(verify(folder / "c")).find("expected model.json among them"), std::string::npos);
  forge_json(folder / "c", "manifest.json", [](Json& json) { json["confirmed"] = false; });
  forge_json(folder / "c", "survivors.json",
             [](Json& json) { json["survivors"][0]["standing"] = "undecided"; });
  EXPECT_NE(failures(verify(folder / "c")).find("expected it open, as there is no model"), std::string::npos);
}

TEST(ForgedManifest, IsFoundInAModelWhereNothingExplainsTheUnit) {
  const auto none = samples::identified(samples::small_space(), samples::stranger());
  const Folder folder;
  write_sample_certificate(folder / "c", none);
  samples::add_listed(folder / "c", "model.json", to_json(samples::unit()).dump());
  const auto result = verify(folder / "c");
  EXPECT_EQ(result.verdict, Verdict::invalid);
  EXPECT_NE(failures(result).find("model.json: no part of such a certificate"), std::string::npos)
      << failures(result);
}

}  // namespace
}  // namespace mmaprint::forged_manifest_test
