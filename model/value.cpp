#include "model/value.h"

#include <bit>

#include "model/concrete.h"
#include "model/operand.h"

namespace mmaprint {
namespace {

using Algebra = Concrete<std::uint64_t, NoParameters>;

/// Requires a value that the format has.
Pattern encode_integer(const FormatInfo& f, const Value& v) {
  return (v.negative ? ~v.significand + 1 : v.significand) & f.pattern_mask();
}

}  // namespace

Value decode(Format format, Pattern pattern) {
  const FormatInfo& f = info(format);
  pattern &= f.pattern_mask();
  NoParameters none;
  const auto x = decode(Algebra(none), f, {pattern});
  // The datapath has integers at exponent 0, whatever their width.
  const int exponent = f.is_integer() ? f.fraction_bits : x.exponent.value;
  return {x.negative.value, x.nan.value, x.infinite.value, exponent, x.significand.value};
}

Pattern encode(Format format, const Value& v) {
  const FormatInfo& f = info(format);
  if (v.nan) return canonical_nan(format);
  if (f.is_integer()) return encode_integer(f, v);
  NoParameters none;
  return encode(Algebra(none), f,
                Operand<Algebra>{{v.negative}, {v.nan}, {v.infinite}, {v.exponent}, {v.significand}})
      .value;
}

ValueClass classify(Format format, Pattern pattern) { return classify(info(format), pattern); }

bool product_is_zero(const Factors& factors, Pattern a, Pattern b) {
  if (factors.kind == ProductKind::exclusive_or) return ((a ^ b) & 1U) == 0;
  const auto of = [](ValueClass x, ValueClass y) {
    return x == ValueClass::zero && y != ValueClass::infinite && y != ValueClass::nan;
  };
  const ValueClass x = classify(factors.a, a);
  const ValueClass y = classify(factors.b, b);
  return of(x, y) || of(y, x);
}

int set_digits(Format format, Pattern pattern) {
  return std::popcount(significand_digits(info(format), pattern));
}

}  // namespace mmaprint
