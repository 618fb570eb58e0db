#include "report/style.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "base/printable.h"

namespace mmaprint {

std::string Style::operator()(Tone tone, std::string_view text) const {
  constexpr std::array<std::string_view, 6> kCodes{"", "1", "2", "1;32", "1;31", "33"};
  std::string shown = printable_lines(text);
  if (!colour_ || tone == Tone::plain || text.empty()) return shown;
  return fmt::format("\x1b[{}m{}\x1b[0m", kCodes[static_cast<std::size_t>(tone)], shown);
}

std::size_t display_width(std::string_view text) {
  return static_cast<std::size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U; }));
}

std::string padded(std::string_view text, std::size_t width) {
  const std::size_t has = display_width(text);
  return std::string(text) + std::string(width > has ? width - has : 0, ' ');
}

std::string right_aligned(std::string_view text, std::size_t width) {
  const std::size_t has = display_width(text);
  return std::string(width > has ? width - has : 0, ' ') + std::string(text);
}

std::string repeated(std::string_view text, std::size_t count) {
  std::string all;
  for (std::size_t i = 0; i < count; ++i) all += text;
  return all;
}

std::string wrapped(std::string_view text, std::size_t width, std::string_view indent) {
  std::string all;
  std::size_t column = 0;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (word.empty()) continue;
    if (column > 0 && column + 1 + display_width(word) > width) {
      all += "\n" + std::string(indent);
      column = display_width(indent);
    } else if (column > 0) {
      all += ' ';
      ++column;
    }
    all += word;
    column += display_width(word);
  }
  return all;
}

std::string counted(std::size_t n, std::string_view noun) {
  return fmt::format("{} {}{}", quantity(static_cast<double>(n)), noun, n == 1 ? "" : "s");
}

std::string quantity(double n) {
  if (n >= 1e6) {
    int exponent = static_cast<int>(std::floor(std::log10(n)));
    if (n / std::pow(10.0, exponent) >= 9.95) ++exponent;
    return fmt::format("{:.1f}·10^{}", n / std::pow(10.0, exponent), exponent);
  }
  std::string digits = fmt::format("{:.0f}", n);
  for (std::size_t i = digits.size(); i > 3; i -= 3) digits.insert(i - 3, ",");
  return digits;
}

std::string seconds_text(double seconds) {
  return fmt::format("{:.{}f} s", seconds, seconds < 0.1 ? 3 : seconds < 10 ? 1 : 0);
}

}  // namespace mmaprint
