// Features as JSON, both ways.
#pragma once

#include "base/json_source.h"
#include "model/features.h"

namespace mmaprint {

class JsonReader;

/// Only what is stated; for a unit's features every field is present.
[[nodiscard]] Json features_to_json(const Features& features, const Signature& formats);
[[nodiscard]] Json features_to_json(const PartialFeatures& features, const Signature& formats);

/// Stated features, each checked by itself and against those that it is derived from. Where only one of
/// `alignment_fraction_bits` and `extra_alignment_bits` is stated, the other is filled in; so is `fma_width`
/// where `blocks` are stated. Throws FieldError.
[[nodiscard]] PartialFeatures features_from_json(const JsonReader& from, int k, const Signature& formats);

}  // namespace mmaprint
