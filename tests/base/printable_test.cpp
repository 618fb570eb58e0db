// What comes from outside, made fit for people.
#include "base/printable.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

namespace mmaprint::printable_test {
namespace {

std::string utf8(char32_t code) {
  const auto tail = [&](int shift) { return static_cast<char>(0x80 | (code >> shift & 0x3F)); };
  if (code < 0x80) return {static_cast<char>(code)};
  if (code < 0x800) return {static_cast<char>(0xC0 | code >> 6), tail(0)};
  if (code < 0x10000) return {static_cast<char>(0xE0 | code >> 12), tail(6), tail(0)};
  return {static_cast<char>(0xF0 | code >> 18), tail(12), tail(6), tail(0)};
}

TEST(Printable, LeavesWhatIsSeenAlone) {
  for (const std::string text :
       {"", "mma.m16n8k8", "a\\b \"c\"", "Größe · →", "漢字", "😀", "\\x1b[31m", "عربي"})
    EXPECT_EQ(printable(text), text);
}

TEST(Printable, EscapesWhatActsOnATerminal) {
  EXPECT_EQ(printable("a\x1b[31mb\x1b]0;title\x07"), "a\\u001b[31mb\\u001b]0;title\\u0007");
  EXPECT_EQ(printable("one\ntwo\r\tthree"), "one\\ntwo\\r\\tthree");
  EXPECT_EQ(printable(std::string_view("a\0b", 3)), "a\\u0000b");
  EXPECT_EQ(printable("\x7f"), "\\u007f");
  EXPECT_EQ(printable("\xc2\x9b"
                      "31m"),
            "\\u009b31m")
      << "C1's control sequence introducer";
}

TEST(Printable, EscapesEveryControlAndMarkOfDirection) {
  for (char32_t code = 0; code < 0x10FFFF; ++code) {
    if (code >= 0xD800 && code <= 0xDFFF) continue;
    const bool control = code < 0x20 || (code >= 0x7F && code <= 0x9F);
    const bool direction = code == 0x61C || code == 0x200E || code == 0x200F ||
                           (code >= 0x202A && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069);
    const bool separator = code == 0x2028 || code == 0x2029 || code == 0xFEFF || code == 0x200B;
    const std::string text = utf8(code);
    const std::string shown = printable(text);
    const bool plain = std::ranges::all_of(shown, [](char c) { return c > ' ' && c < '\x7f'; });
    ASSERT_TRUE(shown == text || (shown.front() == '\\' && plain)) << static_cast<unsigned>(code);
    ASSERT_FALSE(shown == text && (control || direction || separator)) << static_cast<unsigned>(code);
    ASSERT_EQ(well_formed(text), text) << static_cast<unsigned>(code);
  }
}

TEST(Printable, ShowsBytesThatAreNotUtf8) {
  EXPECT_EQ(printable("a\xff"
                      "b"),
            "a\\xffb");
  EXPECT_EQ(printable("\xe2\x82"), "\\xe2\\x82") << "cut short";
  EXPECT_EQ(printable("\xc0\x80"), "\\xc0\\x80") << "overlong";
  EXPECT_EQ(printable("\xed\xa0\x80"), "\\xed\\xa0\\x80") << "a surrogate";
  EXPECT_EQ(printable("\xf4\x90\x80\x80"), "\\xf4\\x90\\x80\\x80") << "beyond U+10FFFF";
  EXPECT_EQ(well_formed("\x1b\xff"), "\x1b\\xff");
}

/// The JSON library's idea of UTF-8 has to be ours, or it throws at what we let pass.
TEST(WellFormed, IsWhatTheJsonLibraryTakes) {
  const auto taken = [](const std::string& text) { return nlohmann::json::accept('"' + text + '"'); };
  constexpr unsigned kSecond[] = {0x00, 0x41, 0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xFF};
  for (unsigned lead = 0x80; lead < 0x100; ++lead)
    for (const unsigned second : kSecond)
      for (const char* rest : {"", "\x80", "\xbf", "\x80\x80", "\xbf\xbf", "\xbfz", "\x80\x80\x80"}) {
        const std::string text =
            std::string{static_cast<char>(lead), static_cast<char>(second == 0 ? 'x' : second)} + rest;
        ASSERT_EQ(well_formed(text) == text, taken(text)) << printable(text);
        ASSERT_EQ(well_formed(well_formed(text)), well_formed(text));
        ASSERT_NO_THROW((void)nlohmann::json(well_formed(text)).dump());
      }
}

TEST(PrintableLines, KeepsLineEndsAndOnlyWhereAskedColours) {
  const std::string text = "\x1b[1;31mred\x1b[0m\nnext\x1b[2J\x1b[31\x1b]0;x\x07";
  EXPECT_EQ(printable_lines(text, Colours::kept),
            "\x1b[1;31mred\x1b[0m\nnext\\u001b[2J\\u001b[31\\u001b]0;x\\u0007");
  EXPECT_EQ(printable_lines("\x1b[1mx\n"), "\\u001b[1mx\n");
}

TEST(FirstBytes, EndBetweenCharacters) {
  EXPECT_EQ(first_bytes("abc", 5), "abc");
  EXPECT_EQ(first_bytes("abc", 2), "ab");
  EXPECT_EQ(first_bytes("a→b", 3), "a");
  EXPECT_EQ(first_bytes("a→b", 4), "a→");
  EXPECT_EQ(first_bytes(std::string(9, '\x80'), 5).size(), 2U);
}

}  // namespace
}  // namespace mmaprint::printable_test
