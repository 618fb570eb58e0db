#include "inference/monotonic_witness.h"

#include <boost/multiprecision/cpp_int.hpp>
#include <compare>
#include <utility>

#include "inference/input_size.h"
#include "model/value.h"

namespace mmaprint {
namespace {

using Integer = boost::multiprecision::cpp_int;

/// integer·2^exponent
struct Exact {
  Integer integer;
  int exponent = 0;
};

/// Requires a finite pattern.
Exact exact(Format format, Pattern pattern) {
  const Value value = decode(format, pattern);
  const Integer magnitude = value.significand;
  return {value.negative ? Integer(-magnitude) : magnitude, value.exponent - info(format).fraction_bits};
}

Exact times(const Exact& x, const Exact& y) { return {x.integer * y.integer, x.exponent + y.exponent}; }

bool is_below(Exact x, Exact y) {
  if (x.exponent > y.exponent)
    x.integer <<= x.exponent - y.exponent;
  else
    y.integer <<= y.exponent - x.exponent;
  return x.integer < y.integer;
}

/// Is the first result below the second? Never where one is NaN.
bool result_below(Format d, Pattern x, Pattern y) {
  if (is_nan(d, x) || is_nan(d, y)) return false;
  const auto direction = [&](Pattern p) { return !is_infinite(d, p) ? 0 : decode(d, p).negative ? -1 : 1; };
  if (direction(x) != 0 || direction(y) != 0) return direction(x) < direction(y);
  return is_below(exact(d, x), exact(d, y));
}

}  // namespace

bool shows_not_monotonic(const UnitModel& model, const DotInput& less, const DotInput& more) {
  const Signature& formats = model.formats;
  if (!all_finite(formats, less) || !all_finite(formats, more)) return false;
  for (std::size_t i = 0; i < less.a.size(); ++i)
    if (is_below(times(exact(formats.a, more.a[i]), exact(formats.b, more.b[i])),
                 times(exact(formats.a, less.a[i]), exact(formats.b, less.b[i]))))
      return false;
  if (formats.c && is_below(exact(*formats.c, more.c), exact(*formats.c, less.c))) return false;
  return result_below(formats.d, evaluate(model, more), evaluate(model, less));
}

}  // namespace mmaprint
