#include "inference/certificate.h"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <functional>
#include <nlohmann/json.hpp>
#include <optional>
#include <system_error>
#include <utility>

#include "base/files.h"
#include "base/gzip.h"
#include "inference/document.h"
#include "inference/manifest.h"
#include "inference/proof_objects.h"
#include "inference/representative.h"
#include "inference/space_json.h"
#include "model/observation_json.h"

namespace mmaprint {
namespace {

namespace fs = std::filesystem;

[[noreturn]] void refuse(const fs::path& directory, const std::string& reason) {
  throw BadInput(directory.string() + ": expected a new directory or a certificate's: " + reason);
}

/// The files in a certificate's folder that are a certificate's; whatever else it holds goes to `foreign`.
std::vector<fs::path> files_of(const fs::path& directory,
                               const std::function<void(const std::string&)>& foreign) {
  std::vector<fs::path> ours;
  try {
    for (const auto& entry : fs::recursive_directory_iterator(directory)) {
      const std::string name = entry.path().lexically_relative(directory).generic_string();
      const auto type = entry.symlink_status().type();
      if (type == fs::file_type::directory ? name != kProofsFolder && name != kQuestionsFolder
                                           : name != kManifestFile && !is_certificate_file(name))
        foreign(name);
      else if (type != fs::file_type::directory)
        ours.push_back(entry.path());
    }
  } catch (const fs::filesystem_error& error) {
    refuse(directory, error.code().message());
  }
  return ours;
}

/// Removes a certificate, and of its folders what is empty then.
void remove_certificate(const fs::path& directory) {
  std::error_code ignored;
  bool all = true;
  for (const fs::path& file : files_of(directory, [&](const std::string&) { all = false; }))
    fs::remove(file, ignored);
  for (const std::string_view folder : {kProofsFolder, kQuestionsFolder})
    fs::remove(directory / folder, ignored);
  if (!fs::remove(directory, ignored) || !all)
    throw BadInput(directory.string() + ": expected no other files in a former certificate; they stay there");
}

/// Can `path`, with the folders above it, be made?
void require_writable(const fs::path& directory, const fs::path& path) {
  std::error_code ignored;
  fs::path folder = path.parent_path();
  while (!fs::exists(folder, ignored) && folder.has_relative_path()) folder = folder.parent_path();
  if (!fs::is_directory(folder, ignored)) refuse(directory, in_quotes(folder.string()) + " is no directory");
  if (::access(folder.c_str(), W_OK | X_OK) != 0)
    refuse(directory, in_quotes(folder.string()) + ": " + error_text(errno));
}

std::string observations_text(const Space& space, const std::vector<Observation>& observations) {
  std::string all;
  for (const Observation& seen : observations)
    all += json_line(observation_to_json(space.instruction, space.formats, seen)) + "\n";
  return all;
}

std::string survivors_text(const Space& space, const std::vector<SurvivorClass>& survivors,
                           const Deadline& deadline) {
  std::string all = "{\"schema\":\"" + std::string(kSurvivorsSchema) + "\",\n\"survivors\":[";
  for (std::size_t i = 0; i < survivors.size(); ++i) {
    deadline.require();
    const SurvivorClass& survivor = survivors[i];
    Json json = to_json(space, survivor.set);
    json["standing"] = text(survivor.standing);
    if (survivor.standing == SurvivorClass::Standing::proved) json["proof"] = proof_file(i);
    if (survivor.witness) json["witness"] = to_json(*survivor.witness, space.formats);
    all += (i == 0 ? "\n" : ",\n") + json_line(json);
  }
  return all + "\n]}\n";
}

/// A derivation whose formulas are too large beside the others' is left out: a solver can be asked again.
std::string proof_text(const Space& space, const SurvivorClass& survivor, const UnitModel& model,
                       const std::string& solver, StoredQuestions& questions) {
  std::optional<Json> steps;
  if (survivor.derivation) {
    StoredQuestions with = questions;
    steps = steps_to_json(space, survivor.set, model, *survivor.derivation, with);
    if (with.bytes() > kMostUnpacked)
      steps.reset();
    else
      questions = std::move(with);
  }
  Json json{{"schema", steps ? kProofSchema : kBareProofSchema},
            {"claim", kProofClaim},
            {"model", kModelFile},
            {"set", to_json(space, survivor.set)},
            {"solver", solver},
            {"how", survivor.clauses == 0
                        ? "by bounds of what can happen, or the formula that they differ folded to false"
                        : "the formula that they differ is unsatisfiable"},
            {"clauses", survivor.clauses},
            {"seconds", survivor.seconds}};
  if (steps) json["steps"] = *std::move(steps);
  return json_lines(json) + "\n";
}

}  // namespace

std::string proof_file(std::size_t survivor) {
  return fmt::format("{}/{:03}.json", kProofsFolder, survivor + 1);
}

bool is_certificate(const fs::path& directory) {
  const fs::path manifest = directory / kManifestFile;
  std::error_code ignored;
  if (!fs::is_regular_file(manifest, ignored)) return false;
  const std::string text = read_file(manifest.string(), kLargestManifest, FileKind::regular);
  const Json json = Json::parse(text, nullptr, false);
  return json.is_object() && json.contains("schema") && json["schema"] == kCertificateSchema;
}

void require_certificate_place(const fs::path& directory) {
  std::error_code ignored;
  if (!fs::exists(fs::symlink_status(directory, ignored))) {
    if (directory.empty()) refuse(directory, "has no name");
    require_writable(directory, fs::absolute(directory));
    return;
  }
  if (!fs::is_directory(directory, ignored)) refuse(directory, "is no directory");
  const fs::path real = fs::canonical(directory, ignored);
  require_writable(directory, real);
  if (fs::is_empty(real, ignored)) return;
  if (!is_certificate(real)) refuse(directory, "holds something else");
  (void)files_of(real, [&](const std::string& name) { refuse(directory, "also holds " + in_quotes(name)); });
}

void write_certificate(const fs::path& directory, const Search& search, const Identification& result,
                       const Provenance& from, Solver solver, Temporaries& temporaries,
                       const Deadline& deadline) {
  const Space& space = search.space;
  require_certificate_place(directory);
  // Those that came too late for conclusions are not what the rest follows from.
  const std::vector<Observation> used(result.observations.begin(),
                                      result.observations.end() - static_cast<std::ptrdiff_t>(result.unused));
  NewFolder folder(directory, temporaries);
  folder.add_folder(std::string(kProofsFolder));
  Manifest manifest{from,
                    search,
                    std::string(make_checker(solver)->name()),
                    result.verdict(),
                    result.reason(),
                    result.confirmed(),
                    used.size(),
                    result.survivors.size(),
                    0,
                    result.conflict,
                    result.conflict_is_smallest,
                    {}};
  const auto add = [&](std::string_view name, const std::string& text) {
    folder.add_file(std::string(name), text);
    manifest.files.push_back({std::string(name), text.size(), {StatedChecksum::Kind::sha256, sha256(text)}});
  };
  if (result.verdict() != Identification::Verdict::none && result.model)
    add(kModelFile, json_lines(model_document(search, result, from.device, deadline)) + "\n");
  add(kObservationsFile, observations_text(space, used));
  add(kSurvivorsFile, survivors_text(space, result.survivors, deadline));
  Count hypotheses = 0;
  StoredQuestions questions;
  for (std::size_t i = 0; i < result.survivors.size(); ++i) {
    deadline.require();
    const SurvivorClass& survivor = result.survivors[i];
    hypotheses += survivor.set.box.size();
    if (survivor.standing == SurvivorClass::Standing::proved)
      add(proof_file(i),
          proof_text(space, survivor, without_nan_rule(*result.model), manifest.solver, questions));
  }
  if (!questions.all().empty()) folder.add_folder(std::string(kQuestionsFolder));
  for (std::size_t n = 1; n <= questions.all().size(); ++n) {
    deadline.require();
    add(formula_file(n), gzip(questions.all()[n - 1]->cnf));
    add(refutation_file(n), gzip(questions.all()[n - 1]->proof));
  }
  manifest.hypotheses = count_to_json(hypotheses);
  folder.add_file(std::string(kManifestFile), json_lines(to_json(manifest)) + "\n");
  if (const auto former = folder.put_in_place()) remove_certificate(*former);
}

}  // namespace mmaprint
