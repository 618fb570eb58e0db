// A unit's full definition as JSON, both ways: tree, adders, conventions, NaN.
#pragma once

#include "base/json_source.h"
#include "model/unit_model.h"

namespace mmaprint {

class JsonReader;

/// The `unit` object of a model document.
[[nodiscard]] Json unit_to_json(const UnitModel& model);

/// Fills tree, adders, conventions and nan of a model whose k and formats are set. Throws FieldError for a
/// field that is missing, unknown or out of range; whether the whole is a legal unit is validate()'s to say.
void read_unit(const JsonReader& from, UnitModel& model);

}  // namespace mmaprint
