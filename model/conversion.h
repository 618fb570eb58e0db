// Operand paths: from a container's pattern to an operand in the format in which the datapath computes
// (docs/semantics.md). Generic over an algebra.
//
// Layer: `widened`, over a compute format with as many fraction bits as its container can fill
// (model/plan.cpp). Replaces: `converted` into the whole format, where a path is exact. CLAIM: the same value
// with the same exponent. Nothing is rounded and nothing overflows; bits that are always zero are left out.
#pragma once

#include <optional>
#include <string>

#include "model/container.h"
#include "model/operand.h"
#include "model/policies.h"
#include "model/skeleton.h"

namespace mmaprint {

/// An operand of one format as one of another, rounded as `mode` says. Beyond the range it becomes an
/// infinity, or the largest finite number where the format has none.
template <class A>
constexpr Operand<A> converted(const A& a, const FormatInfo& from, const FormatInfo& to, Rounding mode,
                               const Operand<A>& x) {
  const int p = to.precision();
  const int total = std::max(from.precision(), p) + 1;
  // The leading one to the top; below emin it moves right until the top bit weighs 2^emin.
  const auto [top, count] = a.normalise(x.significand, from.precision());
  const auto leading = a.subtract(x.exponent, count);
  const auto exponent = a.maximum(leading, a.integer(to.emin()));
  const auto [placed, lost] =
      a.shift_right_sticky(a.shift_left(top, total - from.precision()), a.subtract(exponent, leading));
  const auto kept = a.slice(placed, total - p, p);
  const auto rest = a.any(lost, a.no(a.is_zero(a.slice(placed, 0, total - p - 1))));
  const auto up = policy::rounds_up(a, mode, x.negative, a.bit(kept, 0), a.bit(placed, total - p - 1), rest);
  const auto rounded = a.increment(kept, up, p + 1);
  const auto carried = a.bit(rounded, p);
  const auto zero = a.is_zero(x.significand);
  const Rounded<A> value{x.negative, a.mux(zero, a.integer(to.emin()), a.add(exponent, a.from_bit(carried))),
                         a.mux(carried, a.word(p, 1ULL << (p - 1)), a.slice(rounded, 0, p))};
  const auto beyond = a.all(a.no(a.any(x.nan, x.infinite)), policy::overflows(a, to, value));
  const auto special = a.any(x.nan, x.infinite, beyond);
  return {x.negative, x.nan, to.has_infinity() ? a.any(x.infinite, beyond) : x.infinite,
          a.mux(special, a.integer(to.emax()), value.exponent),
          a.mux(beyond, a.word(p, to.largest_significand()), value.significand)};
}

/// See above. Requires the bits and the exponents that every value of `from` takes.
template <class A>
constexpr Operand<A> widened(const A& a, const FormatInfo& from, const FormatInfo& to, const Operand<A>& x) {
  const int more = to.fraction_bits - from.fraction_bits;
  if (from.emin() == to.emin())
    return {x.negative, x.nan, x.infinite, x.exponent, a.shift_left(x.significand, more)};
  const auto [top, count] = a.normalise(x.significand, from.precision());
  const auto leading = a.subtract(x.exponent, count);
  const auto exponent = a.maximum(leading, a.integer(to.emin()));
  const auto wide = a.shift_left(top, more);
  const bool all_normal = from.emin() - from.fraction_bits >= to.emin();
  const auto placed = all_normal ? wide : a.shift_right(wide, a.subtract(exponent, leading));
  const auto special = a.any(x.nan, x.infinite, a.is_zero(x.significand));
  return {x.negative, x.nan, x.infinite,
          a.mux(special, a.integer(to.emin()), all_normal ? leading : exponent), placed};
}

/// The operand that a pattern stands for in the format `to`.
template <class A>
constexpr Operand<A> read_pattern(const A& a, const Container& from, const FormatInfo& to,
                                  const typename A::Word& pattern) {
  if (!from.conversion) return decode(a, to, pattern);
  if (*from.conversion == Conversion::chop) {
    const int dropped = from.format.container_bits - to.container_bits;
    return decode(a, to, dropped == 0 ? pattern : a.slice(pattern, dropped, to.container_bits));
  }
  if (*from.conversion == Conversion::exact)
    return widened(a, from.format, to, decode(a, from.format, pattern));
  const auto mode =
      *from.conversion == Conversion::nearest_away ? Rounding::nearest_away : Rounding::nearest_even;
  return converted(a, from.format, to, mode, decode(a, from.format, pattern));
}

/// What is wrong with a path, nullopt if nothing is: an exact conversion has to be into a format that
/// holds every value, a chop between formats of equal exponents.
[[nodiscard]] std::optional<std::string> not_convertible(Format container, const Converted& path);

}  // namespace mmaprint
