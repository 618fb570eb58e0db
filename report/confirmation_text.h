// What confirming one's own model found, as text.
#pragma once

#include "inference/confirm_model.h"
#include "report/style.h"

namespace mmaprint {

/// How a model's mutants stand: one line, empty where there are none.
[[nodiscard]] std::string mutants_text(const MutantCounts& counts);

[[nodiscard]] std::string confirmation_text(const UnitModel& model, const Instruction& instruction,
                                            const ModelConfirmation& result, const std::string& device,
                                            const Style& style);

}  // namespace mmaprint
