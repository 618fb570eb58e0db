#include "inference/masking.h"

#include <algorithm>

#include "model/pattern.h"
#include "model/value.h"

namespace mmaprint {

namespace {

int smallest(const FormatInfo& f) { return f.emin() - f.fraction_bits; }

/// A factor's exponent: near half of the product's where both are normal; else b is subnormal, or both are.
int exponent_of_a(const FormatInfo& a, const FormatInfo& b, int exponent) {
  if (exponent < a.emin() + b.emin()) return std::min(a.emin(), exponent - smallest(b));
  return std::clamp(exponent / 2, std::max(a.emin(), exponent - b.emax()),
                    std::min(a.emax(), exponent - b.emin()));
}

}  // namespace

MaskingInputs::MaskingInputs(int k, const Signature& formats) : k_(k), formats_(formats) {
  const FormatInfo& a = info(formats.a);
  const FormatInfo& b = info(formats.b);
  const FormatInfo& d = info(formats.d);
  // Sums of two have to be in range, too.
  lowest_ = std::max(smallest(a) + smallest(b), smallest(d));
  highest_ = std::min(a.emax() + b.emax(), d.emax() - 1);
  if (!formats.c) return;
  lowest_ = std::max(lowest_, smallest(info(*formats.c)));
  highest_ = std::min(highest_, info(*formats.c).emax());
}

int MaskingInputs::precision() const { return info(formats_.d).precision(); }

DotInput MaskingInputs::input(std::span<const PowerAt> powers) const {
  const FormatInfo& a = info(formats_.a);
  const FormatInfo& b = info(formats_.b);
  DotInput input = zero_input(formats_, k_);
  for (const auto& [leaf, negative, exponent] : powers) {
    if (leaf == k_) {
      input.c = floating_pattern(info(*formats_.c), negative, exponent, 0);
      continue;
    }
    const int of_a = exponent_of_a(a, b, exponent);
    input.a[static_cast<std::size_t>(leaf)] = floating_pattern(a, negative, of_a, 0);
    input.b[static_cast<std::size_t>(leaf)] = floating_pattern(b, false, exponent - of_a, 0);
  }
  return input;
}

std::optional<std::int64_t> MaskingInputs::units(Pattern d, int exponent) const {
  const Value value = decode(formats_.d, d);
  if (value.nan || value.infinite) return std::nullopt;
  if (value.significand == 0) return 0;
  int shift = value.exponent - info(formats_.d).fraction_bits - exponent;
  std::uint64_t units = value.significand;
  for (; shift < 0; ++shift, units >>= 1)
    if ((units & 1) != 0) return std::nullopt;
  for (; shift > 0; --shift, units <<= 1)
    if (units >> 61 != 0) return std::nullopt;
  return value.negative ? -static_cast<std::int64_t>(units) : static_cast<std::int64_t>(units);
}

}  // namespace mmaprint
