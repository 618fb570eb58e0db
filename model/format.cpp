#include "model/format.h"

#include <algorithm>
#include <array>

namespace mmaprint {
namespace {

// clang-format off
constexpr std::array kTable{
  //         id                 name     bits  exp frac  bias  ignored sign  specials
  FormatInfo{Format::fp64,     "fp64",     64,  11,  52,  1023,   0,  true,  Specials::ieee},
  FormatInfo{Format::fp32,     "fp32",     32,   8,  23,   127,   0,  true,  Specials::ieee},
  FormatInfo{Format::tf32,     "tf32",     32,   8,  10,   127,  13,  true,  Specials::ieee},
  FormatInfo{Format::bf16,     "bf16",     16,   8,   7,   127,   0,  true,  Specials::ieee},
  FormatInfo{Format::fp16,     "fp16",     16,   5,  10,    15,   0,  true,  Specials::ieee},
  FormatInfo{Format::e4m3,     "e4m3",      8,   4,   3,     7,   0,  true,  Specials::nan_only},
  FormatInfo{Format::e5m2,     "e5m2",      8,   5,   2,    15,   0,  true,  Specials::ieee},
  FormatInfo{Format::e4m3fnuz, "e4m3fnuz",  8,   4,   3,     8,   0,  true,  Specials::nan_at_zero},
  FormatInfo{Format::e5m2fnuz, "e5m2fnuz",  8,   5,   2,    16,   0,  true,  Specials::nan_at_zero},
  FormatInfo{Format::e3m2,     "e3m2",      6,   3,   2,     3,   0,  true,  Specials::none},
  FormatInfo{Format::e2m3,     "e2m3",      6,   2,   3,     1,   0,  true,  Specials::none},
  FormatInfo{Format::e2m1,     "e2m1",      4,   2,   1,     1,   0,  true,  Specials::none},
  FormatInfo{Format::ue8m0,    "ue8m0",     8,   8,   0,   127,   0,  false, Specials::scale},
  FormatInfo{Format::ue4m3,    "ue4m3",     8,   4,   3,     7,   0,  false, Specials::nan_only},
  FormatInfo{Format::int32,    "int32",    32,   0,  31,     0,   0,  true,  Specials::integer},
  FormatInfo{Format::int8,     "int8",      8,   0,   7,     0,   0,  true,  Specials::integer},
  FormatInfo{Format::uint8,    "uint8",     8,   0,   8,     0,   0,  false, Specials::integer},
  FormatInfo{Format::int4,     "int4",      4,   0,   3,     0,   0,  true,  Specials::integer},
  FormatInfo{Format::uint4,    "uint4",     4,   0,   4,     0,   0,  false, Specials::integer},
  FormatInfo{Format::b1,       "b1",        1,   0,   1,     0,   0,  false, Specials::integer},
};
// clang-format on

constexpr bool table_is_in_order() {
  for (std::size_t i = 0; i < kTable.size(); ++i)
    if (static_cast<std::size_t>(kTable[i].id) != i) return false;
  return true;
}
static_assert(table_is_in_order(), "the table is indexed by the enumerator");

constexpr Pattern ones(int count) { return (Pattern{1} << count) - 1; }

Pattern magnitude(const FormatInfo& f, Pattern pattern) {
  return (pattern >> f.ignored_low_bits) & ones(f.exponent_bits + f.fraction_bits);
}

}  // namespace

const FormatInfo& info(Format format) { return kTable[static_cast<std::size_t>(format)]; }

std::span<const FormatInfo> all_formats() { return kTable; }

std::optional<Format> format_named(std::string_view name) {
  const auto row = std::ranges::find(kTable, name, &FormatInfo::name);
  return row == kTable.end() ? std::nullopt : std::optional(row->id);
}

bool is_nan(Format format, Pattern pattern) {
  const FormatInfo& f = info(format);
  const Pattern m = magnitude(f, pattern);
  switch (f.specials) {
    case Specials::ieee:
      return m > ones(f.exponent_bits) << f.fraction_bits;
    case Specials::nan_only:
    case Specials::scale:
      return m == ones(f.exponent_bits + f.fraction_bits);
    case Specials::nan_at_zero:
      return m == 0 && ((pattern >> f.sign_bit()) & 1) != 0;
    case Specials::none:
    case Specials::integer:
      return false;
  }
  return false;
}

bool is_infinite(Format format, Pattern pattern) {
  const FormatInfo& f = info(format);
  return f.has_infinity() && magnitude(f, pattern) == ones(f.exponent_bits) << f.fraction_bits;
}

Pattern canonical_nan(Format format) {
  const FormatInfo& f = info(format);
  if (f.specials == Specials::nan_at_zero) return Pattern{1} << f.sign_bit();
  if (f.specials != Specials::ieee) return ones(f.exponent_bits + f.fraction_bits);
  return (ones(f.exponent_bits + 1) << (f.fraction_bits - 1)) << f.ignored_low_bits;
}

}  // namespace mmaprint
