// Operands and addends of the datapath: decoding, products, encoding. Generic over an algebra
// (model/concrete.h).
#pragma once

#include <utility>

#include "model/format.h"
#include "model/parameters.h"
#include "model/plan.h"

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

/// What a node aligns: the value is significand·2^(exponent - fraction_bits) with as many fraction bits (and
/// two more bits) in all addends of a plan. A zero has the lowest exponent.
template <class A>
struct Addend {
  typename A::Bool negative, zero;
  typename A::Int exponent;
  typename A::Word significand;
};

/// A word of `width` bits without its lowest `count`; machine words need no mask for that.
template <class A>
typename A::Word drop_low(const A& a, const typename A::Word& x, int width, int count) {
  if constexpr (requires { a.drop_low(x, count); })
    return a.drop_low(x, count);
  else
    return a.slice(x, count, width - count);
}

template <class A>
Operand<A> mux(const A& a, typename A::Bool condition, const Operand<A>& yes, const Operand<A>& no) {
  return {a.mux(condition, yes.negative, no.negative), a.mux(condition, yes.nan, no.nan),
          a.mux(condition, yes.infinite, no.infinite), a.mux(condition, yes.exponent, no.exponent),
          a.mux(condition, yes.significand, no.significand)};
}

/// An integer as sign and magnitude, with exponent 0.
template <class A>
Operand<A> decode_integer(const A& a, const FormatInfo& f, const typename A::Word& pattern) {
  const int bits = f.fraction_bits;
  const auto negative = f.has_sign ? a.bit(pattern, f.sign_bit()) : a.truth(false);
  auto value = a.add_signed(a.zero_sum(bits + 2), a.slice(pattern, 0, bits), a.truth(false));
  const auto below = a.mux(negative, a.word(bits + 1, std::uint64_t{1} << bits), a.word(bits + 1, 0));
  value = a.add_signed(value, below, a.truth(true));
  return {negative, a.truth(false), a.truth(false), a.integer(0), a.slice(a.magnitude(value), 0, bits + 1)};
}

template <class A>
Operand<A> decode(const A& a, const FormatInfo& f, const typename A::Word& pattern) {
  if (f.is_integer()) return decode_integer(a, f, pattern);
  const auto fraction = a.slice(pattern, f.ignored_low_bits, f.fraction_bits);
  const auto field = a.slice(pattern, f.ignored_low_bits + f.fraction_bits, f.exponent_bits);
  const auto stored = a.to_int(field, f.exponent_bits);
  const auto negative = f.has_sign ? a.bit(pattern, f.sign_bit()) : a.truth(false);
  const auto below_normal = a.is_zero(field);
  const auto top = a.equals(stored, (1 << f.exponent_bits) - 1);
  auto nan = a.truth(false);
  auto infinite = a.truth(false);
  switch (f.specials) {
    case Specials::ieee:
      if (a.known(top) == std::optional(false)) break;
      infinite = a.all(top, a.is_zero(fraction));
      nan = a.all(top, a.no(a.is_zero(fraction)));
      break;
    case Specials::nan_only:
      nan = a.all(top, a.no(a.greater(a.word(f.fraction_bits, (1ULL << f.fraction_bits) - 1), fraction)));
      break;
    case Specials::nan_at_zero:
      nan = a.all(negative, below_normal, a.is_zero(fraction));
      break;
    default:
      break;
  }
  return {negative, nan, infinite, a.add(a.add(stored, a.from_bit(below_normal)), a.integer(-f.bias)),
          a.append_bit(a.no(below_normal), fraction, f.fraction_bits)};
}

template <class A>
typename A::Word encode(const A& a, const FormatInfo& f, const Operand<A>& x) {
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

/// Turns a subnormal into a zero of its sign where parameter P says so.
template <Parameter P, class A>
void flush_subnormal(const A& a, const FormatInfo& f, Operand<A>& x) {
  if (f.is_integer()) return;
  const auto subnormal = a.all(a.no(a.bit(x.significand, f.fraction_bits)), a.no(a.is_zero(x.significand)));
  if (a.known(subnormal) == std::optional(false)) return;
  const auto gone = a.template select<P>(
      0, [&](Subnormals treatment) { return treatment == Subnormals::flushed ? subnormal : a.truth(false); });
  x.significand = a.mux(gone, a.word(f.precision(), 0), x.significand);
}

/// The operand that a bit pattern stands for, with subnormals treated as parameter P says.
template <Parameter P, class A>
Operand<A> read_operand(const A& a, const FormatInfo& f, const typename A::Word& pattern) {
  auto x = decode(a, f, pattern);
  flush_subnormal<P>(a, f, x);
  return x;
}

/// The addend that an operand in format f is.
template <class A>
[[gnu::always_inline]] inline Addend<A> addend_of(const A& a, const Plan& plan, const FormatInfo& f,
                                                  const Operand<A>& x) {
  const auto zero = a.is_zero(x.significand);
  return {x.negative, zero, a.mux(zero, a.integer(plan.lowest_exponent()), x.exponent),
          a.shift_left(x.significand, plan.addend_fraction_bits() - f.fraction_bits)};
}

/// A product of two operands, with what makes it special.
template <class A>
struct Product {
  Addend<A> value;
  typename A::Bool nan, infinite;
};

/// The exact product. `adder` is the node that will add it and says which exponent takes part in the
/// alignment, where `exponent_matters`.
template <class A>
[[gnu::always_inline]] inline Product<A> multiply(const A& a, const Plan& plan, int adder,
                                                  const Operand<A>& x, const Operand<A>& y,
                                                  bool exponent_matters) {
  const int width = plan.product_width();
  const auto exact = a.shift_left(a.multiply(x.significand, y.significand), 1);
  const auto zero_x = a.is_zero(x.significand);
  const auto zero_y = a.is_zero(y.significand);
  const auto zero = a.any(zero_x, zero_y);
  const auto exponent = a.mux(zero, a.integer(plan.lowest_exponent()), a.add(x.exponent, y.exponent));
  const auto as_kind = [&](ProductKind kind) {
    if (kind == ProductKind::exact_unnormalised) return std::pair(exponent, exact);
    // The leading one moves from wherever it is to the position of 2^0, below one unused bit.
    const auto [leading, count] = a.normalise(a.slice(exact, 1, width - 1), width - 1);
    return std::pair(a.mux(zero, exponent, a.add(exponent, a.subtract(a.integer(1), count))), leading);
  };
  const auto [aligned_exponent, aligned] = exponent_matters
                                               ? a.template select<Parameter::product>(adder, as_kind)
                                               : as_kind(ProductKind::exact_unnormalised);
  const Addend<A> value{a.differ(x.negative, y.negative), zero, aligned_exponent,
                        a.shift_left(aligned, plan.addend_fraction_bits() - plan.product_fraction_bits())};
  if (a.known(a.any(x.nan, x.infinite, y.nan, y.infinite)) == std::optional(false))
    return {value, a.truth(false), a.truth(false)};
  return {value, a.any(x.nan, y.nan, a.all(x.infinite, zero_y), a.all(y.infinite, zero_x)),
          a.any(x.infinite, y.infinite)};
}

}  // namespace mmaprint
