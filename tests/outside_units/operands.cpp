// How operands are read and multiplied.
#include <algorithm>

#include "outside_units/steps.h"

namespace mmaprint::test {
namespace {

using oracle::Addend;
using oracle::Kind;
using oracle::Role;

/// Subnormals of the base's factors are kept.
void keep_subnormals(Deviant& unit) { unit.base.conventions.input_subnormals = Subnormals::kept; }

void flush(const FormatInfo& f, Addend& x) {
  if (x.kind == Kind::finite && abs(x.units) < oracle::power_of_two(f.fraction_bits)) x.units = 0;
}

/// An operand's significand as the format stores it, hidden bit and all.
unsigned long significand(const Addend& x) { return mpz_class(abs(x.units)).get_ui(); }

void set_magnitude(Addend& x, const mpz_class& magnitude) {
  x.units = x.units < 0 ? mpz_class(-magnitude) : magnitude;
}

/// The low bits of a magnitude cleared.
void clear_low_bits(mpz_class& units, long count) {
  if (count > 0) units = oracle::scaled_up(oracle::rounded(units, count, Rounding::toward_zero), count);
}

}  // namespace

bool flushed_at_one_position(Deviant& unit, Random& random) {
  keep_subnormals(unit);
  const int position = any_position(unit, random);
  unit.at.operand = [position, &f = info(unit.base.formats.a)](Role role, int index, Addend& x) {
    if (role != Role::c && index == position) flush(f, x);
  };
  return true;
}

bool only_b_flushed(Deviant& unit, Random& /*random*/) {
  keep_subnormals(unit);
  unit.at.operand = [&f = info(unit.base.formats.b)](Role role, int /*index*/, Addend& x) {
    if (role == Role::b) flush(f, x);
  };
  return true;
}

bool only_negative_flushed(Deviant& unit, Random& /*random*/) {
  keep_subnormals(unit);
  unit.at.operand = [&f = info(unit.base.formats.a)](Role role, int /*index*/, Addend& x) {
    if (role != Role::c && x.negative) flush(f, x);
  };
  return true;
}

bool significand_bit_ignored(Deviant& unit, Random& random) {
  const int position = any_position(unit, random);
  const auto bit = static_cast<mp_bitcnt_t>(random.between(0, info(unit.base.formats.a).fraction_bits - 1));
  unit.at.operand = [position, bit](Role role, int index, Addend& x) {
    if (role != Role::a || index != position || x.kind != Kind::finite) return;
    mpz_class magnitude = abs(x.units);
    mpz_clrbit(magnitude.get_mpz_t(), bit);
    set_magnitude(x, magnitude);
  };
  return true;
}

bool sign_ignored_at_one_position(Deviant& unit, Random& random) {
  unit.at.operand = [position = any_position(unit, random)](Role role, int index, Addend& x) {
    if (role != Role::b || index != position) return;
    x.negative = false;
    x.units = abs(x.units);
  };
  return true;
}

bool one_significand_wrong(Deviant& unit, Random& random) {
  // Wide significands count by their low bits, or it would be too rare.
  constexpr int kMostBits = 7;
  const FormatInfo& f = info(unit.base.formats.a);
  const unsigned long mask = (1UL << std::min(f.fraction_bits, kMostBits)) - 1;
  const unsigned long wrong = random.bits() & mask;
  unit.at.operand = [=](Role role, int index, Addend& x) {
    if (role != Role::a || index != 0 || x.kind != Kind::finite || x.is_zero()) return;
    if ((significand(x) & mask) == wrong) set_magnitude(x, mpz_class(significand(x) ^ 1));
  };
  return true;
}

bool product_truncated(Deviant& unit, Random& random) {
  const int kept = info(unit.base.formats.a).precision() + random.between(0, 2);
  unit.at.product = [kept](const Addend& /*a*/, const Addend& /*b*/, Addend& product) {
    if (product.kind == Kind::finite && !product.is_zero())
      clear_low_bits(product.units, oracle::leading_exponent(product.units) + 1 - kept);
  };
  return true;
}

bool products_by_logarithms(Deviant& unit, Random& /*random*/) {
  unit.at.product = [](const Addend& a, const Addend& b, Addend& product) {
    if (product.kind != Kind::finite || product.is_zero()) return;
    // With factors 2^i·(1 + x) and 2^j·(1 + y), in units of 2^(i + j).
    const auto split = [](const mpz_class& units) {
      const mpz_class top = oracle::scaled_up(1, oracle::leading_exponent(units));
      return std::pair(top, mpz_class(abs(units) - top));
    };
    const auto [top_a, rest_a] = split(a.units);
    const auto [top_b, rest_b] = split(b.units);
    const mpz_class unit_of = top_a * top_b, both = rest_a * top_b + rest_b * top_a;
    const mpz_class sum = both < unit_of ? mpz_class(unit_of + both) : mpz_class(2 * both);
    product.units = product.units < 0 ? mpz_class(-sum) : sum;
  };
  return true;
}

bool product_looked_up(Deviant& unit, Random& random) {
  const FormatInfo& f = info(unit.base.formats.a);
  const int ones = 1 << f.fraction_bits;
  const mpz_class x = ones + random.between(1, ones - 1), y = ones + random.between(1, ones - 1);
  unit.at.product = [x, y, f](const Addend& a, const Addend& b, Addend& product) {
    const auto is = [&](const Addend& factor, const mpz_class& significand) {
      if (factor.kind != Kind::finite || factor.is_zero()) return false;
      const long up = f.fraction_bits - oracle::leading_exponent(factor.units);
      return up >= 0 ? oracle::scaled_up(abs(factor.units), up) == significand
                     : abs(factor.units) == oracle::scaled_up(significand, -up);
    };
    if (product.kind != Kind::finite || !is(a, x) || !is(b, y)) return;
    const int sign = product.units < 0 ? -1 : 1;
    product.units += sign * oracle::scaled_up(1, oracle::leading_exponent(product.units) - f.fraction_bits);
  };
  return true;
}

bool last_place_of_c_dropped(Deviant& unit, Random& /*random*/) {
  unit.at.operand = [](Role role, int /*index*/, Addend& x) {
    if (role == Role::c && x.kind == Kind::finite) clear_low_bits(x.units, 1);
  };
  return true;
}

}  // namespace mmaprint::test
