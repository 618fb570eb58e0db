// Text from outside (names, messages, arguments, file names) made fit for a terminal and for documents:
// nothing in it moves a cursor, changes a colour, ends a line or turns the direction of reading, and all of
// it is UTF-8.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace mmaprint {

/// A text on one line. Characters that are not seen (controls, marks of direction and of no width, separators
/// of lines, tags) stand as "\n", "\t", "\r" or as JSON escapes them, "\u202e"; bytes that are not UTF-8 as
/// "\xff". All else stays as it is, backslashes too.
[[nodiscard]] std::string printable(std::string_view text);

/// What else may pass: what sets off a text of ours.
enum class Colours : bool { escaped, kept };
/// The same of whole lines: their ends stay, and with `Colours::kept` the sequences that choose a terminal's
/// colours
/// ("\x1b[1;31m"). What of a text came from outside has to be printable() before.
[[nodiscard]] std::string printable_lines(std::string_view text, Colours colours = Colours::escaped);

/// Bytes that are not UTF-8 stand as "\xff"; all else stays.
[[nodiscard]] std::string well_formed(std::string_view text);

/// The first bytes, at most so many, and no character cut in two.
[[nodiscard]] std::string_view first_bytes(std::string_view text, std::size_t most);

}  // namespace mmaprint
