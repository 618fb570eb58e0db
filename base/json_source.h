// JSON text read with care: bounded nesting and objects, no field twice, and every complaint with its file
// and line.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "base/deadline.h"

namespace mmaprint {

using Json = nlohmann::ordered_json;

/// Deeper documents are rejected: no document of ours needs it, and recursive code must not meet them.
inline constexpr int kDeepestNesting = 64;
/// So are objects of more fields.
inline constexpr int kMostFields = 1000;

/// The way to a field from the document's root: field names, and "[i]" for an array's elements.
using FieldPath = std::vector<std::string>;
/// "unit.adders[0].rounding"
[[nodiscard]] std::string path_text(const FieldPath& path);

/// A field that is not what it should be. Readers throw it; whoever knows the file makes a BadInput of it.
struct FieldError : std::runtime_error {
  FieldPath path;
  FieldError(FieldPath at, const std::string& expected) : std::runtime_error(expected), path(std::move(at)) {}
};

/// A JSON text and where it stands.
struct JsonSource {
  std::string_view text;
  std::string file;            ///< a file's name, or another word for the origin
  std::size_t first_line = 1;  ///< the file's line on which the text begins

  /// Throws BadInput, naming file and line, unless the text is one JSON value, and DeadlinePassed where that
  /// is not known in time.
  [[nodiscard]] Json parse(const Deadline& deadline = {}) const;
  /// Throws BadInput: file, line, field, what was expected. Requires a text that parses.
  [[noreturn]] void fail(const FieldError& error) const;
};

/// Text as it may stand in a one-line message: quoted, printable, cut after 60 bytes.
[[nodiscard]] std::string in_quotes(std::string_view text);

/// A document as text, on one line without its end: valid JSON in UTF-8 whatever bytes its strings hold. What
/// is not printable is escaped as JSON does; a byte that is not UTF-8 becomes the characters "\xff".
[[nodiscard]] std::string json_line(const Json& document);
/// The same on many lines, each step indented by a blank.
[[nodiscard]] std::string json_lines(const Json& document);
/// The document with strings (and names of fields) of UTF-8 alone, as json_line() writes them.
[[nodiscard]] Json well_formed_json(const Json& document);

}  // namespace mmaprint
