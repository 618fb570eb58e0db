// Models and bit patterns as text: the JSON form that docs/models.md describes.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "base/bad_input.h"
#include "base/json_source.h"
#include "model/features.h"
#include "model/skeleton_json.h"
#include "model/unit_model.h"

namespace mmaprint {

inline constexpr std::string_view kModelSchema = "mmaprint/model/1";
inline constexpr std::string_view kIdentificationSchema = "mmaprint/identification/1";

/// Lower-case hexadecimal, most significant digit first, as wide as the format.
[[nodiscard]] std::string pattern_text(Format format, Pattern pattern);
/// The inverse; nullopt unless the text is exactly such.
[[nodiscard]] std::optional<Pattern> pattern_from_text(Format format, std::string_view text);
/// "8 lower-case hexadecimal digits (fp32)", for messages.
[[nodiscard]] std::string pattern_expectation(Format format);

/// All formats' names, for messages.
[[nodiscard]] std::string format_names();
/// "fp16,fp16,fp32,fp32" as `--formats` gives it: a, b, c, d; c may be `none`. Throws BadInput.
[[nodiscard]] Signature formats_from_text(std::string_view text);
/// The inverse.
[[nodiscard]] std::string formats_option(const Signature& formats);
/// {"a":..,"b":..,"c":..,"d":..}, c null where there is none; `sa` and `sb` where there are scales
[[nodiscard]] Json to_json(const Signature& formats);

/// A hypothesis: only some features are stated, all others are free.
struct PartialModel {
  std::string instruction;
  int k = 0;
  Signature formats{};
  PartialFeatures features;
  friend bool operator==(const PartialModel&, const PartialModel&) = default;
};
using AnyModel = std::variant<UnitModel, PartialModel>;

/// The model document, with `schema`, `unit` and `features`. Requires a valid model.
[[nodiscard]] Json to_json(const UnitModel& model);
/// The model document of a hypothesis: `features` holds what is stated.
[[nodiscard]] Json to_json(const PartialModel& model);
/// The `features` object; formats give the NaN pattern's width.
[[nodiscard]] Json to_json(const Features& features, const Signature& formats);

/// Reads a model document. `where` names its origin in messages. Throws BadInput.
[[nodiscard]] AnyModel model_from_json(const Json& json, const std::string& where);
/// Reads a model document or an identification document from text. Throws BadInput with file and line.
[[nodiscard]] AnyModel model_from_text(std::string_view text, const std::string& file);

}  // namespace mmaprint
