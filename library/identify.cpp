#include "mmaprint/identify.h"

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <set>

#include "device/one_at_a_time.h"
#include "inference/characterise.h"
#include "inference/document.h"
#include "library/callable_unit.h"
#include "library/conversion.h"
#include "library/model_access.h"
#include "report/identification_text.h"

namespace mmaprint {
namespace {

Instruction instruction_for(const IdentifySettings& settings, int k, const Formats& formats) {
  if (k < 1 || k > kLargestK)
    throw BadInput(fmt::format("k: expected a number of products from 1 to {}, found {}", kLargestK, k));
  Instruction instruction{settings.instruction, k, signature_of(formats)};
  if (const auto why = not_modelled(instruction.formats)) throw BadInput("formats: expected " + *why);
  return instruction;
}

CharacteriseOptions options_of(const IdentifySettings& settings) {
  CharacteriseOptions options;
  options.identify.seed = settings.seed;
  options.identify.threads = threads_of(settings.threads);
  options.identify.seconds = settings.time_limit;
  options.identify.most_observations = settings.max_observations;
  options.identify.conflict_work = kConflictWork / 16;  // some seconds
  return options;
}

CharacteriseHooks hooks_of(const IdentifySettings& settings) {
  CharacteriseHooks hooks;
  hooks.identify.stop = settings.stop;
  if (settings.progress)
    hooks.identify.progress = [&settings](const Progress& p) {
      settings.progress({approximate(p.hypotheses), p.observations, p.seconds, p.doing});
    };
  return hooks;
}

IdentifyVerdict public_verdict(IdentificationVerdict verdict) {
  switch (verdict) {
    case IdentificationVerdict::unique:
      return IdentifyVerdict::unique;
    case IdentificationVerdict::equivalent:
      return IdentifyVerdict::equivalent;
    case IdentificationVerdict::none:
      return IdentifyVerdict::none;
    case IdentificationVerdict::unknown:
      break;
  }
  return IdentifyVerdict::unknown;
}

IdentifyOutcome outcome_of(const Characterisation& found, const std::string& device) {
  const Identification& result = found.result;
  const Space& space = found.search.space;
  std::optional<Model> model;
  if (result.model) model = ModelAccess::wrapped(*result.model);
  return {public_verdict(result.verdict()),
          result.reason(),
          std::move(model),
          packed(result.observations, space.formats, space.k),
          result.conflict,
          json_line(identification_document(found.search, result, device, std::nullopt)),
          identification_text(found.search, result, device, std::nullopt, Style())};
}

/// What is known, and then what was recorded: each observation once, in their order. Two results for one
/// input are two.
std::vector<Observation> known_of(const IdentifySettings& settings, const ObservedBatch& recorded,
                                  const Instruction& instruction) {
  std::vector<Observation> all;
  std::set<Observation> seen;
  for (const ObservedBatch& batch : {settings.known.value_or(ObservedBatch()), recorded})
    for (Observation& o : unpacked(batch, instruction.formats, instruction.k))
      if (seen.insert(o).second) all.push_back(std::move(o));
  return all;
}

Search search_of(const IdentifySettings& settings, const Instruction& instruction) {
  if (settings.assume) return search_assuming(instruction, ModelAccess::any(*settings.assume), "assume");
  return search_for(instruction.name, instruction.k, instruction.formats);
}

Characterisation characterised(Subject subject, const Instruction& instruction,
                               std::vector<Observation> known, const IdentifySettings& settings) {
  return characterise(search_of(settings, instruction), subject, instruction, std::move(known),
                      options_of(settings), hooks_of(settings));
}

}  // namespace

inline namespace api {

std::string_view word(IdentifyVerdict verdict) { return kVerdictWords.at(static_cast<std::size_t>(verdict)); }

IdentifyOutcome identify(const UnitUnderTest& unit, int k, const Formats& formats,
                         const IdentifySettings& settings) {
  return with_public_errors([&] {
    const Instruction instruction = instruction_for(settings, k, formats);
    CallableUnit callable(unit, instruction);
    OneAtATime device(callable);
    const Characterisation found = characterised(std::ref<MatmulUnit>(device), instruction,
                                                 known_of(settings, {}, instruction), settings);
    callable.rethrow();
    if (found.result.device_failed()) throw DeviceError(found.result.reason());
    return outcome_of(found, device.name());
  });
}

IdentifyOutcome identify_recorded(const ObservedBatch& recorded, int k, const Formats& formats,
                                  const IdentifySettings& settings) {
  return with_public_errors([&] {
    const Instruction instruction = instruction_for(settings, k, formats);
    return outcome_of(
        characterised(Recorded{}, instruction, known_of(settings, recorded, instruction), settings),
        "recording");
  });
}

}  // namespace api
}  // namespace mmaprint
