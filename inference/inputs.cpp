#include "inference/inputs.h"

#include <algorithm>

#include "model/pattern.h"
#include "model/wide.h"

namespace mmaprint {

InputGenerator::InputGenerator(int k, const Signature& formats, std::uint64_t seed)
    : RandomDraws(seed),
      k_(k),
      a_(info(formats.a)),
      b_(info(formats.b)),
      c_(formats.c ? std::optional(info(*formats.c)) : std::nullopt),
      d_(info(formats.d)),
      scales_(formats, seed + 1) {}

Pattern InputGenerator::operand(const FormatInfo& f, bool negative, int exponent, Fraction kind) {
  const Pattern all = (Pattern{1} << f.fraction_bits) - 1;
  Pattern fraction = 0;
  switch (kind) {
    case Fraction::random:
      fraction = word() & all;
      break;
    case Fraction::sparse:
      fraction = Pattern{1} << below(f.fraction_bits);
      break;
    case Fraction::ones:
      fraction = all;
      break;
    case Fraction::leading:
      fraction = all & ~(all >> std::min(f.fraction_bits, 1 + below(3)));
      break;
    case Fraction::zero:
      break;
  }
  return nonzero_pattern(f, negative, exponent, fraction);
}

InputGenerator::Fraction InputGenerator::any_fraction() {
  constexpr Fraction kAll[] = {Fraction::random, Fraction::random, Fraction::sparse,
                               Fraction::ones,   Fraction::zero,   Fraction::leading};
  return kAll[below(6)];
}

void InputGenerator::set_product(DotInput& in, int k, bool negative, int exponent, Fraction fraction) {
  // The exponent is shared out at random, within the formats' ranges where that is possible.
  const bool deep = exponent < a_.emin() + b_.emin() || chance(10);  // with subnormals
  const int low = std::max(a_.emin() - (deep ? a_.fraction_bits : 0), exponent - b_.emax());
  const int high = std::max(low, std::min(a_.emax(), exponent - b_.emin() + (deep ? b_.fraction_bits : 0)));
  const int ea =
      chance(20) ? low + below(high - low + 1) : std::clamp(exponent / 2 - 4 + below(9), low, high);
  const auto i = static_cast<std::size_t>(k);
  in.a[i] = operand(a_, negative, ea, fraction);
  in.b[i] = operand(
      b_, chance(20), exponent - ea,
      fraction == Fraction::zero || fraction == Fraction::ones || chance(50) ? fraction : any_fraction());
  if (negative && is_negative(b_, in.b[i])) in.b[i] = negated(b_, in.b[i]);
}

void InputGenerator::set_addend(DotInput& in, bool negative, int exponent, Fraction fraction) {
  if (c_) {
    in.c = operand(*c_, negative, exponent, fraction);
    return;
  }
  // From a place on that every other input has as well.
  const int from = below(k_);
  for (int n = 0; n < k_; ++n) {
    const int k = (from + n) % k_;
    const auto i = static_cast<std::size_t>(k);
    if (in.a[i] == 0 && in.b[i] == 0) return set_product(in, k, negative, exponent, fraction);
  }
}

int InputGenerator::base_exponent() {
  const int low = a_.emin() + b_.emin();
  const int high = a_.emax() + b_.emax();
  return chance(70) ? std::clamp(below(9) - 4, low, high) : low + below(high - low + 1);
}

DotInput InputGenerator::window(int most_products) {
  constexpr int kWidths[] = {1, 2, 3, 5, 9, 17, 26, 33, 45};
  DotInput in = zeros();
  const int base = base_exponent();
  const int width = kWidths[below(9)];
  const int products = 1 + below(std::min(most_products, k_));
  const auto fraction = any_fraction();
  const int negative = below(3) * 50;
  const bool positive_b = chance(70);
  for (int n = 0; n < products; ++n) {
    const int k = products == k_ ? n : below(k_);
    set_product(in, k, chance(negative), base - below(width), chance(60) ? fraction : any_fraction());
    if (positive_b) in.b[static_cast<std::size_t>(k)] &= ~sign_pattern(b_);
  }
  if (!chance(20))
    set_addend(in, chance(50), base + below(2 * width + 2) - width,
               chance(60) ? Fraction::random : any_fraction());
  return in;
}

DotInput InputGenerator::few() {
  // One product and c, large enough that no clamp takes part.
  constexpr int kDistances[] = {1, 3, 9, 17, 26, 33, 45};
  DotInput in = zeros();
  const int base = below(std::min(9, a_.emax() + b_.emax()));
  const int width = kDistances[below(7)];
  const bool product_is_larger = chance(50);
  set_product(in, below(k_), chance(50), product_is_larger ? base : base - below(width), any_fraction());
  set_addend(in, chance(50), product_is_larger ? base - below(width) : base,
             chance(80) ? Fraction::random : any_fraction());
  return in;
}

DotInput InputGenerator::few_bits(int base) {
  // One product or two and c, of a bit or two each: few parameters have a say about what becomes of them.
  constexpr int kDistances[] = {1, 3, 9, 17, 26, 33, 45};
  DotInput in = zeros();
  const int width = kDistances[below(7)];
  const bool product_is_larger = chance(50);
  const auto fraction = [&] { return chance(50) ? Fraction::zero : Fraction::sparse; };
  const int smaller = base - below(width);
  set_product(in, below(k_), chance(50), product_is_larger ? base : smaller, fraction());
  if (chance(25)) set_product(in, below(k_), chance(50), base - below(width), fraction());
  set_addend(in, chance(50), product_is_larger ? smaller : base, fraction());
  return in;
}

DotInput InputGenerator::tie() {
  // Something half way between two results, or just representable, at any of D's bits or where its subnormals
  // end; and something far smaller beside it, which decides.
  DotInput in = zeros();
  const bool at_the_end = chance(50);
  const int half = at_the_end ? d_.emin() - d_.fraction_bits - 1 + below(3)
                              : base_exponent() - 1 - below(d_.fraction_bits + 1);
  const bool negative = chance(50);
  set_product(in, 0, negative, half, chance(80) ? Fraction::zero : any_fraction());
  if (k_ > 1)
    set_product(in, 1 + below(k_ - 1), chance(50) == negative, half - 1 - below(40),
                chance(60) ? Fraction::zero : any_fraction());
  if (!at_the_end || chance(30))
    set_addend(in, negative, half + 1 + below(d_.fraction_bits + 1), any_fraction());
  if (k_ > 2 && chance(30)) std::swap(in.a[0], in.a.back()), std::swap(in.b[0], in.b.back());
  return in;
}

DotInput InputGenerator::chained_tie() {
  // Products alone, c may join later: half of the last place of a large one, and something far below that
  // which decides. The large one's factor may be subnormal, with leading zeros that alignment counts as bits.
  if (k_ < 3) return tie();
  DotInput in = zeros();
  const int large = base_exponent();
  const int half = large - d_.fraction_bits - 1 - below(2);
  const int first = below(k_);
  const int second = (first + 1 + below(k_ - 1)) % k_;
  int third = below(k_);
  while (third == first || third == second) third = below(k_);
  const bool negative = chance(50);
  set_product(in, first, negative, half, Fraction::zero);
  set_product(in, second, negative, half - 1 - below(d_.fraction_bits), Fraction::zero);
  set_product(in, third, chance(50), large, Fraction::zero);
  const auto i = static_cast<std::size_t>(third);
  const int subnormal = a_.emin() - 1 - below(a_.fraction_bits);
  if (chance(50) && large - subnormal <= b_.emax()) {
    in.a[i] = operand(a_, chance(50), subnormal, Fraction::zero);
    in.b[i] = operand(b_, false, large - subnormal, Fraction::zero);
  }
  return in;
}

DotInput InputGenerator::cancelling() {
  DotInput in = zeros();
  const int base = base_exponent();
  const int below_base = below(46);
  const auto fraction = chance(50) ? Fraction::zero : any_fraction();
  for (int k = 0; k < k_; ++k)
    if (chance(60)) set_product(in, k, chance(25), base - below_base - below(2), fraction);
  const int i = below(k_);
  set_product(in, i, chance(50), base, any_fraction());
  const auto from = static_cast<std::size_t>(i);
  if (k_ > 1 && chance(70)) {
    const auto to = static_cast<std::size_t>((i + 1 + below(k_ - 1)) % k_);
    in.a[to] = negated(a_, in.a[from]);
    in.b[to] = in.b[from];
    if (chance(60)) set_addend(in, chance(50), base - below_base, any_fraction());
  } else {
    in.a[from] = operand(a_, chance(50), base / 2, Fraction::zero);
    in.b[from] = operand(b_, false, base - base / 2, Fraction::zero);
    set_addend(in, !is_negative(a_, in.a[from]), base, Fraction::zero);
    if (chance(30) && c_) in.c ^= Pattern{1} << c_->ignored_low_bits;
  }
  return in;
}

/// Of FP32 that is rounded to TF32 or BF16 the largest significand is not all ones, which are rounded to two.
/// All products from a multiple of four on, as blocks begin, have it; what comes to the block from before is
/// smaller, so that it does not raise E.
DotInput InputGenerator::carrying_converted() {
  DotInput in = zeros();
  const int base = base_exponent();
  const bool negative = chance(50);
  const Format computed = chance(50) ? Format::tf32 : Format::bf16;
  const Pattern dropped = low_ones<Pattern>(a_.fraction_bits - info(computed).fraction_bits);
  const int first = 4 * below((k_ + 3) / 4);
  for (int k = first; k < k_; ++k) {
    const auto i = static_cast<std::size_t>(k);
    set_product(in, k, negative, base, Fraction::ones);
    in.a[i] &= ~dropped;
    in.b[i] &= ~dropped & ~sign_pattern(b_);
  }
  if (first > 0) set_product(in, below(first), negative, base - 1 - below(8), any_fraction());
  if (c_ && chance(80)) set_addend(in, negative, base - below(8), any_fraction());
  return in;
}

DotInput InputGenerator::carrying() {
  if (a_.id == Format::fp32 && b_.id == Format::fp32 && chance(70)) return carrying_converted();
  DotInput in = zeros();
  const int base = base_exponent();
  const bool negative = chance(50);
  const int skip = chance(50) ? 0 : below(k_);
  for (int k = skip; k < k_; ++k) {
    set_product(in, k, negative, base, chance(85) ? Fraction::ones : Fraction::leading);
    in.b[static_cast<std::size_t>(k)] &= ~sign_pattern(b_);
  }
  if (!chance(20))
    set_addend(in, negative, base - (chance(70) ? 0 : below(30)),
               chance(70) ? Fraction::ones : Fraction::random);
  return in;
}

DotInput InputGenerator::at_the_edge() {
  // Around D's largest and smallest magnitudes, as far as operands reach.
  DotInput in = zeros();
  const bool large = chance(50);
  const int edge = large ? d_.emax() : d_.emin() - below(d_.fraction_bits + 3);
  const int base =
      std::clamp(edge - (large ? below(4) : 0), a_.emin() + b_.emin() - 2, a_.emax() + b_.emax());
  const int products = below(std::min(k_, 4) + 1);
  const bool negative = chance(50);
  for (int n = 0; n < products; ++n)
    set_product(in, below(k_), chance(80) == negative, base - below(3) * below(20), any_fraction());
  if (products == 0 || chance(80))
    set_addend(in, chance(80) == negative, edge - below(3) * below(3), any_fraction());
  return in;
}

DotInput InputGenerator::with_zeros() {
  DotInput in = zeros();
  if (chance(25)) {
    // Negative zeros throughout, or all but one.
    std::ranges::fill(in.a, zero_pattern(a_, true));
    if (c_) in.c = zero_pattern(*c_, true);
    if (chance(50)) (c_ && chance(50) ? in.c : in.a[static_cast<std::size_t>(below(k_))]) = 0;
    return in;
  }
  const int negative = below(3) * 50;
  for (std::size_t k = 0; k < in.a.size(); ++k) {
    if (chance(negative)) in.a[k] = zero_pattern(a_, true);
    if (chance(30)) in.b[k] = operand(b_, chance(negative), 0, Fraction::zero);
  }
  if (chance(negative) && c_) in.c = zero_pattern(*c_, true);
  if (chance(40)) {
    const int base = base_exponent();
    const auto i = static_cast<std::size_t>(below(k_));
    set_product(in, static_cast<int>(i), chance(50), base, Fraction::zero);
    if (chance(50))
      set_addend(in, is_negative(a_, in.a[i]) == is_negative(b_, in.b[i]), base, Fraction::zero);
  }
  return in;
}

DotInput InputGenerator::tiny() {
  // Everything far below one: what a clamp of the alignment exponent, and subnormals, would touch.
  DotInput in = zeros();
  const FormatInfo& addend = c_ ? *c_ : d_;
  const int lowest = addend.emin() - addend.fraction_bits;
  set_addend(in, chance(50), std::min(lowest + below(-lowest + 1), addend.emax()),
             chance(70) ? Fraction::random : any_fraction());
  const int products = below(3);
  for (int n = 0; n < products; ++n) {
    const int bottom = a_.emin() + b_.emin() - a_.fraction_bits;
    set_product(in, below(k_), chance(50), bottom + below(-bottom + 1), any_fraction());
  }
  return in;
}

DotInput InputGenerator::with_specials() {
  DotInput in = window(std::min(k_, 3));
  const auto i = static_cast<std::size_t>(below(k_));
  if (chance(50) && a_.has_infinity()) {
    in.a[i] = infinity_pattern(a_) | (chance(50) ? sign_pattern(a_) : 0);
    // Infinity times something subnormal shows whether that was flushed first.
    in.b[i] = chance(50) ? operand(b_, false, b_.emin() - 1, Fraction::random)
                         : operand(b_, false, 0, Fraction::random);
  } else if (c_ && c_->has_infinity()) {
    in.c = infinity_pattern(*c_) | (chance(50) ? sign_pattern(*c_) : 0);
  }
  return in;
}

DotInput InputGenerator::with_nan() {
  DotInput in = zeros();
  if (c_ && c_->has_nan())
    in.c = canonical_nan(c_->id);
  else if (a_.has_nan())
    in.a[0] = canonical_nan(a_.id);
  else if (b_.has_nan())
    in.b[0] = canonical_nan(b_.id);
  return in;
}

DotInput InputGenerator::next(InputFamily family) {
  DotInput in = without_scales(family);
  scales_(in);
  return in;
}

DotInput InputGenerator::without_scales(InputFamily family) {
  if (d_.is_integer()) return integers();
  if (family == InputFamily::few_addends) return few();
  if (family == InputFamily::few_bits) return few_bits(below(std::min(9, a_.emax() + b_.emax())));
  if (family == InputFamily::few_low_bits) {
    const int lowest = a_.emin() - a_.fraction_bits + b_.emin() - b_.fraction_bits;
    return few_bits(lowest + below(-lowest));
  }
  if (family == InputFamily::chained_ties) return chained_tie();
  if (family == InputFamily::edges) return chance(70) ? tie() : chance(50) ? tiny() : at_the_edge();
  switch (below(14)) {
    case 12:
    case 13:
      return tie();
    case 0:
    case 1:
      return window(3);
    case 2:
    case 3:
      return window(k_);
    case 4:
    case 5:
    case 6:
      return cancelling();
    case 7:
      return carrying();
    case 8:
      return at_the_edge();
    case 9:
      return with_zeros();
    case 10:
      return tiny();
    default:
      return with_specials();
  }
}

DotInput InputGenerator::mutated(const DotInput& input) {
  DotInput in = input;
  if (!in.sa.empty() || !in.sb.empty()) scales_.change(in);
  for (int changes = 1 + below(3); changes > 0; --changes) {
    const auto i = static_cast<std::size_t>(below(k_));
    const int which = below(c_ ? 5 : 4);
    Pattern& p = which < 2 ? in.a[i] : which < 4 ? in.b[i] : in.c;
    const FormatInfo& f = which < 2 ? a_ : which < 4 ? b_ : *c_;
    switch (below(5)) {
      case 0:
        p ^= sign_pattern(f);
        break;
      case 1:
        p ^= (Pattern{1} << below(f.fraction_bits)) << f.ignored_low_bits;
        break;
      case 2:
        p += (Pattern{1} << f.fraction_bits) << f.ignored_low_bits;
        break;
      case 3:
        p -= (Pattern{1} << f.fraction_bits) << f.ignored_low_bits;
        break;
      default:
        p = chance(50) ? 0 : in.a.size() > 1 && which < 2 ? in.a[static_cast<std::size_t>(below(k_))] : p;
    }
    p &= f.pattern_mask();
  }
  return in;
}

}  // namespace mmaprint
