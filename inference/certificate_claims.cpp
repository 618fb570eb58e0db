#include "inference/certificate_claims.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "inference/document.h"
#include "inference/monotonic_witness.h"
#include "inference/proof_objects.h"
#include "model/features_json.h"
#include "model/json_reader.h"
#include "model/observation_json.h"

namespace mmaprint {
namespace {

namespace fs = std::filesystem;
/// Models and certificates of version 0.1 had no such features.
constexpr std::array<std::string_view, 6> kLaterFeatures{"structure", "operand_formats", "node_formats",
                                                         "padded",    "scales",          "accumulator_width"};
using Standing = SurvivorClass::Standing;
using Verdict = Identification::Verdict;

class Claims {
 public:
  Claims(const Certificate& certificate, const Deadline& deadline)
      : certificate_(certificate), deadline_(deadline) {}

  std::vector<std::string> operator()() {
    files();
    folder();
    conflict();
    reason();
    observations();
    for (std::size_t i = 0; i < certificate_.survivors.size(); ++i) standing(i);
    if (certificate_.model) model();
    return std::move(false_);
  }

 private:
  [[nodiscard]] const Manifest& manifest() const { return certificate_.manifest; }
  [[nodiscard]] const std::string& text_of(std::string_view file) const {
    return certificate_.texts.at(std::string(file));
  }
  void fail(std::string message) { false_.push_back(std::move(message)); }

  /// Each file that is needed is listed once, and no other.
  void files() {
    std::set<std::string> needed{std::string(kObservationsFile), std::string(kSurvivorsFile)};
    if (certificate_.model) needed.emplace(kModelFile);
    for (std::size_t i = 0; i < certificate_.survivors.size(); ++i)
      if (certificate_.survivors[i].standing == Standing::proved) needed.insert(proof_file(i));
    std::set<std::string> listed;
    for (const ListedFile& file : manifest().files) {
      if (!listed.insert(file.name).second)
        fail("manifest.json: files: expected " + file.name + " only once");
      // Which of the questions are needed follows from the proofs.
      if (!needed.contains(file.name) && !file.name.starts_with(kQuestionsFolder))
        fail(file.name + ": no part of such a certificate");
    }
  }

  /// Nothing stands in the directory that the manifest does not list.
  void folder() {
    constexpr std::size_t kMost = 3;
    std::size_t found = 0;
    std::error_code problem;
    for (fs::recursive_directory_iterator at(certificate_.directory, problem), end;
         !problem && at != end && found < kMost; at.increment(problem)) {
      const std::string name = at->path().lexically_relative(certificate_.directory).generic_string();
      if (name == kManifestFile || name == kProofsFolder || name == kQuestionsFolder ||
          certificate_.texts.contains(name))
        continue;
      fail(in_quotes(name) + ": expected no file that the manifest does not list");
      ++found;
    }
    if (problem) fail("the directory can't be read: " + problem.message());
  }

  void conflict() {
    const auto& indices = manifest().conflict;
    if (manifest().verdict != Verdict::none && (!indices.empty() || manifest().conflict_is_smallest))
      fail("manifest.json: conflict: expected none where hypotheses remain");
    if (std::ranges::adjacent_find(indices, std::greater_equal<>()) != indices.end())
      fail("manifest.json: conflict: expected each observation once, in ascending order");
    if (indices.empty() && manifest().conflict_is_smallest)
      fail("manifest.json: conflict_is_smallest: expected false where no conflict is named");
  }

  /// Only what is not known needs one, and that does.
  void reason() {
    const bool known = manifest().verdict == Verdict::unique || manifest().verdict == Verdict::equivalent;
    if (known && !manifest().reason.empty())
      fail("manifest.json: reason: expected none where the verdict is known");
    if (manifest().verdict == Verdict::unknown && manifest().reason.empty())
      fail("manifest.json: reason: expected one where the verdict is not known");
    if (manifest().reason == kNotDeterministic &&
        (manifest().verdict != Verdict::none || !is_contradiction(manifest(), certificate_.observations)))
      fail("manifest.json: reason: expected two results for one input as the conflict");
  }

