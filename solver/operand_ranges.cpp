#include "solver/operand_ranges.h"

#include <algorithm>

namespace mmaprint {
namespace {

int finest(const FormatInfo& f) { return f.emin() - f.fraction_bits; }

}  // namespace

Magnitude rounded_up(const Magnitude& x, int bits) {
  if (bits <= 0 || x == 0) return x;
  Magnitude rounded = x;
  --rounded;
  rounded >>= bits;
  ++rounded;
  rounded <<= bits;
  return rounded;
}

int leading_bit(const Magnitude& x) { return x == 0 ? 0 : static_cast<int>(boost::multiprecision::msb(x)); }

OperandRanges::OperandRanges(const Plan& plan, const Box& box)
    : plan_(plan),
      box_(box),
      // One bit more, for what lies in the middle between two results.
      unit_(std::min({plan.lowest_bit(), finest(plan.a), finest(plan.b), finest(plan.d)}) - 1) {}

Magnitude OperandRanges::scaled(std::uint64_t significand, int exponent) const {
  return Magnitude(significand) << (exponent - unit_);
}
Magnitude OperandRanges::largest_of(const FormatInfo& f) const {
  return scaled(f.largest_significand(), f.emax() - f.fraction_bits);
}
Magnitude OperandRanges::largest_of(const FormatInfo& f, int fraction_bits) const {
  const int dropped = std::max(0, f.fraction_bits - fraction_bits);
  return scaled(f.largest_significand() >> dropped << dropped, f.emax() - f.fraction_bits);
}
bool OperandRanges::is_flushed(Parameter subnormals) const {
  return !box_[subnormals].contains(static_cast<int>(Subnormals::kept));
}
Magnitude OperandRanges::below_two(int fraction_bits) {
  return ((Magnitude(2) << fraction_bits) - 1) << (kBelowE - fraction_bits);
}
/// What comes from a container and is computed in the format f.
OperandRange OperandRanges::operand(const Container& from, const FormatInfo& f, Parameter subnormals) const {
  const bool flushed = is_flushed(subnormals);
  OperandRange range{largest_of(f),
                     f.emax(),
                     f.emin(),
                     finest(f),
                     flushed ? f.emin() : finest(f),
                     f.fraction_bits,
                     below_two(f.fraction_bits),
                     flushed ? std::nullopt : std::optional(f.emin())};
  if (from.conversion != Conversion::exact) return range;
  // What is subnormal in the container may be a normal number here. The largest number is the container's:
  // f has only the bits that its numbers need.
  range.largest = largest_of(from.format);
  range.largest_exponent = std::max(f.emin(), std::min(range.largest_exponent, from.format.emax()));
  range.lowest_exponent = std::max(range.lowest_exponent, finest(from.format));
  range.lowest_bit = std::max(range.lowest_bit, finest(from.format));
  range.smallest = std::max(range.smallest, finest(from.format));
  return range;
}
OperandRange OperandRanges::product(const PlannedNode& node) const {
  const OperandRange a = operand(plan_.from_a, plan_.a, Parameter::input_subnormals);
  const OperandRange b = operand(plan_.from_b, plan_.b, Parameter::input_subnormals);
  const Magnitude exact = a.largest * b.largest;  // in units of 2^(2 unit)
  const int smallest = a.smallest + b.smallest;
  const bool unnormalised = is_only_at(node, box_, Parameter::product, ProductKind::exact_unnormalised);
  const bool normalised = is_only_at(node, box_, Parameter::product, ProductKind::exact_normalised);
  // A normalised product of 2 or more has its exponent one up.
  const int one_up = unnormalised ? 0 : 1;
  const int fraction_bits = a.fraction_bits + b.fraction_bits + 1;
  const Magnitude largest = (a.largest_of_e * b.largest_of_e) >> kBelowE;
  OperandRange range{unit_ < 0 ? Magnitude(exact >> -unit_) : Magnitude(exact << unit_),
                     a.largest_exponent + b.largest_exponent + one_up,
                     unnormalised ? a.lowest_exponent + b.lowest_exponent : smallest,
                     a.lowest_bit + b.lowest_bit,
                     smallest,
                     fraction_bits,
                     normalised ? below_two(fraction_bits) : largest};
  range.bits_below_e = fraction_bits - 1 + one_up;
  range.kind = OperandKind::product;
  range.product = ProductOf{{plan_.a.fraction_bits + 1, plan_.b.fraction_bits + 1}};
  if (plan_.scales_products()) {  // by powers of two
    const int low = plan_.scales.lowest(), high = plan_.scales.highest();
    range.largest <<= high;
    range.largest_exponent += high;
    range.lowest_exponent += low;
    range.lowest_bit += low;
    range.smallest += low;
  }
  if (normalised || is_flushed(Parameter::input_subnormals)) return range;
  range.below_e = plan_.a.fraction_bits + plan_.b.fraction_bits;
  // Otherwise it isn't known below which exponent both are subnormal; with scales both may be at any.
  range.below_e_of_one = unnormalised && !plan_.scales_products()
                             ? std::max(plan_.a.fraction_bits, plan_.b.fraction_bits)
                             : range.below_e;
  range.highest_e_of_subnormal =
      std::max(plan_.a.emin() + b.largest_exponent, a.largest_exponent + plan_.b.emin()) +
      (plan_.scales_products() ? plan_.scales.highest() : 0);
  return range;
}
/// Times the largest significands that scales have, rounded up.
Magnitude OperandRanges::times_largest_scales(Magnitude sum) const {
  for (const auto& role : {plan_.scales.a, plan_.scales.b}) {
    if (!role) continue;
    const int bits = role->format.fraction_bits;
    sum = rounded_up(sum * ((Magnitude(2) << bits) - 1), bits) >> bits;
  }
  return sum;
}
OperandRange OperandRanges::scaled_sum(const PlannedNode& node) const {
  const OperandRange a = operand(plan_.from_a, plan_.a, Parameter::input_subnormals);
  const OperandRange b = operand(plan_.from_b, plan_.b, Parameter::input_subnormals);
  const int low = plan_.scales.lowest(), high = plan_.scales.highest();
  // In units of 2^(2 unit).
  const Magnitude sum = times_largest_scales(a.largest * b.largest * node.products);
  const auto in_units_of = [&](int exponent) {
    const int up = 2 * unit_ - exponent;
    return up >= 0 ? Magnitude(sum << up) : rounded_up(sum, -up) >> -up;
  };
  const int bits = plan_.scaled_fraction_bits();
  const Magnitude largest = in_units_of(unit_ - high);
  const int most_bits = std::max(high, leading_bit(largest) + unit_) - (low - bits);
  OperandRange range{largest, high, low, low - bits, low - bits, most_bits, in_units_of(-kBelowE)};
  range.bits_below_e = bits;
  range.beside_scale = BesideScale{node.first_product(), bits, 0, range.largest_of_e};
  range.kind = OperandKind::carried;
  return range;
}
OperandRange OperandRanges::c() const { return operand(plan_.from_c, plan_.c, Parameter::c_subnormals); }

}  // namespace mmaprint
