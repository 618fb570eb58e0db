#include "inference/document.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>

#include "base/json_text.h"
#include "inference/certificate_claims.h"
#include "inference/confirmation_json.h"
#include "inference/representative.h"
#include "inference/space_json.h"
#include "inference/summary.h"
#include "model/evaluator.h"
#include "model/features_json.h"
#include "model/observation_json.h"

namespace mmaprint {
namespace {

/// Gathers, feature by feature, the values that differ from the representative's.
class Differences {
 public:
  Differences(const UnitModel& model, std::vector<Unobservable>& found)
      : own_(features_of(without_nan_rule(model))), formats_(model.formats), found_(found) {}

  void add(const UnitModel& other, std::size_t survivor) {
    const Features theirs = features_of(without_nan_rule(other));
    visit_features(
        [&](auto feature, const auto& mine, const auto& its, auto& slot) {
          if (!feature.follows || mine == its) return;
          note(feature.name, value(feature.name, slot, mine), value(feature.name, slot, its), survivor);
        },
        own_, theirs, scratch_);
  }

 private:
  template <class Slot, class Value>
  Json value(std::string_view feature, Slot& slot, const Value& of) {
    slot = of;
    const Json json = features_to_json(scratch_, formats_);
    slot.reset();
    const auto dot = feature.find('.');
    if (dot == std::string_view::npos) return json.at(std::string(feature));
    return json.at(std::string(feature.substr(0, dot))).at(std::string(feature.substr(dot + 1)));
  }

  void note(std::string_view feature, const Json& mine, const Json& theirs, std::size_t survivor) {
    auto entry = std::ranges::find(found_, feature, &Unobservable::feature);
    if (entry == found_.end()) entry = found_.insert(found_.end(), {std::string(feature), {mine}, {}});
    if (std::ranges::find(entry->values, theirs) == entry->values.end()) entry->values.push_back(theirs);
    if (std::ranges::find(entry->proofs, survivor) == entry->proofs.end()) entry->proofs.push_back(survivor);
  }

