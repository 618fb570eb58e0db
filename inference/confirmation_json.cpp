#include "inference/confirmation_json.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "inference/confirm_model.h"
#include "inference/document.h"
#include "model/evaluator.h"
#include "model/model_json.h"
#include "model/observation_json.h"

namespace mmaprint {

Json confirmation_to_json(const Confirmation& of) {
  constexpr std::size_t kMostNamed = 20;
  const auto& [counts, open] = of.mutants;
  Json json{{"inputs", of.inputs},     {"repeated", of.repeated}, {"mutants", counts.mutants},
            {"killed", counts.killed}, {"equal", counts.equal},   {"open", counts.open()}};
  for (std::size_t i = 0; i < std::min(open.size(), kMostNamed); ++i) json["open_mutants"].push_back(open[i]);
  return json;
}

Json confirmation_document(const UnitModel& model, const Instruction& instruction,
                           const ModelConfirmation& result, const std::string& device) {
  const Evaluator evaluator(model);
  Json examples = Json::array();
  for (const Observation& o : result.seen) {
    Json entry = observation_to_json(instruction.name, instruction.formats, o);
    entry["predicted"] = pattern_text(instruction.formats.d, evaluator(o.input));
    examples.push_back(std::move(entry));
  }
  Json json{{"schema", kConfirmationSchema},
            {"device", device},
            {"instruction", instruction.name},
            {"verdict", text(result.verdict)},
            {"confirmation", confirmation_to_json(result.confirmation)},
            {"examples", std::move(examples)},
            {"device_calls", result.device_calls},
            {"seconds", result.seconds}};
  if (!result.answers_like.empty()) json["answers_like"] = result.answers_like;
  if (!result.reason.empty()) json["reason"] = result.reason;
  return json;
}

}  // namespace mmaprint
