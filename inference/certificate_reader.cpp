#include "inference/certificate_reader.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <sstream>
#include <utility>

#include "base/files.h"
#include "base/gzip.h"
#include "inference/proof_objects.h"
#include "inference/space_json.h"
#include "model/json_reader.h"
#include "model/observation_json.h"

namespace mmaprint {
namespace {

namespace fs = std::filesystem;

/// Of all files together.
constexpr std::size_t kLargestCertificate = std::size_t{1} << 30;
constexpr std::size_t kMostSurvivors = 100'000'000;

/// Reads a JSON text; what `read` finds wrong is a BadInput with file, line and field.
template <class Read>
auto reading(const std::string& text, const std::string& file, Read&& read, const Deadline& deadline = {}) {
  const JsonSource source{text, file};
  const Json json = source.parse(deadline);
  try {
    return read(JsonReader(json));
  } catch (const FieldError& error) {
    source.fail(error);
  }
}

std::vector<CertifiedSurvivor> read_survivors(const JsonReader& from, const Space& space,
                                              const Deadline& deadline) {
  constexpr std::array<std::string_view, 3> kStandings{"proved", "open", "undecided"};
  if (from.at("schema").json() != kSurvivorsSchema) from.at("schema").fail(in_quotes(kSurvivorsSchema));
  std::vector<CertifiedSurvivor> all;
  from.only({"schema", "survivors"});
  for (const JsonReader& item : from.at("survivors").elements(kMostSurvivors)) {
    deadline.require();
    item.only({"blocks", "c_enters", "inside", "tree", "operands", "parameters", "nan", "standing", "proof",
               "witness"});
    all.push_back({set_from_json(item, space),
                   read_word<SurvivorClass::Standing>(item.at("standing"), kStandings),
                   {},
                   {}});
    if (const auto proof = item.find("proof")) all.back().proof = proof->text();
    if (const auto witness = item.find("witness"))
      all.back().witness = read_only_input(*witness, space.formats, space.k);
  }
  return all;
}

class Loading {
 public:
  Loading(fs::path directory, std::vector<std::string>& failures, const Deadline& deadline)
      : directory_(std::move(directory)), failures_(failures), deadline_(deadline) {}

  std::optional<Certificate> operator()() {
    const std::string file = path_of(kManifestFile);
    const std::string text = read_file(file, kLargestManifest, FileKind::regular);
    const bool intact = reading(text, file, [](const JsonReader& from) {
      if (from.at("schema").json() != kCertificateSchema)
        from.at("schema").fail(in_quotes(kCertificateSchema));
      return is_intact(from.json());
    });
    if (!intact) {
      failures_.emplace_back("manifest.json: its checksum does not agree with the rest of it");
      return std::nullopt;
    }
    Certificate loaded{directory_, reading(text, file, manifest_from_json), {}, {}, {}, std::nullopt};
    // What was tampered with need not be readable.
    read_files(loaded);
    if (!failures_.empty()) return std::nullopt;
    read_observed(loaded);
    const auto survivors = [&](const JsonReader& from) {
      return read_survivors(from, loaded.manifest.search.space, deadline_);
    };
    loaded.survivors =
        reading(loaded.texts.at(std::string(kSurvivorsFile)), path_of(kSurvivorsFile), survivors, deadline_);
    if (loaded.manifest.verdict != Identification::Verdict::none &&
        loaded.texts.contains(std::string(kModelFile)))
      read_model(loaded);
    if (!failures_.empty()) return std::nullopt;
    return loaded;
  }

 private:
  [[nodiscard]] std::string path_of(std::string_view name) const { return (directory_ / name).string(); }
  void fail(std::string message) { failures_.push_back(std::move(message)); }

  /// Every file that is listed is there as it was written, and those that are needed are listed.
  void read_files(Certificate& loaded) {
    std::size_t left = kLargestCertificate;
    for (const ListedFile& listed : loaded.manifest.files) {
      std::error_code ignored;
      if (!fs::is_regular_file(directory_ / listed.name, ignored)) {
        fail(listed.name + ": the file is missing");
        continue;
      }
      std::string text = read_file(path_of(listed.name), left, FileKind::regular, deadline_);
      left -= text.size();
      const std::string found = listed.checksum.of(text);
      if (text.size() != listed.bytes || found != listed.checksum.digits)
        fail(fmt::format("{}: expected {} bytes with checksum {}, found {} with {}", listed.name,
                         listed.bytes, listed.checksum.digits, text.size(), found));
      loaded.texts[listed.name] = std::move(text);
    }
    for (const std::string_view needed : {kObservationsFile, kSurvivorsFile, kModelFile})
      if (!loaded.texts.contains(std::string(needed)) && !may_lack(needed, loaded.manifest))
        fail("manifest.json: files: expected " + std::string(needed) + " among them");
  }

