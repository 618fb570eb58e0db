// Every number format, one row each; model/format.h gives them by name and enumerator.
#pragma once

#include <array>

#include "model/format.h"

namespace mmaprint {

// clang-format off
inline constexpr std::array kFormatTable{
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
  FormatInfo{Format::int16,    "int16",    16,   0,  15,     0,   0,  true,  Specials::integer},
  FormatInfo{Format::uint16,   "uint16",   16,   0,  16,     0,   0,  false, Specials::integer},
  FormatInfo{Format::int8,     "int8",      8,   0,   7,     0,   0,  true,  Specials::integer},
  FormatInfo{Format::uint8,    "uint8",     8,   0,   8,     0,   0,  false, Specials::integer},
  FormatInfo{Format::int4,     "int4",      4,   0,   3,     0,   0,  true,  Specials::integer},
  FormatInfo{Format::uint4,    "uint4",     4,   0,   4,     0,   0,  false, Specials::integer},
  FormatInfo{Format::b1,       "b1",        1,   0,   1,     0,   0,  false, Specials::integer},
  FormatInfo{Format::e8m31,    "e8m31",    40,   8,  31,   127,   0,  true,  Specials::ieee},
};
// clang-format on

namespace detail {
constexpr bool table_is_in_order() {
  for (std::size_t i = 0; i < kFormatTable.size(); ++i)
    if (static_cast<std::size_t>(kFormatTable[i].id) != i) return false;
  return true;
}
}  // namespace detail
static_assert(detail::table_is_in_order(), "the table is indexed by the enumerator");

}  // namespace mmaprint
