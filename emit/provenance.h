// What an export says of itself.
#pragma once

#include <string>
#include <vector>

#include "model/unit_model.h"

namespace mmaprint::emit {

struct Provenance {
  std::string source;   ///< what the model was read from, as the user named it
  std::string version;  ///< of mmaprint
};

/// Lines for the head of a file, no longer than 100 columns or so, of printable ASCII: what the model is of,
/// from where, what is claimed of it, and under which licence it may be used.
[[nodiscard]] std::vector<std::string> head_lines(const UnitModel& model, const Provenance& provenance);

/// A name for the unit's function: its instruction's, as languages allow it.
[[nodiscard]] std::string identifier_of(const UnitModel& model);

/// A text in lines of at most `width` columns.
[[nodiscard]] std::vector<std::string> lines_of(const std::string& text, std::size_t width);

/// "x", "x and y", "x, y and z".
[[nodiscard]] std::string list_of(const std::vector<std::string>& items);

/// Text from outside in printable ASCII, as comments may hold it: no line ends, no comment's end.
[[nodiscard]] std::string as_comment(const std::string& text);

}  // namespace mmaprint::emit
