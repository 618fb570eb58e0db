// Certificates whose sets, model, observations, proofs or folder were tampered with, sizes and checksums made
// to agree: whatever follows from the rest is found.
#include <gtest/gtest.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/files.h"
#include "forgery.h"

namespace mmaprint::tampering_test {
namespace {

using samples::expect_found;
using samples::expect_refused;
using samples::failures;
using samples::Folder;
using samples::forge;
using samples::forge_json;
using samples::write_file;
using samples::write_sample_certificate;
using Verdict = Verification::Verdict;

Verification verify(const std::string& path) { return verify_certificate(path, {}); }

TEST(Tampering, IsInvalidWhereAFileIsGoneOrChanged) {
  for (const char* file : {"model.json", "observations.jsonl", "survivors.json", "proofs/001.json"}) {
    expect_found([&](const std::string& c) { std::filesystem::remove(c + "/" + file); },
                 std::string(file) + ": the file is missing");
    expect_found([&](const std::string& c) { write_file(c + "/" + file, read_file(c + "/" + file) + " "); },
                 std::string(file) + ": expected ");
  }
  expect_found(
      [](const std::string& c) {
        Json json = Json::parse(read_file(c + "/manifest.json"));
        json["device"] = "another";
        write_file(c + "/manifest.json", json.dump(1));
      },
      "manifest.json: its checksum");
}

TEST(Tampering, IsInvalidWhereAnObservationIsForged) {
  expect_found(
      [](const std::string& c) {
        forge(c, "observations.jsonl", [](std::string text) {
          const std::size_t d = text.rfind("\"d\":\"") + 5;
          text[d + 7] = text[d + 7] == '0' ? '1' : '0';
          return text;
        });
      },
      "the model gives");
}

TEST(Tampering, IsInvalidWhereAnObservationIsLeftOut) {
  expect_found(
      [](const std::string& c) {
        forge(c, "observations.jsonl",
              [](const std::string& text) { return text.substr(0, text.find('\n') + 1); });
      },
      "observations.jsonl: expected ");
}

TEST(Tampering, IsInvalidWhereAClaimIsWidened) {
  expect_found(
      [](const std::string& c) {
        const auto widen = [](Json& json) {
          Json& set = json.contains("set") ? json["set"] : json["survivors"][0];
          set["parameters"]["alignment_fraction_bits"] = {22, 23};
        };
        forge_json(c, "survivors.json", widen);
        forge_json(c, "proofs/001.json", widen);
        forge_json(c, "manifest.json",
                   [](Json& json) { json["hypotheses"] = json["hypotheses"].get<int>() * 2; });
      },
      "survivors.json: among them, though an observation refutes it");
  expect_found(
      [](const std::string& c) {
        forge_json(c, "proofs/001.json", [](Json& json) {
          json["set"]["parameters"]["alignment_fraction_bits"] = {22, 23};
        });
      },
      "proofs/001.json: it is about another set");
}

TEST(Tampering, IsInvalidWhereASurvivorIsLeftOut) {
  expect_found(
      [](const std::string& c) {
        forge_json(c, "survivors.json", [](Json& json) {
          json["survivors"][0]["parameters"]["minimum_alignment_exponent"] = {nullptr};
        });
      },
      "survivors.json: not among them, though it explains every observation: a unit that differs from the "
      "model in "
      "minimum_alignment_exponent");
}

TEST(Tampering, IsInvalidWhereTheModelIsForged) {
  expect_found(
      [](const std::string& c) {
        forge_json(c, "model.json", [](Json& json) {
          json["unit"]["adders"][0]["alignment_fraction_bits"] = 24;
          json.erase("features");
        });
      },
      "model.json: the model is not among the survivors");
}

TEST(Tampering, IsInvalidWhereTheModelCallsTooMuchUnobservable) {
  expect_found(
      [](const std::string& c) {
        forge_json(c, "model.json", [](Json& json) {
          json["unobservable"].push_back(
              {{"feature", "product"}, {"values", {"a", "b"}}, {"proof", nullptr}});
        });
      },
      "model.json: unobservable: expected");
}

TEST(Tampering, IsFoundInSetsThatAreListedTwiceOrOverlap) {
  const auto repeated = [](const std::string& c, const std::function<void(Json&)>& change) {
    forge_json(c, "survivors.json", [&](Json& json) {
      json["survivors"].push_back(json["survivors"][0]);
      Json& last = json["survivors"].back();
      last["standing"] = "open";
      last.erase("proof");
      change(last);
    });
    forge_json(c, "manifest.json", [&](Json& json) {
      json["survivors"] = json["survivors"].get<int>() + 1;
      json["verdict"] = "unknown";
      json["reason"] = "not yet";
    });
  };
  expect_found([&](const std::string& c) { repeated(c, [](Json&) {}); },
               "survivors.json: expected each hypothesis once, found some of survivor 1's in survivor");
  expect_found(
      [&](const std::string& c) {
        repeated(c, [](Json& set) { set["parameters"]["minimum_alignment_exponent"] = {nullptr}; });
      },
      "survivors.json: expected each hypothesis once, found some of survivor 1's in survivor");
}

TEST(Tampering, IsFoundInAMonotonicThatNothingConfirms) {
  const auto stating = [](const Json& monotonic) {
    return [monotonic](const std::string& c) {
      forge_json(c, "model.json", [&](Json& json) { json["features"]["monotonic"] = monotonic; });
    };
  };
  const Json less{
      {"a", {"0000", "0000", "0000", "0000"}}, {"b", {"0000", "0000", "0000", "0000"}}, {"c", "3f7fffff"}};
  Json more = less;
  more["c"] = "3f800000";
  const std::string claim = "model.json: features.monotonic: ";
  expect_found(stating({{"holds", true}, {"witness", nullptr}}),
               claim + "nothing in the certificate confirms");
  expect_found(stating({{"holds", false}, {"witness", nullptr}}), claim + "expected two inputs");
  expect_found(stating({{"holds", false}, {"witness", {less, more}}}), claim + "expected two inputs");
  expect_found(stating({{"holds", nullptr}, {"witness", {less, more}}}), claim + "expected a witness only");
}

TEST(Tampering, IsNotSeenInAWitnessThatShowsAUnitNotToBeMonotonic) {
  // Four products of 2^-24 are kept beside c = 1 - 2^-24, whose exponent is -1, and lost beside c = 1.
  const Json less{
      {"a", {"0c00", "0c00", "0c00", "0c00"}}, {"b", {"0c00", "0c00", "0c00", "0c00"}}, {"c", "3f7fffff"}};
  Json more = less;
  more["c"] = "3f800000";
  const Folder folder;
  write_sample_certificate(folder / "c");
  const auto state = [&](const Json& first, const Json& second) {
    forge_json(folder / "c", "model.json", [&](Json& json) {
      json["features"]["monotonic"] = {{"holds", false}, {"witness", {first, second}}};
    });
    return verify(folder / "c");
  };
  const auto shown = state(less, more);
  EXPECT_EQ(shown.verdict, Verdict::valid) << failures(shown);
  EXPECT_EQ(state(more, less).verdict, Verdict::invalid);
}

TEST(Tampering, IsFoundInWhatTheModelsDocumentSaysBesides) {
  expect_found(
      [](const std::string& c) {
        forge_json(c, "model.json", [](Json& json) { json["device"] = "another"; });
      },
      "model.json: device: expected the manifest's");
  expect_found(
      [](const std::string& c) {
        forge_json(c, "model.json", [](Json& json) { json["notes"] = "proved monotonic"; });
      },
      "model.json: notes: expected no such field");
  expect_found(
      [](const std::string& c) {
        forge_json(c, "model.json", [](Json& json) {
          json["unit"]["nan"] = nullptr;
          json["features"]["nan"] = nullptr;
        });
      },
      "model.json: unit.nan: expected a pattern");
  expect_found(
      [](const std::string& c) {
        forge_json(c, "model.json", [](Json& json) { json["unobservable"].clear(); });
      },
      "model.json: unobservable: expected");
  expect_refused(
      [](const std::string& c) {
        forge_json(c, "model.json", [](Json& json) { json["features"]["block_rounding"] = "up"; });
      },
      "features.block_rounding: expected the value that follows from unit");
}

TEST(Tampering, IsFoundInObservationsThatAreRepeatedOrHoldMore) {
  expect_found(
      [](const std::string& c) {
        forge(c, "observations.jsonl",
              [](const std::string& text) { return text + text.substr(0, text.find('\n') + 1); });
        forge_json(c, "manifest.json",
                   [](Json& json) { json["observations"] = json["observations"].get<int>() + 1; });
      },
      "expected each once, found line 1's again");
  expect_found(
      [](const std::string& c) {
        forge(c, "observations.jsonl", [](const std::string& text) {
          return "{\"schema\":\"mmaprint/identification/1\",\"verdict\":\"unique\"}\n" + text;
        });
      },
      "observations.jsonl: expected an observation on each line, and nothing else");
  expect_refused(
      [](const std::string& c) {
        forge(c, "observations.jsonl",
              [](const std::string& text) { return "{\"proved\":true," + text.substr(1); });
      },
      "observations.jsonl:1: proved: unknown field");
}

TEST(Tampering, IsFoundInFilesThatDoNotBelongThere) {
  expect_found([](const std::string& c) { write_file(c + "/notes.txt", "all proved"); },
               "\"notes.txt\": expected no file that the manifest does not list");
  expect_found([](const std::string& c) { write_file(c + "/proofs/900.json", "{}"); },
               "\"proofs/900.json\": expected no file that the manifest does not list");
  expect_found(
      [](const std::string& c) {
        samples::add_listed(c, "proofs/900.json", read_file(c + "/proofs/001.json"));
      },
      "proofs/900.json: no part of such a certificate");
  expect_found(
      [](const std::string& c) {
        forge_json(c, "manifest.json", [](Json& json) { json["files"].push_back(json["files"][0]); });
      },
      "manifest.json: files: expected model.json only once");
}

TEST(Tampering, IsFoundInStandings) {
  expect_found(
      [](const std::string& c) {
        forge_json(c, "survivors.json", [](Json& json) { json["survivors"][0]["standing"] = "open"; });
      },
      "survivor 1: expected no proof");
  expect_found(
      [](const std::string& c) {
        forge_json(c, "survivors.json", [](Json& json) {
          json["survivors"][0]["witness"] = {{"a", {"0000", "0000", "0000", "0000"}},
                                             {"b", {"0000", "0000", "0000", "0000"}},
                                             {"c", "00000000"}};
        });
      },
      "survivor 1: expected no witness");
  expect_found(
      [](const std::string& c) {
        forge_json(c, "survivors.json", [](Json& json) {
          json["survivors"][0]["standing"] = "undecided";
          json["survivors"][0].erase("proof");
        });
        forge_json(c, "manifest.json", [](Json& json) {
          json["verdict"] = "unknown";
          json["reason"] = "the device can answer nothing more";
        });
      },
      "proofs/001.json: no part of such a certificate");
}

TEST(Tampering, IsFoundInWhatAProofSaysThatItProves) {
  expect_refused(
      [](const std::string& c) {
        forge_json(c, "proofs/001.json", [](Json& json) { json["claim"] = "everything"; });
      },
      "claim: expected \"the model gives");
  expect_refused(
      [](const std::string& c) {
        forge_json(c, "proofs/001.json", [](Json& json) { json["holds_for"] = "all units"; });
      },
      "holds_for: unknown field");
}

TEST(Tampering, IsFoundInTheNanPatternOfSurvivors) {
  expect_found(
      [](const std::string& c) {
        const auto other = [](Json& json) {
          (json.contains("set") ? json["set"] : json["survivors"][0])["nan"] = "7fc00000";
        };
        forge_json(c, "survivors.json", other);
        forge_json(c, "proofs/001.json", other);
      },
      "survivors.json: among them, though an observation refutes it");
  expect_found(
      [](const std::string& c) {
        const auto any = [](Json& json) {
          (json.contains("set") ? json["set"] : json["survivors"][0])["nan"] = nullptr;
        };
        forge_json(c, "survivors.json", any);
        forge_json(c, "proofs/001.json", any);
      },
      "verdict: expected unknown");
}

}  // namespace
}  // namespace mmaprint::tampering_test
