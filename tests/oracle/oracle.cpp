#include "oracle/oracle.h"

#include <algorithm>
#include <climits>
#include <cmath>
#include <stdexcept>
#include <string>

namespace mmaprint::oracle {
namespace {

// One addend of a node: an operand, a product or another node's result. A finite one is units·2^unit, where
// `units` carries the sign; `exponent` is the e that takes part in alignment, which says nothing about the
// size of `units`.
struct Addend {
  Kind kind = Kind::finite;
  bool negative = false;  // of zeros and infinities too
  mpz_class units;
  long unit = 0;
  long exponent = 0;

  [[nodiscard]] bool is_zero() const { return kind == Kind::finite && units == 0; }
};

mpz_class power_of_two(long exponent) {
  mpz_class result;
  mpz_setbit(result.get_mpz_t(), static_cast<mp_bitcnt_t>(exponent));
  return result;
}

// x·2^shift, shift >= 0.
mpz_class scaled_up(const mpz_class& x, long shift) {
  mpz_class result;
  mpz_mul_2exp(result.get_mpz_t(), x.get_mpz_t(), static_cast<mp_bitcnt_t>(shift));
  return result;
}

// floor(log2 |x|) of a nonzero integer.
long leading_exponent(const mpz_class& x) { return static_cast<long>(mpz_sizeinbase(x.get_mpz_t(), 2)) - 1; }

Rounding as_rounding(AlignmentRounding rounding) {
  switch (rounding) {
    case AlignmentRounding::truncate:
      return Rounding::toward_zero;
    case AlignmentRounding::floor:
      return Rounding::down;
    case AlignmentRounding::nearest_even:
      return Rounding::nearest_even;
    case AlignmentRounding::sticky:
      return Rounding::odd;  // an OR into the last kept bit
  }
  throw std::invalid_argument("oracle: unknown alignment rounding");
}

// x / 2^shift, rounded to an integer.
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

// The number modulo 2^bits that lies in -2^(bits-1) .. 2^(bits-1)-1.
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

// An operand that comes from outside, after its format's flushing.
Addend outer_operand(Format format, Pattern pattern, Subnormals subnormals) {
  Addend result = operand(format, pattern);
  if (subnormals == Subnormals::flushed && result.kind == Kind::finite &&
      abs(result.units) < power_of_two(info(format).fraction_bits))
    result.units = 0;
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

Addend product(const Addend& a, const Addend& b, ProductKind kind) {
  const bool negative = a.negative != b.negative;
  if (a.kind == Kind::nan || b.kind == Kind::nan) return special(Kind::nan, false);
  if (a.kind == Kind::infinite || b.kind == Kind::infinite)
    return special(a.is_zero() || b.is_zero() ? Kind::nan : Kind::infinite, negative);
  Addend result;
  result.negative = negative;
  result.units = a.units * b.units;
  result.unit = a.unit + b.unit;
  result.exponent = a.exponent + b.exponent;
  if (kind == ProductKind::exact_normalised && result.units != 0)
    result.exponent = result.unit + leading_exponent(result.units);
  return result;
}

// IEEE 754-2019, 7.4: which overflows go to an infinity.
bool overflows_to_infinity(Overflow overflow, Rounding rounding, bool negative) {
  if (overflow != Overflow::by_direction) return overflow == Overflow::infinity;
  if (rounding == Rounding::up) return !negative;
  if (rounding == Rounding::down) return negative;
  return rounding == Rounding::nearest_even || rounding == Rounding::nearest_away;
}

bool follows(ZeroSign rule, bool sign) { return rule == ZeroSign::follow && sign; }

// A nonzero sum, units·2^unit, as a number of D's format.
Addend result_of_sum(const UnitModel& model, const Adder& adder, const mpz_class& units, long unit) {
  const FormatInfo& d = info(model.formats.d);
  const bool negative = units < 0;
  const long f = adder.output_fraction_bits;

  Addend result;
  result.negative = negative;
  result.unit = std::max(unit + leading_exponent(units), static_cast<long>(d.emin())) - f;
  result.units = rounded(units, result.unit - unit, adder.rounding);
  if (result.units == 0) return zero(follows(model.conventions.zero_sign.rounded, negative));

  result.exponent = std::max(result.unit + leading_exponent(result.units), static_cast<long>(d.emin()));
  const mpz_class largest = rounded(mpz_class(static_cast<unsigned long>(d.largest_significand())),
                                    d.fraction_bits - f, Rounding::toward_zero);
  const bool overflows = result.exponent > d.emax() ||
                         (result.exponent == d.emax() &&
                          abs(result.units) > scaled_up(largest, std::max(0L, d.emax() - f - result.unit)));
  if (overflows) {
    if (overflows_to_infinity(model.conventions.overflow, adder.rounding, negative)) {
      if (!d.has_infinity()) throw std::invalid_argument("oracle: D's format has no infinity");
      return special(Kind::infinite, negative);
    }
    result.units = negative ? mpz_class(-largest) : largest;
    result.unit = d.emax() - f;
    result.exponent = d.emax();
  }
  const bool below_normal = result.unit + leading_exponent(result.units) < d.emin();
  if (below_normal && model.conventions.output_subnormals == Subnormals::flushed)
    return zero(follows(model.conventions.zero_sign.flushed, negative));
  return result;
}

Addend node_result(const UnitModel& model, const Adder& adder, const std::vector<Addend>& addends) {
  bool infinities[2] = {false, false};
  bool all_zero = true, all_negative = true, any_negative = false;
  for (const Addend& addend : addends) {
    if (addend.kind == Kind::nan) return special(Kind::nan, false);
    if (addend.kind == Kind::infinite) infinities[addend.negative ? 1 : 0] = true;
    all_zero = all_zero && addend.is_zero();
    all_negative = all_negative && addend.negative;
    any_negative = any_negative || addend.negative;
  }
  if (infinities[0] && infinities[1]) return special(Kind::nan, false);
  if (infinities[0] || infinities[1]) return special(Kind::infinite, infinities[1]);

  const bool down = adder.rounding == Rounding::down;
  if (all_zero)
    return zero(follows(model.conventions.zero_sign.all_zero, down ? any_negative : all_negative));

  // The alignment exponent E, and the unit 2^q in which the aligned addends are integers.
  long E = adder.minimum_alignment_exponent.value_or(INT_MIN);
  long q = LONG_MAX;
  for (const Addend& addend : addends) {
    if (addend.is_zero()) continue;
    E = std::max(E, addend.exponent);
    q = std::min(q, addend.unit);
  }
  if (adder.alignment_fraction_bits) q = E - *adder.alignment_fraction_bits;
  const Rounding alignment = as_rounding(adder.alignment_rounding);

  const auto wrap = [&](mpz_class& x) {
    if (adder.extra_carry_bits) x = wrapped(x, E + 2 + *adder.extra_carry_bits - q);
  };
  // Partial sums keep F bits below their own leading one; below E nothing is left to drop.
  const auto drop = [&](mpz_class& x) {
    if (!adder.alignment_fraction_bits || x == 0) return;
    const long surplus = q + leading_exponent(x) - E;
    if (surplus > 0) x = scaled_up(rounded(x, surplus, alignment), surplus);
  };
  mpz_class sum;
  bool first = true;
  for (const Addend& addend : addends) {
    if (!addend.is_zero()) sum += rounded(addend.units, q - addend.unit, alignment);
    if (adder.normalisation == Normalisation::immediate && !first) {
      wrap(sum);
      drop(sum);
    }
    first = false;
  }
  if (adder.normalisation == Normalisation::late) wrap(sum);
  if (sum == 0) return zero(follows(model.conventions.zero_sign.cancelled, down));
  return result_of_sum(model, adder, sum, q);
}

// Of a finite value that the format holds exactly.
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

mpz_class integer_operand(Format format, Pattern pattern) {
  const FormatInfo& f = info(format);
  const mpz_class value(static_cast<unsigned long>(pattern));
  return f.has_sign ? wrapped(value, f.container_bits) : value;
}

// Node by node, as the model says.
Pattern evaluate_integer(const UnitModel& model, const DotInput& input) {
  const int bits = info(model.formats.d).container_bits;
  const mpz_class most = power_of_two(bits - 1) - 1;
  const mpz_class least = -power_of_two(bits - 1);
  std::vector<mpz_class> results;
  for (const Node& node : model.tree.nodes) {
    mpz_class sum;
    for (const Leaf& leaf : node.operands) {
      if (const auto* factor = std::get_if<ProductLeaf>(&leaf)) {
        const auto i = static_cast<std::size_t>(factor->index);
        const mpz_class x = integer_operand(model.formats.a, input.a[i]);
        const mpz_class y = integer_operand(model.formats.b, input.b[i]);
        const bool differ =
            model.adders[static_cast<std::size_t>(node.adder)].product == ProductKind::exclusive_or;
        sum += differ ? mpz_class(x ^ y) : mpz_class(x * y);
      } else if (std::holds_alternative<CLeaf>(leaf)) {
        sum += integer_operand(model.formats.c, input.c);
      } else if (const auto* before = std::get_if<NodeLeaf>(&leaf)) {
        sum += results[static_cast<std::size_t>(before->node)];
      }
    }
    if (model.conventions.overflow == Overflow::wrap) sum = wrapped(sum, bits);
    results.push_back(sum > most ? most : sum < least ? least : sum);
  }
  const mpz_class& d = results.back();
  return mpz_class(d < 0 ? mpz_class(d + power_of_two(bits)) : d).get_ui();
}

}  // namespace

Number decode(Format format, Pattern pattern) {
  const Addend x = operand(format, pattern);
  mpq_class value(x.units);
  if (x.unit >= 0)
    mpq_mul_2exp(value.get_mpq_t(), value.get_mpq_t(), static_cast<mp_bitcnt_t>(x.unit));
  else
    mpq_div_2exp(value.get_mpq_t(), value.get_mpq_t(), static_cast<mp_bitcnt_t>(-x.unit));
  return {x.kind, x.negative, value, static_cast<int>(x.exponent)};
}

Pattern pattern_of(Format format, double value) {
  if (!std::isfinite(value)) throw std::invalid_argument("oracle: pattern_of takes a finite value");
  int exponent = 0;
  const double fraction = std::frexp(value, &exponent);
  Addend x;
  x.negative = std::signbit(value);
  x.units = static_cast<long>(std::ldexp(fraction, 53));
  x.unit = exponent - 53;
  return encoded(format, x);
}

Pattern evaluate(const UnitModel& model, const DotInput& input) {
  if (info(model.formats.d).is_integer()) return evaluate_integer(model, input);
  const auto multiplied = [&](int index, ProductKind kind) {
    const auto i = static_cast<std::size_t>(index);
    return product(outer_operand(model.formats.a, input.a[i], model.conventions.input_subnormals),
                   outer_operand(model.formats.b, input.b[i], model.conventions.input_subnormals), kind);
  };
  std::vector<Addend> results;
  for (const Node& node : model.tree.nodes) {
    const Adder& adder = model.adders[static_cast<std::size_t>(node.adder)];
    std::vector<Addend> addends;
    addends.reserve(node.operands.size());
    for (const Leaf& leaf : node.operands) {
      if (const auto* factor = std::get_if<ProductLeaf>(&leaf))
        addends.push_back(multiplied(factor->index, adder.product));
      else if (std::holds_alternative<CLeaf>(leaf))
        addends.push_back(outer_operand(model.formats.c, input.c, model.conventions.c_subnormals));
      else if (std::holds_alternative<ZeroLeaf>(leaf))
        addends.push_back(zero(false));
      else
        addends.push_back(results[static_cast<std::size_t>(std::get<NodeLeaf>(leaf).node)]);
    }
    results.push_back(node_result(model, adder, addends));
  }

  const Addend& d = results.back();
  const FormatInfo& f = info(model.formats.d);
  if (d.kind == Kind::nan) return model.nan.value_or(canonical_nan(model.formats.d));
  if (d.kind == Kind::infinite) {
    const Pattern exponents = ((Pattern{1} << f.exponent_bits) - 1) << f.fraction_bits;
    return ((d.negative ? Pattern{1} << f.sign_bit() : 0) | exponents << f.ignored_low_bits);
  }
  return encoded(model.formats.d, d);
}

}  // namespace mmaprint::oracle
