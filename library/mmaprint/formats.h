// Number formats by name, and which of them a unit's operands and results have.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace mmaprint {
inline namespace api {

/// One scale for each `per` products that stand beside each other.
struct ScaleFormat {
  std::string format;  ///< "ue8m0"
  int per = 1;
  friend bool operator==(const ScaleFormat&, const ScaleFormat&) = default;
};

/// The formats of d = c + a·b, by their names in docs/models.md: "fp16", "e4m3", "int8", ...
struct Formats {
  std::string a, b;
  std::optional<std::string> c;  ///< nullopt: the unit computes the products' sum alone
  std::string d;
  std::optional<ScaleFormat> sa = std::nullopt;  ///< scales of a
  std::optional<ScaleFormat> sb = std::nullopt;  ///< scales of b
  friend bool operator==(const Formats&, const Formats&) = default;
};

/// "fp16,fp16,fp32,fp32": a, b, c, d; c may be `none`. Throws InputError.
[[nodiscard]] Formats formats_of(std::string_view text);

struct FormatFacts {
  int bits;         ///< width of a pattern
  bool is_integer;  ///< two's complement, or unsigned
  bool is_signed;
  int exponent_bits;  ///< 0 for integers
  int fraction_bits;  ///< for integers: value bits
};
/// Throws InputError for a name that is no format's.
[[nodiscard]] FormatFacts format_facts(std::string_view format);
/// The names of all formats.
[[nodiscard]] std::vector<std::string> format_list();

}  // namespace api
}  // namespace mmaprint
