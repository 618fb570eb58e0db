#include <algorithm>
#include <nlohmann/json.hpp>

#include "inference/document.h"
#include "model/observation_json.h"

namespace mmaprint {
namespace {

Json positions_to_json(const PositionsFound& p, const Signature& formats) {
  Json json{{"inputs", p.inputs}, {"results", p.results}, {"differing", p.differing}};
  if (p.examples.empty()) return json;
  json["examples"] = Json::array();
  for (const DotInput& input : p.examples) json["examples"].push_back(to_json(input, formats));
  return json;
}

/// What a document says of one device, apart from its verdict.
Json found_to_json(const DeviceValidation& v) {
  const Validation& r = v.result;
  Json examples = Json::array();
  for (const Mismatch& m : r.examples) {
    Json entry = observation_to_json(v.instruction.name, v.instruction.formats, m.seen);
    entry["predicted"] = pattern_text(v.instruction.formats.d, m.predicted);
    examples.push_back(std::move(entry));
  }
  Json json{{"device", v.device},
            {"instruction", v.instruction.name},
            {"vectors", r.vectors},
            {"mismatches", r.mismatches},
            {"examples", std::move(examples)},
            {"seconds", r.seconds},
            {"vectors_per_second", r.seconds > 0 ? static_cast<double>(r.vectors) / r.seconds : 0.0}};
  if (r.positions) json["positions"] = positions_to_json(*r.positions, v.instruction.formats);
  if (!r.reason.empty()) json["reason"] = r.reason;
  return json;
}

AgreementVerdict verdict_of(const std::vector<DeviceValidation>& all) {
  for (const auto verdict : {AgreementVerdict::mismatch, AgreementVerdict::unknown})
    if (std::ranges::any_of(all, [&](const DeviceValidation& v) { return v.result.verdict == verdict; }))
      return verdict;
  return AgreementVerdict::match;
}

/// The sums over several devices.
DeviceValidation together(const std::vector<DeviceValidation>& all) {
  DeviceValidation sum{"cuda:all", all.front().instruction, {}};
  for (const DeviceValidation& v : all) {
    sum.result.vectors += v.result.vectors;
    sum.result.mismatches += v.result.mismatches;
    sum.result.seconds = std::max(sum.result.seconds, v.result.seconds);
    for (const Mismatch& m : v.result.examples) sum.result.examples.push_back(m);
  }
  return sum;
}

}  // namespace

Json validation_document(const std::vector<DeviceValidation>& all, std::uint64_t seed) {
  Json json{{"schema", kValidationSchema}, {"verdict", text(verdict_of(all))}, {"seed", seed}};
  json.update(found_to_json(all.size() == 1 ? all.front() : together(all)));
  if (all.size() == 1) return json;
  json["devices"] = Json::array();
  for (const DeviceValidation& v : all) {
    Json entry{{"verdict", text(v.result.verdict)}};
    entry.update(found_to_json(v));
    json["devices"].push_back(std::move(entry));
  }
  return json;
}

}  // namespace mmaprint