  /// A search that was cut short may have met no model that gives all that was observed.
  static bool may_lack(std::string_view file, const Manifest& manifest) {
    using enum Identification::Verdict;
    return file == kModelFile &&
           (manifest.verdict == none || (manifest.verdict == unknown && manifest.confirmed == false));
  }

  void read_observed(Certificate& loaded) {
    const Space& space = loaded.manifest.search.space;
    ObservationRules rules;
    rules.stated_formats = space.formats;
    rules.k = space.k;
    rules.need_d = true;
    std::istringstream in(loaded.texts.at(std::string(kObservationsFile)));
    const auto take = [&](const ObservationRecord& record) {
      if (record.formats != space.formats || record.instruction != space.instruction)
        throw BadInput(record.place() + ": expected an observation of " + space.instruction);
      require_plain(record);
      loaded.observations.push_back({record.input, *record.d});
    };
    read_observations(in, path_of(kObservationsFile), rules, take, deadline_);
    if (loaded.observations.size() != loaded.manifest.observations)
      fail(fmt::format("observations.jsonl: expected {} observations, found {}", loaded.manifest.observations,
                       loaded.observations.size()));
  }

  /// Observations elsewhere may hold anything besides.
  static void require_plain(const ObservationRecord& record) {
    const JsonSource source{record.text, record.file, record.line};
    const Json line = source.parse();
    try {
      JsonReader(line).only({"instruction", "formats", "a", "b", "c", "sa", "sb", "d"});
    } catch (const FieldError& error) {
      source.fail(error);
    }
  }

  void read_model(Certificate& loaded) {
    const Space& space = loaded.manifest.search.space;
    const AnyModel model = model_from_text(loaded.texts.at(std::string(kModelFile)), path_of(kModelFile));
    const auto* full = std::get_if<UnitModel>(&model);
    if (full == nullptr)
      fail("model.json: expected a full model, with `unit`");
    else if (full->k != space.k || full->formats != space.formats || full->instruction != space.instruction)
      fail("model.json: expected a model of " + space.instruction);
    else
      loaded.model = *full;
  }

  fs::path directory_;
  std::vector<std::string>& failures_;
  const Deadline& deadline_;
};

}  // namespace

std::optional<Certificate> load_certificate(const fs::path& directory, std::vector<std::string>& failures,
                                            const Deadline& deadline) {
  return Loading(directory, failures, deadline)();
}

std::shared_ptr<const RefutedFormula> CertifiedQuestions::of(const JsonReader& number) {
  const int n = number.integer(1, kMostFormulas);
  const auto [known, is_new] = known_.try_emplace(n);
  if (!is_new) return known->second;
  const auto unpacked = [&](const std::string& file) {
    const auto packed = certificate_.texts.find(file);
    if (packed == certificate_.texts.end()) number.fail("a question of the certificate, with " + file);
    auto text = gunzip(packed->second, left_, deadline_);
    if (!text) number.fail("a question whose file " + file + " is whole, and no larger than any is");
    left_ -= text->size();
    used_.insert(file);
    return *std::move(text);
  };
  const auto at = static_cast<std::size_t>(n);
  RefutedFormula refuted{unpacked(formula_file(at)), unpacked(refutation_file(at))};
  return known->second = std::make_shared<const RefutedFormula>(std::move(refuted));
}

CertifiedProof read_proof(const Certificate& certificate, const std::string& file, const UnitModel& model,
                          CertifiedQuestions& questions) {
  const Space& space = certificate.manifest.search.space;
  return reading(
      certificate.texts.at(file), (certificate.directory / file).string(), [&](const JsonReader& from) {
        const bool is_bare = from.at("schema").json() == kBareProofSchema;
        if (!is_bare && from.at("schema").json() != kProofSchema)
          from.at("schema").fail(in_quotes(kProofSchema));
        from.only({"schema", "claim", "model", "set", "solver", "how", "clauses", "seconds",
                   is_bare ? "schema" : "steps"});
        if (from.at("claim").json() != kProofClaim) from.at("claim").fail(in_quotes(kProofClaim));
        if (from.at("model").json() != kModelFile) from.at("model").fail(in_quotes(kModelFile));
        const JsonReader set = from.at("set");
        set.only({"blocks", "c_enters", "inside", "tree", "operands", "parameters", "nan"});
        CertifiedProof proof{set_from_json(set, space), std::nullopt};
        if (!is_bare)
          proof.derivation = steps_from_json(from.at("steps"), space, proof.set, model,
                                             [&](const JsonReader& number) { return questions.of(number); });
        return proof;
      });
}

}  // namespace mmaprint
