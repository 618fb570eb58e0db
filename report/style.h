// How text is set off, where it is: colours of a terminal, or nothing.
#pragma once

#include <concepts>
#include <cstdint>
#include <string>
#include <string_view>

namespace mmaprint {

enum class Tone : std::uint8_t { plain, strong, faint, good, bad, warn };

class Style {
 public:
  explicit Style(bool colour = false) : colour_(colour) {}
  [[nodiscard]] std::string operator()(Tone tone, std::string_view text) const;

 private:
  bool colour_;
};

/// Columns that a text takes on a terminal: its code points. Requires a text without control sequences.
[[nodiscard]] std::size_t display_width(std::string_view text);
/// `text` followed or preceded by blanks up to `width` columns.
[[nodiscard]] std::string padded(std::string_view text, std::size_t width);
[[nodiscard]] std::string right_aligned(std::string_view text, std::size_t width);
/// `text` `count` times.
[[nodiscard]] std::string repeated(std::string_view text, std::size_t count);
/// Words wrapped so that no line takes more than `width` columns; lines after the first begin with `indent`.
[[nodiscard]] std::string wrapped(std::string_view text, std::size_t width, std::string_view indent);

/// "1 observation", "2 observations"
[[nodiscard]] std::string counted(std::size_t n, std::string_view noun);
/// "6,144" up to a million, then "1.3·10^12"
[[nodiscard]] std::string quantity(double n);
[[nodiscard]] std::string quantity(std::integral auto n) { return quantity(static_cast<double>(n)); }
/// "0.012 s", "1.4 s", "75 s"
[[nodiscard]] std::string seconds_text(double seconds);

}  // namespace mmaprint
