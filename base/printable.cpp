#include "base/printable.h"

#include <algorithm>
#include <array>
#include <cstdint>

namespace mmaprint {
namespace {

constexpr std::string_view kHexDigits = "0123456789abcdef";

unsigned byte_at(std::string_view text, std::size_t i) { return static_cast<unsigned char>(text[i]); }

bool is_plain(char c) {
  const auto byte = static_cast<unsigned char>(c);
  return byte >= 0x20 && byte < 0x7F;
}

/// A character's code point and its length in bytes; length 0 where the text begins with no UTF-8.
struct Character {
  std::uint32_t code = 0;
  std::size_t length = 0;
};

/// Requires a text that is not empty. No overlong forms, no surrogates, nothing above U+10FFFF.
Character first_character(std::string_view text) {
  const unsigned lead = byte_at(text, 0);
  if (lead < 0x80) return {lead, 1};
  const std::size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : 2;
  if (lead < 0xC2 || lead > 0xF4 || text.size() < length) return {};
  std::uint32_t code = lead & (0x7FU >> length);
  for (std::size_t i = 1; i < length; ++i) {
    if ((byte_at(text, i) & 0xC0U) != 0x80) return {};
    code = code << 6 | (byte_at(text, i) & 0x3FU);
  }
  constexpr std::array<std::uint32_t, 5> kLeast{0, 0, 0x80, 0x800, 0x10000};
  const bool surrogate = code >= 0xD800 && code <= 0xDFFF;
  return code < kLeast[length] || code > 0x10FFFF || surrogate ? Character{} : Character{code, length};
}

struct Range {
  std::uint32_t first, last;
};

/// Characters that act on what is around them, or hide, instead of being seen.
constexpr std::array kUnseen{
    Range{0x0000, 0x001F},    // C0
    Range{0x007F, 0x009F},    // DEL, C1
    Range{0x00AD, 0x00AD},    // soft hyphen
    Range{0x061C, 0x061C},    // Arabic letter mark
    Range{0x180E, 0x180E},    // Mongolian vowel separator
    Range{0x200B, 0x200F},    // no width, marks of direction
    Range{0x2028, 0x202E},    // separators of lines and paragraphs, embedded directions
    Range{0x2060, 0x206F},    // no width, isolated directions
    Range{0xFEFF, 0xFEFF},    // byte order mark
    Range{0xFFF9, 0xFFFB},    // annotations
    Range{0xE0000, 0xE0FFF},  // tags
};

bool is_unseen(std::uint32_t code) {
  return std::ranges::any_of(kUnseen, [&](const Range& r) { return r.first <= code && code <= r.last; });
}

void append_hex(std::string& out, std::uint32_t value, int digits) {
  while (digits-- > 0) out += kHexDigits[value >> (4 * digits) & 15U];
}

void append_escaped(std::string& out, std::uint32_t code) {
  constexpr std::string_view kNamed = "\n\t\r";
  constexpr std::string_view kNames = "ntr";
  if (const auto at = code < 0x80 ? kNamed.find(static_cast<char>(code)) : std::string_view::npos;
      at != std::string_view::npos) {
    out += '\\';
    out += kNames[at];
    return;
  }
  const auto unit = [&](std::uint32_t u) {
    out += "\\u";
    append_hex(out, u, 4);
  };
  if (code < 0x10000) return unit(code);
  unit(0xD800 + ((code - 0x10000) >> 10));
  unit(0xDC00 + ((code - 0x10000) & 0x3FFU));
}

/// The length of a sequence "\x1b[1;31m" at the text's beginning; 0 where there is none.
std::size_t colour_length(std::string_view text) {
  if (!text.starts_with("\x1b[")) return 0;
  const std::size_t end = text.find_first_not_of("0123456789;", 2);
  return end != std::string_view::npos && text[end] == 'm' ? end + 1 : 0;
}

/// `text` with each character either as it is or escaped; `kept(rest)` says how many bytes of the rest pass
/// although they hold what is not seen.
template <class Kept>
std::string escaped(std::string_view text, bool unseen_too, Kept&& kept) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    // Nearly all of it is plain.
    const auto plain = static_cast<std::size_t>(std::ranges::find_if_not(text, is_plain) - text.begin());
    out += text.substr(0, plain);
    text.remove_prefix(plain);
    if (text.empty()) break;
    if (const std::size_t passes = kept(text); passes > 0) {
      out += text.substr(0, passes);
      text.remove_prefix(passes);
      continue;
    }
    const auto [code, length] = first_character(text);
    if (length == 0) {
      out += "\\x";
      append_hex(out, byte_at(text, 0), 2);
    } else if (unseen_too && is_unseen(code)) {
      append_escaped(out, code);
    } else {
      out += text.substr(0, length);
    }
    text.remove_prefix(std::max<std::size_t>(length, 1));
  }
  return out;
}

std::size_t nothing(std::string_view /*rest*/) { return 0; }

}  // namespace

std::string printable(std::string_view text) { return escaped(text, true, nothing); }

std::string printable_lines(std::string_view text, Colours colours) {
  return escaped(text, true, [&](std::string_view rest) -> std::size_t {
    if (rest.front() == '\n') return 1;
    return colours == Colours::kept ? colour_length(rest) : 0;
  });
}

std::string well_formed(std::string_view text) { return escaped(text, false, nothing); }

std::string_view first_bytes(std::string_view text, std::size_t most) {
  if (text.size() <= most) return text;
  std::size_t end = most;
  // At most three bytes back; what has more of them is no character.
  while (end > 0 && most - end < 3 && (byte_at(text, end) & 0xC0U) == 0x80) --end;
  return text.substr(0, end);
}

}  // namespace mmaprint
