// Inputs as JSON, the one form that all documents have: {"a":[..],"b":[..],"c":..}, c null where a unit has
// none, and "sa":[..] and "sb":[..] where it has scales.
#pragma once

#include <optional>
#include <span>

#include "base/json_source.h"
#include "model/dot_input.h"
#include "model/json_reader.h"
#include "model/skeleton.h"
#include "model/unit_model.h"

namespace mmaprint {

/// An array of pattern_text().
[[nodiscard]] Json patterns_to_json(Format format, std::span<const Pattern> patterns);
/// What an input has in a role: of c a pattern, of all others an array of them.
[[nodiscard]] Json role_to_json(const RolePatterns& role, const DotInput& input);
[[nodiscard]] Json to_json(const DotInput& input, const Signature& formats);

/// How many entries a and b have to have, and what becomes of fewer.
struct Entries {
  enum class Fewer : std::uint8_t {
    refused,
    refused_unless_padded,  ///< the message says that --pad-zeros would do
    padded,                 ///< with +0
  };
  std::optional<int> k;  ///< none: any number up to kLargestK, the same for both
  Fewer fewer = Fewer::refused;
};
/// An object's fields a, b, c, sa and sb; others are not looked at. Of those that the formats don't have each
/// is null or not there. Throws FieldError.
[[nodiscard]] DotInput read_input(const JsonReader& from, const Signature& formats, const Entries& entries);
/// The same of an object with these fields alone.
[[nodiscard]] DotInput read_only_input(const JsonReader& from, const Signature& formats, int k);

}  // namespace mmaprint
