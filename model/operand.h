// Operands: what bit patterns stand for, and back. Generic over an algebra (model/concrete.h).
#pragma once

#include "model/checks.h"
#include "model/format.h"

namespace mmaprint {

/// ±significand·2^exponent with an integer significand of `precision` bits, or NaN or infinite (the rest is
/// then void).
template <class A>
struct Operand {
  typename A::Bool negative, nan, infinite;
  typename A::Int exponent;
  typename A::Word significand;
  friend bool operator==(const Operand&, const Operand&) = default;
};

template <class A>
constexpr Operand<A> mux(const A& a, typename A::Bool condition, const Operand<A>& yes,
                         const Operand<A>& no) {
  return {a.mux(condition, yes.negative, no.negative), a.mux(condition, yes.nan, no.nan),
          a.mux(condition, yes.infinite, no.infinite), a.mux(condition, yes.exponent, no.exponent),
          a.mux(condition, yes.significand, no.significand)};
}

/// An integer as sign and magnitude, with exponent 0.
template <class A>
constexpr Operand<A> decode_integer(const A& a, const FormatInfo& f, const typename A::Word& pattern) {
  const int bits = f.fraction_bits;
  const auto negative = f.has_sign ? a.bit(pattern, f.sign_bit()) : a.truth(false);
  auto value = a.add_signed(a.zero_sum(bits + 2), a.slice(pattern, 0, bits), a.truth(false));
  const auto below = a.mux(negative, a.word(bits + 1, std::uint64_t{1} << bits), a.word(bits + 1, 0));
  value = a.add_signed(value, below, a.truth(true));
  return {negative, a.truth(false), a.truth(false), a.integer(0), a.slice(a.magnitude(value), 0, bits + 1)};
}

template <class A>
constexpr Operand<A> decode(const A& a, const FormatInfo& f, const typename A::Word& pattern) {
  if (f.is_integer()) return decode_integer(a, f, pattern);
  const auto fraction = a.slice(pattern, f.ignored_low_bits, f.fraction_bits);
  const auto field = a.slice(pattern, f.ignored_low_bits + f.fraction_bits, f.exponent_bits);
  const auto stored = a.to_int(field, f.exponent_bits);
  const auto negative = f.has_sign ? a.bit(pattern, f.sign_bit()) : a.truth(false);
  const auto below_normal = f.specials == Specials::scale ? a.truth(false) : a.is_zero(field);
  const auto top = a.equals(stored, (1 << f.exponent_bits) - 1);
  auto nan = a.truth(false);
  auto infinite = a.truth(false);
  switch (f.specials) {
    case Specials::ieee:
      infinite = a.all(top, a.is_zero(fraction));
      nan = a.all(top, a.no(a.is_zero(fraction)));
      break;
    case Specials::nan_only:
      nan = a.all(top, a.no(a.greater(a.word(f.fraction_bits, (1ULL << f.fraction_bits) - 1), fraction)));
      break;
    case Specials::nan_at_zero:
      nan = a.all(negative, below_normal, a.is_zero(fraction));
      break;
    case Specials::scale:
      nan = top;
      break;
    default:
      break;
  }
  return {negative, nan, infinite, a.add(a.add(stored, a.from_bit(below_normal)), a.integer(-f.bias)),
          a.append_bit(a.no(below_normal), fraction, f.fraction_bits)};
}

/// Requires an infinity, or a number that the format has.
template <class A>
constexpr typename A::Word encode(const A& a, const FormatInfo& f, const Operand<A>& x) {
  MMAPRINT_EXPECTS(fits(a, x.significand, f.precision()) && holds(a, a.at_least(x.exponent, f.emin())) &&
                   holds(a, a.any(x.infinite, a.no(a.at_least(x.exponent, f.emax() + 1)))));
  const auto normal = a.bit(x.significand, f.fraction_bits);
  const auto biased = a.mux(normal, a.add(x.exponent, a.integer(f.bias)), a.integer(0));
  const auto infinity = a.integer((1 << f.exponent_bits) - 1);
  const auto field =
      a.to_word(f.has_infinity() ? a.mux(x.infinite, infinity, biased) : biased, f.exponent_bits);
  auto fraction = a.slice(x.significand, 0, f.fraction_bits);
  if (f.has_infinity()) fraction = a.mux(x.infinite, a.word(f.fraction_bits, 0), fraction);
  const auto magnitude = a.concat(field, fraction, f.fraction_bits);
  const auto value =
      f.has_sign ? a.append_bit(x.negative, magnitude, f.fraction_bits + f.exponent_bits) : magnitude;
  return f.ignored_low_bits == 0 ? value : a.concat(value, a.word(f.ignored_low_bits, 0), f.ignored_low_bits);
}

}  // namespace mmaprint
