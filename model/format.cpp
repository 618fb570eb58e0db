#include "model/format.h"

#include <algorithm>

#include "model/format_table.h"
#include "model/pattern.h"

namespace mmaprint {
namespace {

constexpr Pattern ones(int count) { return (Pattern{1} << count) - 1; }

}  // namespace

const FormatInfo& info(Format format) { return kFormatTable[static_cast<std::size_t>(format)]; }

std::span<const FormatInfo> all_formats() { return kFormatTable; }

std::optional<Format> format_named(std::string_view name) {
  const auto row = std::ranges::find(kFormatTable, name, &FormatInfo::name);
  return row == kFormatTable.end() ? std::nullopt : std::optional(row->id);
}

bool is_nan(Format format, Pattern pattern) { return is_nan(info(format), pattern); }

bool is_infinite(Format format, Pattern pattern) {
  return classify(info(format), pattern) == ValueClass::infinite;
}

Pattern canonical_nan(Format format) {
  const FormatInfo& f = info(format);
  if (f.specials == Specials::nan_at_zero) return Pattern{1} << f.sign_bit();
  if (f.specials != Specials::ieee) return ones(f.exponent_bits + f.fraction_bits);
  return (ones(f.exponent_bits + 1) << (f.fraction_bits - 1)) << f.ignored_low_bits;
}

}  // namespace mmaprint
