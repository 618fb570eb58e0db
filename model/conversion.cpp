#include "model/conversion.h"

#include <fmt/format.h>

namespace mmaprint {

std::optional<std::string> not_convertible(Format container, const Converted& path) {
  const FormatInfo& from = info(container);
  const FormatInfo& to = info(path.compute);
  if (!from.is_floating() || !to.is_floating()) return "floating-point formats";
  if (from.has_sign != to.has_sign) return "a format with a sign where the container has one";
  switch (path.conversion) {
    case Conversion::exact:
      if (to.fraction_bits < from.fraction_bits ||
          to.emin() - to.fraction_bits > from.emin() - from.fraction_bits || to.emax() < from.emax() ||
          (from.has_infinity() && !to.has_infinity()))
        return fmt::format("a format that holds every {}, or another conversion", from.name);
      break;
    case Conversion::chop:
      if (to.exponent_bits != from.exponent_bits || to.bias != from.bias ||
          to.fraction_bits > from.fraction_bits || from.specials != to.specials || from.ignored_low_bits != 0)
        return fmt::format("a format with the exponents of {} and fewer fraction bits", from.name);
      break;
    case Conversion::nearest_even:
    case Conversion::nearest_away:
      if (from.has_infinity() && !to.has_infinity())
        return fmt::format("a format with infinities, as {} has", from.name);
      break;
  }
  return std::nullopt;
}

}  // namespace mmaprint
