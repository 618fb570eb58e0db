#include "report/binary.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "model/value.h"

namespace mmaprint {
namespace {

__extension__ using Wide = unsigned __int128;

/// The significand of a number whose ones lie within 128 bits, as a multiple of 2^last.
Wide significand(const Binary& x, int last) {
  Wide m = 0;
  for (const int e : x.ones) m |= Wide{1} << (e - last);
  return m;
}

void set_ones(Binary& x, Wide m, int last) {
  for (int i = 127; i >= 0; --i)
    if (((m >> i) & 1U) != 0) x.ones.push_back(last + i);
}

std::string power(int exponent) {
  if (exponent >= 0 && exponent <= 6) return fmt::format("{}", 1 << exponent);
  return fmt::format("2^{}", exponent);
}

/// Are the ones a single run of two digits and more?
bool is_run(const std::vector<int>& ones) {
  return ones.size() > 2 && ones.front() - ones.back() == static_cast<int>(ones.size()) - 1;
}

std::string magnitude_text(const std::vector<int>& ones) {
  if (ones.size() == 1) return power(ones.front());
  const int span = ones.front() - ones.back();
  if (span <= 6) {  // a small odd number
    int odd = 0;
    for (const int e : ones) odd += 1 << (e - ones.back());
    const int last = ones.back();
    if (last >= 0 && last + span <= 12) return fmt::format("{}", odd << last);
    return fmt::format("{}·2^{}", odd, last);
  }
  if (is_run(ones)) return power(ones.front() + 1) + " - " + power(ones.back());
  if (ones.size() == 2) return power(ones[0]) + " + " + power(ones[1]);
  if (ones.size() == 3) return power(ones[0]) + " + " + power(ones[1]) + " + " + power(ones[2]);
  double m = 0;
  for (const int e : ones) m += std::ldexp(1.0, e - ones.front());
  return fmt::format("{:.5f}…·2^{}", std::floor(m * 1e5) / 1e5, ones.front());
}

}  // namespace

Binary binary(Format format, Pattern pattern) {
  const Value v = decode(format, pattern);
  Binary x;
  x.negative = v.negative;
  x.integer = info(format).is_integer();
  if (v.nan || v.infinite) {
    x.kind = v.nan ? Binary::Kind::nan : Binary::Kind::infinite;
    return x;
  }
  x.lowest = v.exponent - info(format).fraction_bits;
  set_ones(x, v.significand, x.lowest);
  return x;
}

Binary product(const Binary& a, const Binary& b) {
  using enum Binary::Kind;
  Binary x;
  x.negative = a.negative != b.negative;
  x.integer = a.integer && b.integer;
  const bool zero_times_infinity = (a.kind == infinite && b.is_zero()) || (b.kind == infinite && a.is_zero());
  if (a.kind == nan || b.kind == nan || zero_times_infinity) {
    x.kind = nan;
  } else if (a.kind == infinite || b.kind == infinite) {
    x.kind = infinite;
  } else {
    x.lowest = a.lowest + b.lowest;
    set_ones(x, significand(a, a.lowest) * significand(b, b.lowest), x.lowest);
    if (x.integer && x.ones.empty()) x.negative = false;
  }
  return x;
}

std::string number_text(const Binary& x) {
  const std::string sign = x.negative ? "-" : "";
  if (x.kind == Binary::Kind::nan) return "nan";
  if (x.kind == Binary::Kind::infinite) return sign + "inf";
  if (x.ones.empty()) return sign + "0";
  // Products of the widest integers have 62 bits.
  if (x.integer) return fmt::format("{}{}", sign, static_cast<std::uint64_t>(significand(x, 0)));
  const std::string magnitude = magnitude_text(x.ones);
  const bool sum = magnitude.find(' ') != std::string::npos;
  return x.negative && sum ? "-(" + magnitude + ")" : sign + magnitude;
}

}  // namespace mmaprint
