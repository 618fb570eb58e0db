// Certificates: what they say can be done again.
#include "inference/certificate.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>
#include <nlohmann/json.hpp>

#include "base/files.h"
#include "forgery.h"
#include "inference/document.h"
#include "inference/manifest.h"
#include "inference/set_difference.h"
#include "inference/verification.h"

namespace mmaprint::certificate_test {
namespace {

using samples::complaint;
using samples::failures;
using samples::Folder;
using samples::forge;
using samples::write_file;
using Verdict = Verification::Verdict;

const Identification& found() { return samples::certified(); }

void write(const std::string& path, const Identification& result = found()) {
  samples::write_sample_certificate(path, result);
}

Verification verify(const std::string& path) { return verify_certificate(path, {}); }

TEST(Certificates, OfBeforeTheFeaturesOfSkeletonsStayValid) {
  const samples::Folder folder;
  samples::write_sample_certificate(folder / "c");
  samples::forge_json(folder / "c", "model.json", [](Json& model) {
    for (const char* later :
         {"structure", "operand_formats", "node_formats", "padded", "accumulator_width"}) {
      model["features"].erase(later);
      Json kept = Json::array();
      for (const Json& entry : model["unobservable"])
        if (entry["feature"] != later) kept.push_back(entry);
      model["unobservable"] = kept;
    }
  });
  const auto result = verify_certificate(folder / "c", {});
  EXPECT_EQ(result.verdict, Verification::Verdict::valid) << samples::failures(result);
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

TEST(Certificate, OfBeforeWithOtherChecksumsStaysValid) {
  const Folder folder;
  write(folder / "c");
  Json json = Json::parse(read_file(folder / "c/manifest.json"));
  for (Json& listed : json["files"]) {
    const std::string text = read_file(folder / "c/" + listed["name"].get<std::string>());
    EXPECT_EQ(listed["sha256"], sha256(text));
    listed.erase("sha256");
    listed["fnv1a64"] = fnv1a64(text);
  }
  json.erase("checksum");
  json["checksum"] = fnv1a64(json.dump());
  write_file(folder / "c/manifest.json", json.dump(1));
  EXPECT_EQ(verify(folder / "c").verdict, Verdict::valid);
  json["files"][0]["fnv1a64"] = "0000000000000000";
  json.erase("checksum");
  json["checksum"] = fnv1a64(json.dump());
  write_file(folder / "c/manifest.json", json.dump(1));
  EXPECT_EQ(verify(folder / "c").verdict, Verdict::invalid);
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

TEST(Certificate, ComparesItsSetsInTimeOrNotAtAll) {
  const Space space = samples::small_space();
  const VersionSpace sets{{0, space.box, {}}, {0, space.box, {}}};
  EXPECT_TRUE(overlapping(sets, {}));
  EXPECT_THROW((void)overlapping(sets, Deadline(0.0)), DeadlinePassed);
  EXPECT_THROW((void)difference(sets, {}, 1, Deadline(0.0)), DeadlinePassed);
  EXPECT_THROW((void)unobservable(space, found(), Deadline(0.0)), DeadlinePassed);
}

TEST(Certificate, SaysWhatItDidNotDoInTime) {
  const Folder folder;
  write(folder / "c");
  forge(folder / "c", "survivors.json", [](std::string text) { return text.append(100'000, ' '); });
  VerifyOptions options;
  options.seconds = 0;
  const auto result = verify_certificate(folder / "c", options);
  EXPECT_EQ(result.verdict, Verdict::unknown);
  EXPECT_EQ(failures(result), "reading the certificate was not done in time\n");
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
}  // namespace mmaprint::certificate_test
