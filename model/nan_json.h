// What NaN results are, as JSON: a pattern, an object for a rule, or null.
#pragma once

#include "base/json_source.h"
#include "model/nan_behaviour.h"

namespace mmaprint {

class JsonReader;

[[nodiscard]] Json nan_to_json(const NanBehaviour& nan, Format d);
/// Throws FieldError for what is no such thing. null is several patterns, or of integers none.
[[nodiscard]] NanBehaviour nan_from_json(const JsonReader& from, Format d);

}  // namespace mmaprint
