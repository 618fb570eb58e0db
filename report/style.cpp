#include "report/style.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

#include "base/printable.h"

namespace mmaprint {
namespace {

std::string formatted(const char* format, double x) {
  std::array<char, 64> text{};
  const int n = std::snprintf(text.data(), text.size(), format, x);
  return {text.data(), static_cast<std::size_t>(std::max(0, n))};
}

}  // namespace

std::string Style::operator()(Tone tone, std::string_view text) const {
  constexpr std::array<std::string_view, 6> kCodes{"", "1", "2", "1;32", "1;31", "33"};
  std::string shown = printable_lines(text);
  if (!colour_ || tone == Tone::plain || text.empty()) return shown;
  return "\x1b[" + std::string(kCodes[static_cast<std::size_t>(tone)]) + "m" + shown + "\x1b[0m";
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
  return quantity(static_cast<double>(n)) + " " + std::string(noun) + (n == 1 ? "" : "s");
}

std::string quantity(double n) {
  if (n >= 1e6) {
    int exponent = static_cast<int>(std::floor(std::log10(n)));
    if (n / std::pow(10.0, exponent) >= 9.95) ++exponent;
    return formatted("%.1f", n / std::pow(10.0, exponent)) + "·10^" + std::to_string(exponent);
  }
  std::string digits = formatted("%.0f", n);
  for (std::size_t i = digits.size(); i > 3; i -= 3) digits.insert(i - 3, ",");
  return digits;
}

std::string seconds_text(double seconds) {
  return formatted(seconds < 0.1 ? "%.3f s" : seconds < 10 ? "%.1f s" : "%.0f s", seconds);
}

}  // namespace mmaprint
