// Certificates: what they say can be done again, and what was tampered with is found.
#include "inference/certificate.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <functional>
#include <nlohmann/json.hpp>

#include "inference/manifest.h"
#include "inference/verification.h"
#include "samples.h"

namespace mmaprint {
namespace {

using samples::complaint;
using samples::Folder;
using samples::write_file;
using Verdict = Verification::Verdict;

const Provenance kFrom{"0.1.0", "sim:sample", 1};

const Identification& found() {
  static const Identification kFound = samples::identified(samples::small_space(), samples::unit());
  return kFound;
}

void write(const std::string& path, const Identification& result = found()) {
  Temporaries temporaries;
  write_certificate(path, Search(samples::small_space()), result, kFrom, Solver::cadical, temporaries);
}

Verification verify(const std::string& path) { return verify_certificate(path, {}); }

/// A forger's work: changes a file and makes sizes and checksums agree.
void forge(const std::string& directory, const std::string& file,
           const std::function<std::string(std::string)>& change) {
  const std::string text = change(read_file(directory + "/" + file));
  write_file(directory + "/" + file, text);
  Json json = Json::parse(read_file(directory + "/manifest.json"));
  for (Json& listed : json["files"])
    if (listed["name"] == file) {
      listed["bytes"] = text.size();
      listed["fnv1a64"] = checksum(text);
    }
  json.erase("checksum");
  json["checksum"] = checksum(json.dump());
  write_file(directory + "/manifest.json", json.dump(1) + "\n");
}

std::function<std::string(std::string)> edited(const std::function<void(Json&)>& edit) {
  return [edit](const std::string& text) {
    Json json = Json::parse(text);
    edit(json);
    return json.dump();
  };
}

std::string failures(const Verification& v) {
  std::string all;
  for (const auto& f : v.failures) all += f + "\n";
  for (const auto& f : v.unfinished) all += f + "\n";
  return all;
}

/// The certificate after `tamper` is invalid, and a failure says `expected`.
void expect_found(const std::function<void(const std::string&)>& tamper, const std::string& expected) {
  const Folder folder;
  write(folder / "c");
  tamper(folder / "c");
  const auto result = verify(folder / "c");
  EXPECT_EQ(result.verdict, Verdict::invalid);
  EXPECT_NE(failures(result).find(expected), std::string::npos) << failures(result);
}

TEST(Certificate, IsValidAsWritten) {
  const Folder folder;
  write(folder / "c");
  const auto result = verify(folder / "c");
  EXPECT_EQ(result.verdict, Verdict::valid) << failures(result);
  EXPECT_EQ(result.certified, "equivalent");
  EXPECT_EQ(result.checked.observations, found().observations.size());
  EXPECT_EQ(result.checked.reproduced, found().observations.size());
  EXPECT_EQ(result.checked.survivors, found().survivors.size());
  EXPECT_EQ(result.checked.proofs, found().survivors.size());
  EXPECT_EQ(result.checked.hypotheses, samples::small_space().size());
  EXPECT_FALSE(result.checked.default_space);
}

TEST(Certificate, IsAModel) {
  const Folder folder;
  write(folder / "c");
  EXPECT_EQ(std::get<UnitModel>(load_model(folder / "c")), *found().model);
}

TEST(Certificate, ThatNothingExplainsTheUnitIsValid) {
  const Folder folder;
  write(folder / "c", samples::identified(samples::small_space(), samples::stranger()));
  const auto result = verify(folder / "c");
  EXPECT_EQ(result.verdict, Verdict::valid) << failures(result);
  EXPECT_EQ(result.certified, "none");
  forge(folder / "c", "manifest.json", [](std::string text) { return text; });
  Json json = Json::parse(read_file(folder / "c/manifest.json"));
  ASSERT_FALSE(json["conflict"].empty());
  // Observations that the unit shares with some hypothesis refute nothing.
  const Observation shared{{{0, 0, 0, 0}, {0, 0, 0, 0}, 0}, 0};
  const std::string line = observation_to_json(samples::kName, samples::kFp16ToFp32, shared).dump() + "\n";
  forge(folder / "c", "observations.jsonl", [&](const std::string& text) {
    std::string all;
    for (const char ch : text)
      if (ch == '\n') all += line;
    return all;
  });
  const auto forged = verify(folder / "c");
  EXPECT_EQ(forged.verdict, Verdict::invalid);
  EXPECT_NE(failures(forged).find("some hypothesis explains these observations"), std::string::npos)
      << failures(forged);
}

TEST(Certificate, ReplacesACertificateButNothingElse) {
  const Folder folder;
  write(folder / "c");
  write(folder / "c");
  EXPECT_EQ(verify(folder / "c").verdict, Verdict::valid);
  EXPECT_FALSE(std::filesystem::exists(folder / "c.partial"));
  write_file(folder / "c/notes.txt", "mine");
  EXPECT_NE(complaint<BadInput>([&] { write(folder / "c"); }).find("also holds \"notes.txt\""),
            std::string::npos);
  std::filesystem::create_directory(folder / "other");
  write(folder / "other");  // empty until now
  std::filesystem::create_directory(folder / "full");
  write_file(folder / "full/notes.txt", "mine");
  EXPECT_NE(complaint<BadInput>([&] { write(folder / "full"); }).find("holds something else"),
            std::string::npos);
  write_file(folder / "file", "mine");
  EXPECT_NE(complaint<BadInput>([&] { write(folder / "file"); }).find("is no directory"), std::string::npos);
  EXPECT_EQ(read_file(folder / "full/notes.txt"), "mine");
}

TEST(Certificate, LeavesItsNeighboursAlone) {
  const Folder folder;
  for (const char* name : {"c.partial", "c.tmp", "c.part"}) {
    std::filesystem::create_directory(folder / name);
    write_file((folder / name) + "/notes.txt", "mine");
  }
  write(folder / "c");
  write(folder / "c");
  EXPECT_EQ(verify(folder / "c").verdict, Verdict::valid);
  std::size_t entries = 0;
  for (const auto& entry : std::filesystem::directory_iterator(folder / "")) {
    ++entries;
    if (entry.path().filename() != "c") {
      EXPECT_EQ(read_file(entry.path().string() + "/notes.txt"), "mine");
    }
  }
  EXPECT_EQ(entries, 4U);
}

TEST(Certificate, BehindALinkReplacesTheOneItPointsTo) {
  const Folder folder;
  write(folder / "c");
  std::filesystem::create_symlink("c", folder / "link");
  write_file(folder / "c/model.json", "");
  write(folder / "link");
  EXPECT_TRUE(std::filesystem::is_symlink(folder / "link"));
  EXPECT_EQ(verify(folder / "c").verdict, Verdict::valid);
}

TEST(Certificate, IsRefusedBeforehandWhereItCannotBeWritten) {
  const Folder folder;
  write_file(folder / "file", "mine");
  for (const std::string& place :
       {folder / "file", folder / "file/c", std::string("/dev/null"), std::string()})
    EXPECT_NE(complaint<BadInput>([&] { require_certificate_place(place); }), "no complaint") << place;
  std::filesystem::create_directory(folder / "empty");
  for (const std::string& place : {folder / "new", folder / "new/", folder / "a/b/c", folder / "empty"})
    EXPECT_EQ(complaint<BadInput>([&] { require_certificate_place(place); }), "no complaint") << place;
  EXPECT_FALSE(std::filesystem::exists(folder / "new")) << "asking makes nothing";
}

TEST(Certificate, IsReadFromRegularFilesAlone) {
  for (const char* special : {"/dev/zero", "fifo"}) {
    const Folder folder;
    write(folder / "c");
    std::string target = special;
    if (target == "fifo") {
      target = folder / "fifo";
      ASSERT_EQ(::mkfifo(target.c_str(), 0600), 0);
    }
    const auto linked = [&](const std::string& name) {
      std::filesystem::remove(folder / name);
      std::filesystem::create_symlink(target, folder / name);
    };
    linked("c/model.json");
    EXPECT_NE(failures(verify(folder / "c")).find("model.json"), std::string::npos);
    EXPECT_NE(complaint<BadInput>([&] { (void)load_model(folder / "c"); }).find("is no regular file"),
              std::string::npos);
    linked("c/manifest.json");
    EXPECT_NE(complaint<BadInput>([&] { (void)verify(folder / "c"); }).find("is no regular file"),
              std::string::npos);
    EXPECT_FALSE(is_certificate(folder / "c"));
  }
}

TEST(Certificate, WithoutAReadableManifestIsNone) {
  const Folder folder;
  EXPECT_NE(complaint<BadInput>([&] {
              (void)verify(folder / "none");
            }).find("manifest.json: expected a readable file"),
            std::string::npos);
  write(folder / "c");
  write_file(folder / "c/manifest.json", "{");
  EXPECT_NE(complaint<BadInput>([&] { (void)verify(folder / "c"); }).find("manifest.json:1: expected JSON"),
            std::string::npos);
}

TEST(Certificate, IsInvalidWhereAFileIsGoneOrChanged) {
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

TEST(Certificate, IsInvalidWhereAnObservationIsForged) {
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

TEST(Certificate, IsInvalidWhereAnObservationIsLeftOut) {
  expect_found(
      [](const std::string& c) {
        forge(c, "observations.jsonl",
              [](const std::string& text) { return text.substr(0, text.find('\n') + 1); });
      },
      "observations.jsonl: expected ");
}

TEST(Certificate, IsInvalidWhereAClaimIsWidened) {
  expect_found(
      [](const std::string& c) {
        const auto widen = edited([](Json& json) {
          Json& set = json.contains("set") ? json["set"] : json["survivors"][0];
          set["parameters"]["alignment_fraction_bits"] = {22, 23};
        });
        forge(c, "survivors.json", widen);
        forge(c, "proofs/001.json", widen);
        Json json = Json::parse(read_file(c + "/manifest.json"));
        json["hypotheses"] = json["hypotheses"].get<int>() * 2;
        write_file(c + "/manifest.json", json.dump());
        forge(c, "model.json", [](std::string text) { return text; });
      },
      "survivors.json: among them, though an observation refutes it");
  expect_found(
      [](const std::string& c) {
        forge(c, "proofs/001.json", edited([](Json& json) {
                json["set"]["parameters"]["alignment_fraction_bits"] = {22, 23};
              }));
      },
      "proofs/001.json: it is about another set");
}

TEST(Certificate, IsInvalidWhereASurvivorIsLeftOut) {
  expect_found(
      [](const std::string& c) {
        forge(c, "survivors.json", edited([](Json& json) {
                json["survivors"][0]["parameters"]["minimum_alignment_exponent"] = {nullptr};
              }));
      },
      "survivors.json: not among them, though it explains every observation: a unit that differs from the "
      "model in "
      "minimum_alignment_exponent");
}

TEST(Certificate, IsInvalidWhereTheModelIsForged) {
  expect_found(
      [](const std::string& c) {
        forge(c, "model.json", edited([](Json& json) {
                json["unit"]["adders"][0]["alignment_fraction_bits"] = 24;
                json.erase("features");
              }));
      },
      "model.json: the model is not among the survivors");
}

TEST(Certificate, IsInvalidWhereTheModelCallsTooMuchUnobservable) {
  expect_found(
      [](const std::string& c) {
        forge(c, "model.json", edited([](Json& json) {
                json["unobservable"].push_back(
                    {{"feature", "product"}, {"values", {"a", "b"}}, {"proof", nullptr}});
              }));
      },
      "model.json: unobservable: expected");
}

TEST(Certificate, IsInvalidWhereTheVerdictSaysTooMuch) {
  expect_found(
      [](const std::string& c) {
        Json json = Json::parse(read_file(c + "/manifest.json"));
        json["verdict"] = "unique";
        write_file(c + "/manifest.json", json.dump());
        forge(c, "model.json", [](std::string text) { return text; });
      },
      "verdict: expected one hypothesis to be left");
}

TEST(Certificate, IsUnknownWhereTimeRunsOut) {
  const Folder folder;
  write(folder / "c");
  VerifyOptions options;
  options.seconds = 0;
  const auto result = verify_certificate(folder / "c", options);
  EXPECT_EQ(result.verdict, Verdict::unknown);
  EXPECT_FALSE(result.unfinished.empty());
}

}  // namespace
}  // namespace mmaprint