  Features own_;
  Signature formats_;
  PartialFeatures scratch_;
  std::vector<Unobservable>& found_;
};

Json unobservable_to_json(const std::vector<Unobservable>& features) {
  Json list = Json::array();
  for (const Unobservable& u : features) {
    Json entry{{"feature", u.feature}, {"values", u.values}, {"proof", proof_file(u.proofs.front())}};
    for (std::size_t i = 1; i < u.proofs.size(); ++i)
      entry["further_proofs"].push_back(proof_file(u.proofs[i]));
    list.push_back(std::move(entry));
  }
  return list;
}

/// The member of a set that speaks for it: the representative where it is one of them.
UnitModel speaker(const Space& space, const HypothesisSet& set,
                  const std::optional<UnitModel>& representative) {
  if (representative && contains(space, {set}, *representative)) return *representative;
  return space.model(set.skeleton, plainest(set.box), set.nan);
}

Json trait_to_json(const CommonTrait& trait) {
  return {{"trait", trait.words},
          {"departing", trait.departing},
          {"others", trait.others},
          {"of_others", trait.of_others}};
}

Json conflict_to_json(const Space& space, const Identification& result) {
  Json list = Json::array();
  for (const std::size_t i : result.conflict) {
    const Observation& seen = result.observations[i];
    Json entry = observation_to_json(space.instruction, space.formats, seen);
    if (result.model) entry["predicted"] = pattern_text(space.formats.d, evaluate(*result.model, seen.input));
    list.push_back(std::move(entry));
  }
  return list;
}

/// A document's size as it is printed, also as one of several.
std::size_t printed_size(const Json& document) {
  return json_text({{"results", Json::array({document})}}).size();
}

/// Adds the survivors that a document has room for, the witnesses that it quotes not counted.
void add_survivors(Json& document, const Space& space, const Identification& result, bool certified) {
  constexpr std::size_t kReserve = std::size_t{4} << 10;  // for what is added later: a validation's counts
  auto [listed, classes] = survivor_summaries(space, result, certified);
  const auto fill = [&, &all = listed, n = classes] {
    document["survivors"] = Json::array();
    for (const SurvivorSummary& s : all) document["survivors"].push_back(s.json);
    if (n > all.size()) document["more_survivors"] = n - all.size();
  };
  for (fill(); !listed.empty() && printed_size(document) + kReserve > kLargestIdentification; fill())
    listed.pop_back();
  for (std::size_t i = 0; i < listed.size(); ++i)
    if (listed[i].witness) document["survivors"][i]["witness"] = to_json(*listed[i].witness, space.formats);
}

/// The word of an enumerator; `words` in the enumerators' order.
template <class Enum>
std::string_view word_of(Enum value, std::initializer_list<std::string_view> words) {
  return words.begin()[static_cast<std::size_t>(value)];
}

}  // namespace

std::string_view text(Identification::Verdict verdict) {
  return kVerdictWords[static_cast<std::size_t>(verdict)];
}
std::string_view text(CheckResult::Verdict verdict) {
  return word_of(verdict, {"consistent", "inconsistent", "unknown"});
}
std::string_view text(AgreementVerdict verdict) { return word_of(verdict, {"match", "mismatch", "unknown"}); }
std::string_view text(Verification::Verdict verdict) {
  return word_of(verdict, {"valid", "invalid", "unknown"});
}
std::string_view text(SurvivorClass::Standing standing) {
  return word_of(standing, {"proved", "open", "undecided"});
}

std::vector<Unobservable> unobservable(const Space& space, const Identification& result,
                                       const Deadline& deadline) {
  std::vector<Unobservable> found;
  if (!result.model) return found;
  Differences differences(*result.model, found);
  for (std::size_t i = 0; i < result.survivors.size(); ++i) {
    deadline.require();
    const HypothesisSet& set = result.survivors[i].set;
    if (result.survivors[i].standing != SurvivorClass::Standing::proved) continue;
    const UnitModel base = speaker(space, set, result.model);
    differences.add(base, i);
    // Features follow from parameters one by one, nearly; so varying one at a time meets every value.
    for (const ParameterKey& key : set.box.keys()) {
      if (set.box[key].is_single()) continue;
      for (const int index : set.box[key].values()) {
        ParameterValues values = plainest(set.box);
        set_value(values, key, index);
        differences.add(space.model(set.skeleton, values, set.nan), i);
      }
    }
  }
  return found;
}

Json model_document(const Search& search, const Identification& result, const std::string& device,
                    const Deadline& deadline) {
  Json json = to_json(*result.model);
  json["device"] = device;
  json["unobservable"] = unobservable_to_json(unobservable(search.space, result, deadline));
  return json;
}

Json identification_document(const Search& search, const Identification& result, const std::string& device,
                             const std::optional<std::string>& certificate) {
  const bool none = result.verdict() == Identification::Verdict::none;
  const bool certified = certificate.has_value();
  Json json{
      {"schema", kIdentificationSchema},
      {"device", device},
      {"instruction", search.space.instruction},
      {"verdict", text(result.verdict())},
      {"model", nullptr},
      {"survivors", Json::array()},
      {"space", space_summary(search)},
      {"observations", result.observations.size()},
      {"device_calls", result.device_calls},
      {"confirmation", confirmation_to_json(result.confirmation)},
      {"seconds",
       {{"total", result.seconds}, {"solver", result.solver_seconds}, {"device", result.device_seconds}}},
      {"certificate", certificate ? Json(*certificate) : Json(nullptr)}};
  if (!none && result.model) {
    json["model"] = to_json(*result.model);
    json["model"]["device"] = device;
    json["model"]["unobservable"] =
        unobservable_summary(unobservable(search.space, result), search.space.k, certified);
  }
  if (none) {
    json["conflict"] = nullptr;
    json["conflict_is_smallest"] = result.conflict_is_smallest;
    json["nearest"] = result.model ? to_json(*result.model) : Json(nullptr);
    json["explained"] = result.explained ? Json(*result.explained) : Json(nullptr);
    json["in_common"] = result.in_common ? trait_to_json(*result.in_common) : Json(nullptr);
  }
  if (result.unused != 0) json["unused_observations"] = result.unused;
  if (const std::string reason = result.reason(); !reason.empty()) json["reason"] = reason;
  add_survivors(json, search.space, result, certified);
  if (none) json["conflict"] = conflict_to_json(search.space, result);
  return json;
}

Json check_document(const CheckResult& result) {
  Json refuting = Json::array();
  for (const Refuting& r : result.refuting) {
    const Signature& formats = r.record.formats;
    Json entry = observation_to_json(r.record.instruction, formats, {r.record.input, *r.record.d});
    entry["predicted"] =
        r.predicted.empty() ? Json(nullptr) : Json(pattern_text(formats.d, r.predicted.front()));
    if (r.predicted.size() > 1) {
      entry["predicted_by_others"] = Json::array();
      for (std::size_t i = 1; i < r.predicted.size(); ++i)
        entry["predicted_by_others"].push_back(pattern_text(formats.d, r.predicted[i]));
    }
    entry["file"] = r.record.file;
    entry["line"] = r.record.line;
    refuting.push_back(std::move(entry));
  }
  Json json{{"schema", kCheckSchema},
            {"verdict", text(result.verdict)},
            {"observations", result.observations},
            {"refuting", std::move(refuting)}};
  if (result.verdict == CheckResult::Verdict::inconsistent) {
    json["smallest"] = result.smallest;
    json["contradictory"] = result.contradictory;
    json["disagreeing"] = result.disagreeing;
    if (!result.counted) json["disagreeing_is_complete"] = false;
  }
  if (result.completion)
    json[result.verdict == CheckResult::Verdict::consistent ? "completion" : "nearest"] =
        to_json(*result.completion);
  if (!result.reason.empty()) json["reason"] = result.reason;
  return json;
}

Json verification_document(const Verification& result) {
  const Verification::Checked& c = result.checked;
  Json json{{"schema", kVerificationSchema},
            {"verdict", text(result.verdict)},
            {"certified", result.certified},
            {"checked",
             {{"files", c.files},
              {"hypotheses", count_to_json(c.hypotheses)},
              {"default_space", c.default_space},
              {"observations", c.observations},
              {"survivors", c.survivors},
              {"reproduced", c.reproduced},
              {"random_inputs", c.random_inputs},
              {"proofs", c.proofs},
              {"refutations", c.steps.refutations},
              {"vanished", c.steps.vanished},
              {"by_bounds", c.steps.theorems},
              {"solved_again", c.solved},
              {"without_steps", c.without_steps},
              {"conflict", c.conflict},
              {"smallest_conflict", c.smallest_conflict}}},
            {"not_checked", kAnnotations},
            {"failures", result.failures}};
  if (!result.unfinished.empty()) json["unfinished"] = result.unfinished;
  return json;
}

}  // namespace mmaprint
