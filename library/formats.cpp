#include "mmaprint/formats.h"

#include "library/conversion.h"
#include "model/model_json.h"

namespace mmaprint {
inline namespace api {

Formats formats_of(std::string_view text) {
  return with_public_errors([&] { return public_formats(formats_from_text(text)); });
}

FormatFacts format_facts(std::string_view format) {
  const auto id = format_named(format);
  if (!id) throw InputError("format: expected one of " + format_names() + ", found " + in_quotes(format));
  const FormatInfo& f = info(*id);
  return {f.container_bits, f.is_integer(), f.has_sign, f.exponent_bits, f.fraction_bits};
}

std::vector<std::string> format_list() {
  std::vector<std::string> names;
  for (const FormatInfo& format : all_formats()) names.emplace_back(format.name);
  return names;
}

}  // namespace api
}  // namespace mmaprint
