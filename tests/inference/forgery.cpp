#include "forgery.h"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "base/files.h"
#include "inference/manifest.h"

namespace mmaprint::samples {
namespace {

void write_manifest(const std::string& directory, Json json) {
  json.erase("checksum");
  json["checksum"] = sha256(json.dump());
  write_file(directory + "/manifest.json", json.dump(1) + "\n");
}

}  // namespace

const Identification& certified() {
  static const Identification kFound = identified(small_space(), unit());
  return kFound;
}

void write_sample_certificate(const std::string& directory, const Identification& result,
                              const Space& space) {
  Temporaries temporaries;
  write_certificate(directory, Search(space), result, {"0.1.0", "sim:sample", 1}, Solver::cadical,
                    temporaries);
}

void forge(const std::string& directory, const std::string& file,
           const std::function<std::string(std::string)>& change) {
  const std::string text = change(read_file(directory + "/" + file));
  write_file(directory + "/" + file, text);
  Json json = Json::parse(read_file(directory + "/manifest.json"));
  for (Json& listed : json["files"])
    if (listed["name"] == file) {
      listed["bytes"] = text.size();
      listed["sha256"] = sha256(text);
    }
  write_manifest(directory, std::move(json));
}

void forge_json(const std::string& directory, const std::string& file,
                const std::function<void(Json&)>& edit) {
  Json json = Json::parse(read_file(directory + "/" + file));
  edit(json);
  if (file == kManifestFile) return write_manifest(directory, std::move(json));
  forge(directory, file, [&](const std::string&) { return json.dump(); });
}

void add_listed(const std::string& directory, const std::string& file, const std::string& text) {
  write_file(directory + "/" + file, text);
  forge_json(directory, std::string(kManifestFile), [&](Json& json) {
    json["files"].push_back({{"name", file}, {"bytes", text.size()}, {"sha256", sha256(text)}});
  });
}

void expect_found(const Tamper& tamper, const std::string& expected) {
  const Folder folder;
  write_sample_certificate(folder / "c");
  tamper(folder / "c");
  const auto result = verify_certificate(folder / "c", {});
  EXPECT_EQ(result.verdict, Verification::Verdict::invalid);
  EXPECT_NE(failures(result).find(expected), std::string::npos) << "expected " << expected << "\n"
                                                                << failures(result);
}

void expect_refused(const Tamper& tamper, const std::string& expected) {
  const Folder folder;
  write_sample_certificate(folder / "c");
  tamper(folder / "c");
  const std::string found = complaint<BadInput>([&] { (void)verify_certificate(folder / "c", {}); });
  EXPECT_NE(found.find(expected), std::string::npos) << "expected " << expected << "\n" << found;
}

std::string failures(const Verification& verification) {
  std::string all;
  for (const auto& f : verification.failures) all += f + "\n";
  for (const auto& f : verification.unfinished) all += f + "\n";
  return all;
}

}  // namespace mmaprint::samples
