// Models and observations that stand in files. Pipes are waited for no longer than until the deadline.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "base/deadline.h"
#include "model/model_json.h"
#include "model/observation_json.h"

namespace mmaprint {

/// Reads a model file, an identification document, or a certificate directory's model.json. Throws BadInput;
/// DeadlinePassed if it did before all was read.
[[nodiscard]] AnyModel load_model(const std::string& path, const Deadline& deadline = {});

/// read_observations() of a file; "-" is standard input. Throws BadInput, DeadlinePassed.
void read_observations(const std::string& path, const ObservationRules& rules,
                       const std::function<void(ObservationRecord)>& use, const Deadline& deadline);
/// All records of a file; "-" is standard input.
[[nodiscard]] std::vector<ObservationRecord> read_observations(const std::string& path,
                                                               const ObservationRules& rules);

}  // namespace mmaprint
