// What inputs at ties are made of: a product or a c of any value, or of just the one that is asked for.
#include <algorithm>
#include <utility>

#include "inference/exact_numbers.h"
#include "inference/tie_inputs.h"
#include "model/pattern.h"

namespace mmaprint {
namespace {

/// Where significands have more bits than this, factors are looked for that are a few ones.
constexpr int kMostBitsOfDivisor = 12;

}  // namespace

InputsAtTies::Units InputsAtTies::put_any(std::size_t k, int exponent) {
  const auto exponents = split(exponent);
  const int place = exponent - a_.fraction_bits - b_.fraction_bits - unit_;
  if (place < 0) return 0;
  if (!exponents) {
    const Units value = Units{word() & ((Pattern{2} << a_.fraction_bits) - 1)} | 1;
    return put_with_subnormal(k, value << place, exponent) ? value << place : 0;
  }
  const Pattern a = any_significand(a_), b = any_significand(b_);
  const bool negative = chance(50);
  set_product(k, negative, *exponents, {a, b});
  const Units value = Units{a} * Units{b} << place;
  return negative ? -value : value;
}

InputsAtTies::Units InputsAtTies::put_any_c(int exponent) {
  const int place = exponent - c_.fraction_bits - unit_;
  if (place < 0 || exponent > c_.emax()) return 0;
  const int below_normal = std::clamp(c_.emin() - exponent, 0, c_.fraction_bits);
  const Pattern significand = any_significand(c_) >> below_normal << below_normal;
  const bool negative = chance(50);
  input_.c = floating_pattern(c_, negative, exponent, significand);
  const Units value = Units{significand} << place;
  return negative ? -value : value;
}

Pattern InputsAtTies::any_significand(const FormatInfo& f) {
  const Pattern one = Pattern{1} << f.fraction_bits;
  switch (below(5)) {
    case 0:
      return one;
    case 1:
      return one + (one - 1);
    case 2:
      return one | 1;
    case 3:
      return one | (one >> 1 >> below(f.fraction_bits));
    default:
      return one | (word() & (one - 1));
  }
}

/// The exponents of two normal factors.
std::optional<std::pair<int, int>> InputsAtTies::split(int exponent) {
  const int low = std::max(a_.emin(), exponent - b_.emax());
  const int high = std::min(a_.emax(), exponent - b_.emin());
  if (low > high) return std::nullopt;
  const int of_a = std::clamp(exponent / 2 + below(9) - 4, low, high);
  return std::pair(of_a, exponent - of_a);
}

bool InputsAtTies::put(const Place& place, Units value, int highest_exponent) {
  if (value == 0) return true;
  return place.product ? put_product(*place.product, value, highest_exponent) : put_c(value);
}

bool InputsAtTies::put_c(Units value) {
  const Units all = magnitude(value);
  const int leading = leading_bit(all), exponent = leading + unit_;
  if (exponent > c_.emax() || exponent < c_.emin() - c_.fraction_bits) return false;
  const int last = std::max(exponent, c_.emin()) - c_.fraction_bits - unit_;
  if (last > 0 && (all & ((Units{1} << last) - 1)) != 0) return false;
  const Units fraction = all - (Units{1} << leading);
  const int down = leading - c_.fraction_bits;
  input_.c = floating_pattern(c_, value < 0, exponent,
                              static_cast<Pattern>(down >= 0 ? fraction >> down : fraction << -down));
  return true;
}

/// By significands whose product it is: each that one factor may have is tried.
bool InputsAtTies::put_product(std::size_t k, Units value, int highest_exponent) {
  if (moves_exponents_ && chance(50) && put_with_subnormal(k, value, highest_exponent)) return true;
  Units odd = magnitude(value);
  int exponent = unit_;
  for (; (odd & 1) == 0; odd >>= 1) ++exponent;
  const int bits = leading_bit(odd) + 1, fraction_bits = a_.fraction_bits + b_.fraction_bits;
  const bool longer_first = chance(50);
  for (const int more : {longer_first ? 2 : 1, longer_first ? 1 : 2}) {
    const int up = fraction_bits + more - bits;
    const int of_product = exponent - up + fraction_bits;
    const auto exponents = split(of_product);
    if (up < 0 || of_product > highest_exponent || !exponents) continue;
    const auto factors = factors_of(odd << up, a_, [&](Units x) { return x >> b_.fraction_bits == 1; });
    if (!factors) continue;
    set_product(k, value < 0, *exponents, *factors);
    return true;
  }
  return put_with_subnormal(k, value, highest_exponent);
}

/// The same with one subnormal factor. Often with the exponents' sum that is aimed at, far above the value.
bool InputsAtTies::put_with_subnormal(std::size_t k, Units value, int highest_exponent) {
  Units odd = magnitude(value);
  int exponent = unit_;
  for (; (odd & 1) == 0; odd >>= 1) ++exponent;
  const bool is_a = chance(50);
  const FormatInfo &small = is_a ? a_ : b_, &large = is_a ? b_ : a_;
  const int up_to_highest = exponent + a_.fraction_bits + b_.fraction_bits - highest_exponent;
  for (const int up : {up_to_highest, below(4), below(4)}) {
    const int of_large = exponent - up - small.emin() + small.fraction_bits + large.fraction_bits;
    if (up < 0 || up > kMostBitsOfDivisor || of_large < large.emin() || of_large > large.emax()) continue;
    const auto found = factors_of(odd << up, large, [&](Units x) { return x >> small.fraction_bits == 0; });
    if (!found) continue;
    const auto [normal, subnormal] = *found;
    set_with_subnormal(k, is_a, subnormal, of_large, normal);
    if (value < 0) input_.a[k] |= sign_pattern(a_);
    return true;
  }
  return false;
}

/// A normal significand, and another that is such, with this product.
std::optional<std::pair<Pattern, Pattern>> InputsAtTies::factors_of(
    Units product, const FormatInfo& normal, const std::function<bool(Units)>& is_other) {
  const Pattern one = Pattern{1} << normal.fraction_bits;
  if (normal.fraction_bits > kMostBitsOfDivisor) {
    for (const int ones : {1, 4, 3, 2}) {  // such as any_of_top takes
      const Units x = ((Units{1} << ones) - 1) << (normal.fraction_bits + 1 - ones), other = product / x;
      if (other * x == product && is_other(other))
        return std::pair(static_cast<Pattern>(x), static_cast<Pattern>(other));
    }
    return std::nullopt;
  }
  const auto all = static_cast<std::uint64_t>(product);
  // Divisions of 32 bits are far faster, and most products are no longer.
  const auto search = [&]<class Word>(Word of) -> std::optional<std::pair<Pattern, Pattern>> {
    const auto ones = static_cast<Word>(one), first = static_cast<Word>(word());
    for (Word i = 0; i < ones; ++i) {
      const Word x = ones + ((first + i) & (ones - 1)), other = of / x;
      if (x * other == of && is_other(other)) return std::pair<Pattern, Pattern>(x, other);
    }
    return std::nullopt;
  };
  return all >> 32 == 0 ? search(static_cast<std::uint32_t>(all)) : search(all);
}

void InputsAtTies::set_product(std::size_t k, bool negative, const std::pair<int, int>& exponents,
                               const std::pair<Pattern, Pattern>& significands) {
  input_.a[k] = floating_pattern(a_, negative, exponents.first, significands.first);
  input_.b[k] = floating_pattern(b_, false, exponents.second, significands.second);
}

/// One factor is subnormal, a or b; the other one has this exponent.
void InputsAtTies::set_with_subnormal(std::size_t k, bool is_a, Pattern subnormal, int exponent,
                                      Pattern significand) {
  (is_a ? input_.a : input_.b)[k] = subnormal << (is_a ? a_ : b_).ignored_low_bits;
  (is_a ? input_.b : input_.a)[k] = floating_pattern(is_a ? b_ : a_, false, exponent, significand);
}

}  // namespace mmaprint
