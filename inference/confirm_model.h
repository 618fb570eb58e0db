// Is a device this model? One's own model, without any search: the device is asked what confirms a model that
// was found (inference/confirmation.h), inputs that kill the model's mutants among it.
#pragma once

#include "inference/agreement.h"
#include "inference/identify.h"

namespace mmaprint {

struct ModelConfirmation {
  AgreementVerdict verdict = AgreementVerdict::unknown;  ///< a match also gave the same again
  Confirmation confirmation;
  /// Of a mismatch: what was seen; two results for one input where the device gave such.
  std::vector<Observation> seen;
  std::vector<std::string> answers_like;  ///< mutants that give all that the device answered, in words
  bool device_failed = false;
  std::string reason;  ///< why not all was asked, or "not deterministic"
  std::size_t device_calls = 0;
  double seconds = 0;
};

/// Requires a valid model with the instruction's K and formats. `known` are observations from before: the
/// first that the model does not give ends it. `hooks.observed` is told of answers that differ.
[[nodiscard]] ModelConfirmation confirm_model(const UnitModel& model, MatmulUnit& unit,
                                              const Instruction& instruction,
                                              const std::vector<Observation>& known,
                                              const IdentifyOptions& options, const IdentifyHooks& hooks);

}  // namespace mmaprint
