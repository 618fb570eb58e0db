// Derivations held against what they claim, and written and read.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

#include "inference/derivation_check.h"
#include "inference/proof_objects.h"
#include "model/json_reader.h"

namespace mmaprint::derivations {

/// "" where the steps hold, else why not.
[[nodiscard]] inline std::string problem(const Space& space, const UnitModel& model, const HypothesisSet& set,
                                         const Derivation& derivation, CheckedSteps* checked = nullptr) {
  const auto check = DerivationChecker(space, model).check(set, derivation, {});
  if (const auto* fails = std::get_if<StepFails>(&check))
    return "step " + std::to_string(fails->step) + ": " + fails->why;
  if (checked != nullptr) *checked = std::get<CheckedSteps>(check);
  return "";
}

/// As a certificate's reader has it.
[[nodiscard]] inline Derivation read_back(const Space& space, const UnitModel& model,
                                          const HypothesisSet& set, const Derivation& derivation) {
  StoredQuestions questions;
  const Json json = steps_to_json(space, set, model, derivation, questions);
  Derivation read = steps_from_json(JsonReader(json), space, set, model, [&](const JsonReader& number) {
    return questions.all().at(number.json().get<std::size_t>() - 1);
  });
  StoredQuestions again;
  EXPECT_EQ(steps_to_json(space, set, model, read, again), json);
  return read;
}

}  // namespace mmaprint::derivations