  /// One a line, nothing else, and each once.
  void observations() {
    const std::string& text = text_of(kObservationsFile);
    const auto lines = static_cast<std::size_t>(std::ranges::count(text, '\n'));
    if (lines != certificate_.observations.size() || (!text.empty() && text.back() != '\n'))
      fail("observations.jsonl: expected an observation on each line, and nothing else");
    std::map<Observation, std::size_t> first;
    for (std::size_t i = 0; i < certificate_.observations.size(); ++i) {
      const auto [known, fresh] = first.emplace(certificate_.observations[i], i);
      if (!fresh)
        fail(fmt::format("observations.jsonl:{}: expected each once, found line {}'s again", i + 1,
                         known->second + 1));
    }
  }

  /// A proof where it is said to be proved, a witness where it is undecided, and neither anywhere else.
  void standing(std::size_t index) {
    const CertifiedSurvivor& survivor = certificate_.survivors[index];
    const std::string name = fmt::format("survivors.json: survivor {}", index + 1);
    if (survivor.standing != Standing::open && !certificate_.model)
      fail(name + ": expected it open, as there is no model");
    if (survivor.standing != Standing::proved && !survivor.proof.empty())
      fail(name + ": expected no proof, as it is not called proved");
    if (survivor.standing != Standing::undecided && survivor.witness)
      fail(name + ": expected no witness, as it is not called undecided");
  }

  /// The model's document says what follows from the model and from what was proved.
  void model() {
    const UnitModel& model = *certificate_.model;
    const Space& space = manifest().search.space;
    const bool one_nan = info(space.formats.d).has_nan() && space.nan_results == NanResults::one_pattern;
    // A rule is found where the space has several; what it says is checked on the observations.
    if (constant_nan(model.nan).has_value() != one_nan)
      fail("model.json: unit.nan: expected " + std::string(one_nan ? "a pattern" : "a rule or null") +
           ", as the space has it");
    const Json document = Json::parse(text_of(kModelFile));
    if (document.value("device", Json()) != manifest().from.device)
      fail("model.json: device: expected the manifest's");
    if (document.contains("notes")) fail("model.json: notes: expected no such field in a certificate");
    unobservable(document);
    if (const auto features = document.find("features"); features != document.end())
      monotonic(features_from_json(JsonReader(*features), model.k, model.formats));
  }

  void unobservable(const Json& document) {
    Identification as_certified;
    as_certified.model = certificate_.model;
    for (const CertifiedSurvivor& s : certificate_.survivors)
      as_certified.survivors.push_back({s.set, s.standing, 0, 0, {}});
    Json expected =
        model_document(manifest().search, as_certified, manifest().from.device, deadline_).at("unobservable");
    // Of features that came later an older certificate says nothing.
    const Json stated = document.value("features", Json::object());
    for (std::size_t i = expected.size(); i-- > 0;) {
      const auto name = expected[i].at("feature").get<std::string>();
      if (std::ranges::find(kLaterFeatures, name) != kLaterFeatures.end() && !stated.contains(name))
        expected.erase(i);
    }
    if (document.value("unobservable", Json()) != expected)
      fail("model.json: unobservable: expected the features whose values differ among the proved survivors");
  }

  void monotonic(const PartialFeatures& stated) {
    if (!stated.monotonic) return;
    const auto& [holds, witness] = *stated.monotonic;
    const std::string name = "model.json: features.monotonic: ";
    if (holds == true) return fail(name + "nothing in the certificate confirms that it holds");
    if (witness && !holds) return fail(name + "expected a witness only where it does not hold");
    if (holds && (!witness || !shows_not_monotonic(*certificate_.model, witness->first, witness->second)))
      fail(name +
           "expected two inputs, no addend of the second smaller, for which the model gives a smaller " +
           "result");
  }

  const Certificate& certificate_;
  const Deadline& deadline_;
  std::vector<std::string> false_;
};

}  // namespace

std::vector<std::string> false_claims(const Certificate& certificate, const Deadline& deadline) {
  return Claims(certificate, deadline)();
}

}  // namespace mmaprint
