// How a model was confirmed, as documents say it.
#pragma once

#include "base/json_source.h"
#include "inference/confirmation.h"
#include "model/instruction.h"

namespace mmaprint {

struct ModelConfirmation;  // inference/confirm_model.h
inline constexpr std::string_view kConfirmationSchema = "mmaprint/confirmation/1";

[[nodiscard]] Json confirmation_to_json(const Confirmation& confirmation);
/// Of `identify --confirm`.
[[nodiscard]] Json confirmation_document(const UnitModel& model, const Instruction& instruction,
                                         const ModelConfirmation& result, const std::string& device);

}  // namespace mmaprint
