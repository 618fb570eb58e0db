#include "oracle/addend.h"

#include <algorithm>
#include <stdexcept>
#include <string>

namespace mmaprint::oracle {

mpz_class power_of_two(long exponent) {
  mpz_class result;
  mpz_setbit(result.get_mpz_t(), static_cast<mp_bitcnt_t>(exponent));
  return result;
}

mpz_class scaled_up(const mpz_class& x, long shift) {
  mpz_class result;
  mpz_mul_2exp(result.get_mpz_t(), x.get_mpz_t(), static_cast<mp_bitcnt_t>(shift));
  return result;
}

long leading_exponent(const mpz_class& x) { return static_cast<long>(mpz_sizeinbase(x.get_mpz_t(), 2)) - 1; }

mpz_class rounded(const mpz_class& x, long shift, Rounding rounding) {
  if (shift <= 0) return scaled_up(x, -shift);
  const bool negative = x < 0;
  const mpz_class magnitude = abs(x);
  mpz_class kept;
  mpz_tdiv_q_2exp(kept.get_mpz_t(), magnitude.get_mpz_t(), static_cast<mp_bitcnt_t>(shift));
  const mp_bitcnt_t half_bit = static_cast<mp_bitcnt_t>(shift) - 1;
  const mp_bitcnt_t lowest = mpz_scan1(magnitude.get_mpz_t(), 0);  // of zero: the largest count
  const bool exact = lowest > half_bit;
  const bool tie = lowest == half_bit;
  const bool half_or_more = mpz_tstbit(magnitude.get_mpz_t(), half_bit) != 0;
  const bool odd = mpz_odd_p(kept.get_mpz_t()) != 0;
  bool away = false;
  switch (rounding) {
    case Rounding::toward_zero:
      break;
    case Rounding::nearest_even:
      away = tie ? odd : half_or_more;
      break;
    case Rounding::nearest_away:
      away = half_or_more;
      break;
    case Rounding::up:
      away = !negative;
      break;
    case Rounding::down:
      away = negative;
      break;
    case Rounding::odd:
      away = !odd;
      break;
  }
  if (!exact && away) ++kept;
  return negative ? mpz_class(-kept) : kept;
}

mpz_class wrapped(const mpz_class& x, long bits) {
  mpz_class result;
  mpz_fdiv_r_2exp(result.get_mpz_t(), x.get_mpz_t(), static_cast<mp_bitcnt_t>(bits));
  if (mpz_tstbit(result.get_mpz_t(), static_cast<mp_bitcnt_t>(bits - 1)) != 0) result -= power_of_two(bits);
  return result;
}

Addend operand(Format format, Pattern pattern) {
  const FormatInfo& f = info(format);
  if (!f.is_floating()) throw std::invalid_argument("oracle: not a floating format: " + std::string(f.name));
  const Pattern bits = pattern >> f.ignored_low_bits;
  const Pattern hidden = Pattern{1} << f.fraction_bits;
  const Pattern exponents = Pattern{1} << f.exponent_bits;
  const Pattern fraction = bits % hidden;
  const Pattern stored = (bits >> f.fraction_bits) % exponents;

  Addend result;
  result.negative = f.has_sign && ((bits >> (f.fraction_bits + f.exponent_bits)) & 1) != 0;
  const bool top = stored == exponents - 1;
  if (f.specials == Specials::ieee && top) result.kind = fraction == 0 ? Kind::infinite : Kind::nan;
  if (f.specials == Specials::nan_only && top && fraction == hidden - 1) result.kind = Kind::nan;
  if (f.specials == Specials::nan_at_zero && stored == 0 && fraction == 0 && result.negative)
    result.kind = Kind::nan;
  result.exponent = (stored == 0 ? 1 : static_cast<long>(stored)) - f.bias;
  result.unit = result.exponent - f.fraction_bits;
  if (result.kind == Kind::finite) {
    result.units = static_cast<unsigned long>(stored == 0 ? fraction : fraction + hidden);
    if (result.negative) mpz_neg(result.units.get_mpz_t(), result.units.get_mpz_t());
  }
  return result;
}

Addend scale(Format format, Pattern pattern) {
  Addend result;
  if (format == Format::ue8m0) {  // 2^(x - 127)
    result.kind = pattern == 0xff ? Kind::nan : Kind::finite;
    result.units = 1;
    result.unit = result.exponent = static_cast<long>(pattern) - 127;
    return result;
  }
  if (format != Format::ue4m3) throw std::invalid_argument("oracle: not a format of scales");
  result = operand(Format::e4m3, pattern % 0x80);
  result.negative = false;
  return result;
}

Addend special(Kind kind, bool negative) {
  Addend result;
  result.kind = kind;
  result.negative = negative;
  return result;
}

Addend zero(bool negative) {
  Addend result;
  result.negative = negative;
  return result;
}

Pattern encoded(Format format, const Addend& x) {
  const FormatInfo& f = info(format);
  const Pattern sign = x.negative ? Pattern{1} << f.sign_bit() : 0;
  if (x.units == 0) return sign;
  const long exponent = std::max(x.unit + leading_exponent(x.units), static_cast<long>(f.emin()));
  const long shift = exponent - f.fraction_bits - x.unit;
  const mpz_class significand = rounded(abs(x.units), shift, Rounding::toward_zero);
  if (shift > 0 && scaled_up(significand, shift) != abs(x.units))
    throw std::invalid_argument("oracle: a value that " + std::string(f.name) + " does not hold");
  if (exponent > f.emax() ||
      (exponent == f.emax() && significand > static_cast<unsigned long>(f.largest_significand())))
    throw std::invalid_argument("oracle: a value beyond the range of " + std::string(f.name));
  const Pattern integer = significand.get_ui();
  const Pattern hidden = Pattern{1} << f.fraction_bits;
  const Pattern stored = integer < hidden ? 0 : static_cast<Pattern>(exponent - f.emin() + 1);
  return sign | (((stored << f.fraction_bits) | integer % hidden) << f.ignored_low_bits);
}

Addend largest_finite(const FormatInfo& f, long fraction_bits, bool negative) {
  const mpz_class largest = rounded(mpz_class(static_cast<unsigned long>(f.largest_significand())),
                                    f.fraction_bits - fraction_bits, Rounding::toward_zero);
  Addend result;
  result.negative = negative;
  result.units = negative ? mpz_class(-largest) : largest;
  result.unit = f.emax() - fraction_bits;
  result.exponent = f.emax();
  return result;
}

}  // namespace mmaprint::oracle
