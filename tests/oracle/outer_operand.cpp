#include "oracle/outer_operand.h"

#include <algorithm>

namespace mmaprint::oracle {
namespace {

// A finite operand as the nearest value of another format: docs/semantics.md, operand paths.
Addend rounded_to(const FormatInfo& to, const Addend& x, Rounding rounding) {
  if (x.units == 0) return zero(x.negative);
  const long emin = to.emin();
  Addend result;
  result.negative = x.negative;
  result.unit = std::max(x.unit + leading_exponent(x.units), emin) - to.fraction_bits;
  result.units = rounded(x.units, result.unit - x.unit, rounding);
  if (result.units == 0) return zero(x.negative);
  result.exponent = std::max(result.unit + leading_exponent(result.units), emin);
  const Addend largest = largest_finite(to, to.fraction_bits, x.negative);
  const bool beyond = result.exponent > to.emax() ||
                      (result.exponent == to.emax() &&
                       abs(result.units) > scaled_up(abs(largest.units), largest.unit - result.unit));
  if (!beyond) return result;
  return to.has_infinity() ? special(Kind::infinite, x.negative) : largest;
}

// Of a container's pattern, converted.
Addend converted_operand(Format container, const Converted& path, Pattern pattern) {
  const FormatInfo& from = info(container);
  const FormatInfo& to = info(path.compute);
  Addend x = operand(container, pattern);
  if (path.conversion != Conversion::chop) {
    const bool away = path.conversion == Conversion::nearest_away;
    return x.kind == Kind::finite ? rounded_to(to, x, away ? Rounding::nearest_away : Rounding::nearest_even)
                                  : x;
  }
  const int lost = from.fraction_bits - to.fraction_bits;
  if (x.kind == Kind::nan && pattern % (Pattern{1} << from.fraction_bits) >> lost == 0)
    return special(Kind::infinite, (pattern >> from.sign_bit() & 1U) != 0);
  if (x.kind == Kind::finite) x.units = scaled_up(rounded(x.units, lost, Rounding::toward_zero), lost);
  return x;
}

}  // namespace

Addend outer_operand(Format format, const OperandPath& path, Pattern pattern, Subnormals subnormals) {
  Addend result = path ? converted_operand(format, *path, pattern) : operand(format, pattern);
  const FormatInfo& computed = info(path ? path->compute : format);
  if (subnormals == Subnormals::kept || result.kind != Kind::finite) return result;
  if (result.units != 0 && result.unit + leading_exponent(result.units) < computed.emin()) result.units = 0;
  if (subnormals == Subnormals::flushed_positive && result.units == 0) result.negative = false;
  return result;
}

}  // namespace mmaprint::oracle
