#include "inference/certificate.h"

#include <cerrno>
#include <fstream>
#include <iomanip>
#include <nlohmann/json.hpp>
#include <sstream>
#include <system_error>
#include <utility>

#include "inference/document.h"
#include "inference/manifest.h"
#include "inference/space_text.h"
#include "model/observation_text.h"

namespace mmaprint {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const fs::path& directory, const std::string& reason) {
  throw BadInput(directory.string() + ": expected a new directory or a certificate's: " + reason);
}

/// Throws BadInput unless nothing but a certificate would be lost.
void require_replaceable(const fs::path& directory) {
  std::error_code ignored;
  if (!fs::exists(fs::symlink_status(directory, ignored))) return;
  if (!fs::is_directory(directory, ignored)) refuse(directory, "is no directory");
  if (fs::is_empty(directory, ignored)) return;
  if (!is_certificate(directory)) refuse(directory, "holds something else");
  for (const auto& entry : fs::recursive_directory_iterator(directory)) {
    const std::string name = entry.path().lexically_relative(directory).generic_string();
    const bool ours =
        entry.is_directory() ? name == kProofsFolder : name == kManifestFile || is_certificate_file(name);
    if (!ours) refuse(directory, "also holds " + in_quotes(name));
  }
}

/// Writes files into a directory beside the final one, which appears complete or not at all.
class Writer {
 public:
  explicit Writer(fs::path directory) : directory_(std::move(directory)), partial_(directory_) {
    if (!partial_.has_filename()) partial_ = partial_.parent_path();  // "DIR/"
    directory_ = partial_;
    partial_ += ".partial";
    try {
      fs::remove_all(partial_);
      fs::create_directories(partial_ / kProofsFolder);
    } catch (const fs::filesystem_error& error) {
      fail(error.code().message());
    }
  }
  Writer(const Writer&) = delete;
  Writer& operator=(const Writer&) = delete;
  ~Writer() {
    std::error_code ignored;
    fs::remove_all(partial_, ignored);
  }

  ListedFile write(const std::string& name, const std::string& text) const {
    errno = 0;
    std::ofstream out(partial_ / name, std::ios::binary);
    out << text << std::flush;
    if (!out) fail(name + ": " + std::generic_category().message(errno));
    return {name, text.size(), checksum(text)};
  }

  void finish() const {
    try {
      fs::remove_all(directory_);
      fs::rename(partial_, directory_);
    } catch (const fs::filesystem_error& error) {
      fail(error.code().message());
    }
  }

 private:
  [[noreturn]] void fail(const std::string& reason) const {
    throw BadInput(directory_.string() + ": the certificate can't be written: " + reason);
  }
  fs::path directory_, partial_;
};

std::string observations_text(const Space& space, const std::vector<Observation>& observations) {
  std::string all;
  for (const Observation& seen : observations)
    all += json_line(observation_to_json(space.instruction, space.formats, seen)) + "\n";
  return all;
}

std::string survivors_text(const Space& space, const std::vector<SurvivorClass>& survivors) {
  std::string all = "{\"schema\":\"" + std::string(kSurvivorsSchema) + "\",\n\"survivors\":[";
  for (std::size_t i = 0; i < survivors.size(); ++i) {
    const SurvivorClass& survivor = survivors[i];
    Json json = to_json(space, survivor.set);
    json["standing"] = text(survivor.standing);
    if (survivor.standing == SurvivorClass::Standing::proved) json["proof"] = proof_file(i);
    if (survivor.witness) json["witness"] = to_json(*survivor.witness, space.formats);
    all += (i == 0 ? "\n" : ",\n") + json_line(json);
  }
  return all + "\n]}\n";
}

std::string proof_text(const Space& space, const SurvivorClass& survivor, const std::string& solver) {
  const Json json{
      {"schema", kProofSchema},
      {"claim", "the model gives the result of every hypothesis of the set, on every input"},
      {"model", kModelFile},
      {"set", to_json(space, survivor.set)},
      {"solver", solver},
      {"how", survivor.clauses == 0 ? "the formula that they differ folded to false while it was built"
                                    : "the formula that they differ is unsatisfiable"},
      {"clauses", survivor.clauses},
      {"seconds", survivor.seconds}};
  return json_lines(json) + "\n";
}

}  // namespace

std::string proof_file(std::size_t survivor) {
  std::ostringstream name;
  name << kProofsFolder << '/' << std::setw(3) << std::setfill('0') << survivor + 1 << ".json";
  return name.str();
}

bool is_certificate(const fs::path& directory) {
  const fs::path manifest = directory / kManifestFile;
  std::error_code ignored;
  if (!fs::is_regular_file(manifest, ignored)) return false;
  const Json json = Json::parse(read_file(manifest.string()), nullptr, false);
  return json.is_object() && json.contains("schema") && json["schema"] == kCertificateSchema;
}

void write_certificate(const fs::path& directory, const Search& search, const Identification& result,
                       const Provenance& from, Solver solver) {
  const Space& space = search.space;
  require_replaceable(directory);
  const Writer writer(directory);
  Manifest manifest{from,
                    search,
                    std::string(make_engine(solver)->name()),
                    result.verdict,
                    result.reason,
                    result.observations.size(),
                    result.survivors.size(),
                    0,
                    result.conflict,
                    result.conflict_is_smallest,
                    {}};
  const auto add = [&](std::string_view name, const std::string& text) {
    manifest.files.push_back(writer.write(std::string(name), text));
  };
  if (result.verdict != Identification::Verdict::none && result.model)
    add(kModelFile, json_lines(model_document(search, result, from.device, true)) + "\n");
  add(kObservationsFile, observations_text(space, result.observations));
  add(kSurvivorsFile, survivors_text(space, result.survivors));
  for (std::size_t i = 0; i < result.survivors.size(); ++i) {
    const SurvivorClass& survivor = result.survivors[i];
    manifest.hypotheses += survivor.set.box.size();
    if (survivor.standing == SurvivorClass::Standing::proved)
      add(proof_file(i), proof_text(space, survivor, manifest.solver));
  }
  (void)writer.write(std::string(kManifestFile), json_lines(to_json(manifest)) + "\n");
  writer.finish();
}

}  // namespace mmaprint
