#include "outside_units/distributions.h"

#include <algorithm>
#include <cmath>

#include "model/pattern.h"

namespace mmaprint::test {

std::string_view name(Distribution distribution) {
  switch (distribution) {
    case Distribution::uniform_patterns:
      return "uniform patterns";
    case Distribution::normal_with_specials:
      return "normal values, a tenth specials";
    case Distribution::half_zeros:
      break;
  }
  return "half zeros";
}

DistributionInputs::DistributionInputs(Distribution distribution, int k, const Signature& formats,
                                       std::uint64_t seed)
    : distribution_(distribution), k_(k), formats_(formats), random_(seed) {}

DotInput DistributionInputs::next() {
  const bool normal = distribution_ == Distribution::normal_with_specials ||
                      (distribution_ == Distribution::half_zeros && random_.chance(1, 2));
  const auto n = static_cast<std::size_t>(k_);
  DotInput input{std::vector<Pattern>(n), std::vector<Pattern>(n), 0};
  for (Pattern& a : input.a) a = operand(info(formats_.a), normal);
  for (Pattern& b : input.b) b = operand(info(formats_.b), normal);
  if (formats_.c) input.c = operand(info(*formats_.c), normal);
  return input;
}

Pattern DistributionInputs::operand(const FormatInfo& f, bool normal_values) {
  if (distribution_ == Distribution::half_zeros && random_.chance(1, 2))
    return f.is_integer() ? 0 : zero_pattern(f, random_.chance(1, 2));
  if (distribution_ == Distribution::normal_with_specials && random_.chance(1, 10)) return special(f);
  return normal_values ? normal(f) : random_.bits() & f.pattern_mask();
}

Pattern DistributionInputs::special(const FormatInfo& f) {
  const Pattern sign = random_.chance(1, 2) ? Pattern{1} << f.sign_bit() : 0;
  if (f.is_integer()) {
    const Pattern most = f.pattern_mask() >> (f.has_sign ? 1 : 0);
    return random_.pick({Pattern{0}, Pattern{1}, most, most - 1, most + 1, most + 2, f.pattern_mask()}) &
           f.pattern_mask();
  }
  if (f.has_nan() && random_.chance(1, 20)) return canonical_nan(f.id) | sign;
  switch (random_.between(0, 4)) {
    case 0:
      return zero_pattern(f, sign != 0);
    case 1:
      return floating_pattern(f, sign != 0, f.emin() - f.fraction_bits, 0);
    case 2:
      return floating_pattern(f, sign != 0, f.emax(), ~std::uint64_t{0});
    default:
      return f.has_infinity() ? infinity_pattern(f) | sign : zero_pattern(f, sign != 0);
  }
}

Pattern DistributionInputs::normal(const FormatInfo& f) {
  if (f.is_integer()) {
    // A quarter of the range, or of 17 bits in accumulators.
    const double most = std::ldexp(1, std::min(f.container_bits, 17) - 1);
    const double x = std::clamp(std::round(gaussian() * most / 4), f.has_sign ? -most : 0.0, most - 1);
    return static_cast<Pattern>(static_cast<std::int64_t>(x)) & f.pattern_mask();
  }
  const double x = gaussian();
  int exponent = 0;
  const double fraction = std::frexp(std::abs(x), &exponent);  // 0.5 .. 1
  const auto bits = static_cast<std::uint64_t>(std::ldexp(fraction, f.fraction_bits + 1));
  return floating_pattern(f, x < 0, exponent - 1, bits);
}

// A sum of twelve uniform numbers: alike on every machine, and normal enough.
double DistributionInputs::gaussian() {
  std::uint64_t sum = 0;
  for (int i = 0; i < 6; ++i) {
    const std::uint64_t two = random_.bits();
    sum += (two >> 32) + (two & 0xffffffffU);
  }
  return std::ldexp(static_cast<double>(sum), -32) - 6;
}

}  // namespace mmaprint::test
