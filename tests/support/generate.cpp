#include "support/generate.h"

#include <algorithm>
#include <bit>

#include "model/pattern.h"

namespace mmaprint::test {
namespace {

Pattern low_bits(int n) { return n >= 64 ? ~Pattern{0} : (Pattern{1} << n) - 1; }

// Which fractions an input's operands have.
enum class Fractions : std::uint8_t { any, sparse, ones, mixed };

Pattern random_fraction(Random& random, int width, Fractions fractions) {
  if (fractions == Fractions::mixed)
    fractions = random.pick({Fractions::any, Fractions::sparse, Fractions::ones});
  const auto one_bit = [&] { return width == 0 ? 0 : Pattern{1} << random.between(0, width - 1); };
  switch (fractions) {
    case Fractions::any:
      return random.bits() & low_bits(width);
    case Fractions::sparse:
      return random.chance(1, 3) ? 0 : random.chance(1, 2) ? one_bit() : one_bit() | one_bit();
    default:
      return (low_bits(width) << random.between(0, width)) & low_bits(width);
  }
}

// A finite number of exponent e, as far as the format reaches; e = emin - 1 stands for subnormals.
Pattern finite(Random& random, const FormatInfo& f, bool negative, int e, Fractions fractions) {
  const int stored = std::clamp(e, f.emin() - 1, f.emax()) - f.emin() + 1;
  const int top = (1 << f.exponent_bits) - 1;
  Pattern fraction = random_fraction(random, f.fraction_bits, fractions);
  if (f.specials == Specials::nan_only && stored == top)
    fraction = std::min(fraction, low_bits(f.fraction_bits) - 1);
  if (f.specials == Specials::nan_at_zero && stored == 0 && fraction == 0) negative = false;
  const Pattern ignored = random.bits() & low_bits(f.ignored_low_bits);
  const Pattern magnitude = static_cast<Pattern>(stored) << f.fraction_bits | fraction;
  const Pattern sign = f.has_sign && negative ? Pattern{1} << f.sign_bit() : 0;
  return sign | magnitude << f.ignored_low_bits | ignored;
}

Pattern random_zero(Random& random, const FormatInfo& f) {
  const bool negative = f.has_sign && f.specials != Specials::nan_at_zero && random.chance(1, 2);
  return negative ? Pattern{1} << f.sign_bit() : 0;
}

// Infinity or some NaN where there is one, else anything.
Pattern random_special(Random& random, const FormatInfo& f) {
  if (f.specials != Specials::ieee)
    return f.has_nan() ? canonical_nan(f.id) : random.bits() & f.pattern_mask();
  const Pattern fraction =
      random.chance(2, 3) ? 0 : random_fraction(random, f.fraction_bits, Fractions::mixed);
  const Pattern magnitude = low_bits(f.exponent_bits) << f.fraction_bits | fraction;
  const Pattern sign = random.chance(1, 2) ? Pattern{1} << f.sign_bit() : 0;
  return sign | magnitude << f.ignored_low_bits | (random.bits() & low_bits(f.ignored_low_bits));
}

// What the operands of one input have in common.
struct Theme {
  int product_exponent, c_exponent, spread;
  Fractions fractions;
  int zeros_of_8;  // how many operands in eight are zero
};

Theme random_theme(Random& random, const UnitModel& model) {
  const FormatInfo &a = info(model.formats.a), &b = info(model.formats.b),
                   &c = info(room_for_c(model.formats)), &d = info(model.formats.d);
  const Adder& adder = model.adders.front();
  const int lowest = a.emin() + b.emin(), highest = a.emax() + b.emax();
  const int kept = adder.alignment_fraction_bits.value_or(d.fraction_bits);
  int centre = 0;
  switch (random.between(0, 7)) {
    case 0:
      centre = random.between(lowest, highest);
      break;
    case 1:
      centre = random.between(d.emax() - 4, d.emax() + 2);
      break;
    case 2:
      centre = random.between(d.emin() - adder.output_fraction_bits - 3, d.emin() + 3);
      break;
    case 3:
      centre = adder.minimum_alignment_exponent.value_or(0) + random.between(-3, 3);
      break;
    case 4:
      centre = adder.minimum_alignment_exponent.value_or(lowest) - random.between(0, kept + 2);
      break;
    case 5:
      centre = std::clamp(random.between(c.emin(), c.emax()), lowest, highest);
      break;
    default:
      centre = random.between(-3, 3);
      break;
  }
  Theme theme{};
  theme.product_exponent = std::clamp(centre, lowest, highest);
  theme.spread = random.pick({0, 0, 1, 2, 4, 9, kept, kept + 3, 40});
  switch (random.between(0, 4)) {
    case 0:
      theme.c_exponent = theme.product_exponent + random.between(kept - 2, kept + 3);
      break;
    case 1:
      theme.c_exponent = theme.product_exponent - random.between(kept - 2, kept + 3);
      break;
    case 2:
      theme.c_exponent = random.between(c.emin() - 1, c.emax());
      break;
    default:
      theme.c_exponent = theme.product_exponent + random.between(-3, 4);
      break;
  }
  theme.fractions = random.pick({Fractions::any, Fractions::sparse, Fractions::mixed, Fractions::mixed});
  theme.zeros_of_8 = random.pick({0, 0, 0, 0, 1, 1, 4, 7});
  return theme;
}

// A product's factors, their exponents adding up to about the theme's.
void draw_factors(Random& random, const FormatInfo& fa, const FormatInfo& fb, const Theme& theme, Pattern& a,
                  Pattern& b) {
  if (random.chance(theme.zeros_of_8, 8)) {
    a = random_zero(random, fa);
    b = random.chance(1, 2)
            ? random_zero(random, fb)
            : finite(random, fb, random.chance(1, 2), random.between(fb.emin(), fb.emax()), theme.fractions);
    if (random.chance(1, 2) && fa.id == fb.id) std::swap(a, b);
    return;
  }
  const int wanted = theme.product_exponent - random.between(0, theme.spread);
  const int e = std::clamp(wanted, fa.emin() + fb.emin(), fa.emax() + fb.emax());
  int ea = random.between(std::max(fa.emin(), e - fb.emax()), std::min(fa.emax(), e - fb.emin()));
  int eb = e - ea;
  if (ea == fa.emin() && random.chance(1, 2)) --ea;  // subnormals: the same exponent, no hidden bit
  if (eb == fb.emin() && random.chance(1, 2)) --eb;
  a = finite(random, fa, random.chance(1, 2), ea, theme.fractions);
  b = finite(random, fb, random.chance(1, 2), eb, theme.fractions);
}

// Makes c the exact negation of product i, if its format can hold that. The second factor becomes a power of
// two.
void cancel_with_c(Random& random, const UnitModel& model, DotInput& input, std::size_t i) {
  const FormatInfo &fa = info(model.formats.a), &fb = info(model.formats.b),
                   &fc = info(model.formats.c.value());
  if (fc.fraction_bits < fa.fraction_bits || fc.ignored_low_bits != 0 || !fc.has_sign) return;
  const Pattern bits = input.a[i] >> fa.ignored_low_bits;
  const int stored = static_cast<int>((bits >> fa.fraction_bits) & low_bits(fa.exponent_bits));
  if (stored == 0 || is_nan(fa.id, input.a[i]) || is_infinite(fa.id, input.a[i])) return;
  const int eb = random.between(std::max(fb.emin(), -3), std::min(fb.emax(), 3));
  const int ec = stored - fa.bias + eb;
  if (ec < fc.emin() || ec > fc.emax()) return;
  input.b[i] = static_cast<Pattern>(eb + fb.bias) << fb.fraction_bits << fb.ignored_low_bits;
  const Pattern fraction = (bits & low_bits(fa.fraction_bits)) << (fc.fraction_bits - fa.fraction_bits);
  const bool negative = fa.has_sign && ((input.a[i] >> fa.sign_bit()) & 1) != 0;
  input.c = (negative ? 0 : Pattern{1} << fc.sign_bit()) |
            static_cast<Pattern>(ec + fc.bias) << fc.fraction_bits | fraction;
}

/// Where there is no c it is to be left out.
DotInput random_input_with_c(Random& random, const UnitModel& model) {
  const FormatInfo &fa = info(model.formats.a), &fb = info(model.formats.b),
                   &fc = info(room_for_c(model.formats));
  const auto k = static_cast<std::size_t>(model.k);
  DotInput input{std::vector<Pattern>(k), std::vector<Pattern>(k), 0};
  if (random.chance(1, 24)) {  // uniform bits; in many formats mostly NaN
    for (Pattern& a : input.a) a = random.bits() & fa.pattern_mask();
    for (Pattern& b : input.b) b = random.bits() & fb.pattern_mask();
    input.c = random.bits() & fc.pattern_mask();
    return input;
  }
  Theme theme = random_theme(random, model);
  const bool all_zero = random.chance(1, 32);
  if (all_zero) theme.zeros_of_8 = 8;
  for (std::size_t i = 0; i < k; ++i) draw_factors(random, fa, fb, theme, input.a[i], input.b[i]);
  input.c = random.chance(theme.zeros_of_8, 8)
                ? random_zero(random, fc)
                : finite(random, fc, random.chance(1, 2), theme.c_exponent, theme.fractions);
  if (all_zero) return input;

  const auto any_index = [&] { return static_cast<std::size_t>(random.between(0, model.k - 1)); };
  if (random.chance(1, 4)) {  // one sign: sums that carry and overflow
    for (std::size_t i = 0; i < k; ++i) {
      if (fa.has_sign && fa.specials != Specials::nan_at_zero) input.a[i] &= ~(Pattern{1} << fa.sign_bit());
      if (fb.has_sign && fb.specials != Specials::nan_at_zero) input.b[i] &= ~(Pattern{1} << fb.sign_bit());
    }
  }
  for (int pairs = random.chance(1, 3) ? random.between(1, std::max(1, model.k / 2)) : 0; pairs > 0;
       --pairs) {
    const std::size_t i = any_index(), j = any_index();
    if (i == j) continue;
    input.a[i] = negated(fa, input.a[j]);
    input.b[i] = input.b[j];
    if (random.chance(1, 4)) input.b[i] ^= Pattern{1} << fb.ignored_low_bits;
  }
  if (random.chance(1, 6) && model.formats.c) cancel_with_c(random, model, input, any_index());
  if (random.chance(1, 40)) input.a[any_index()] = random_special(random, fa);
  if (random.chance(1, 40))
    input.b[any_index()] = random.chance(1, 2) ? random_special(random, fb) : random_zero(random, fb);
  if (random.chance(1, 60)) input.c = random_special(random, fc);
  return input;
}

}  // namespace

Signature random_formats(Random& random) {
  using enum Format;
  const auto factor = [&] {
    return random.pick(
        {fp16, fp16, fp16, bf16, bf16, tf32, e4m3, e5m2, e4m3fnuz, e5m2fnuz, e3m2, e2m3, e2m1, fp32, fp64});
  };
  Signature formats{};
  formats.a = factor();
  formats.b = random.chance(4, 5) ? formats.a : factor();
  const bool wide = formats.a == fp64 || formats.b == fp64;
  formats.d = wide && random.chance(3, 4) ? fp64 : random.pick({fp32, fp32, fp32, fp16, fp16, bf16, fp64});
  formats.c = random.chance(4, 5) ? formats.d : random.pick({fp32, fp16, bf16, fp64});
  return formats;
}

namespace {

/// Those drawn below with care for where units differ; any other has any value that is searched, and a rare
/// one mostly the usual one.
constexpr bool is_drawn_with_care(Parameter p) { return p <= Parameter::zero_flushed; }

void draw_others(Random& random, Format d, Scope scope, Adder& adder, Conventions& conventions) {
  for (const ParameterInfo& row : all_parameters()) {
    if (row.scope != scope || (is_drawn_with_care(row.id) && !row.is_newer)) continue;
    if (row.is_newer && random.chance(3, 4)) continue;
    const auto all = row.searched_at_last({d, d, d, d}).values();
    row.set(adder, conventions, random.pick(std::span<const int>(all)));
  }
}

}  // namespace

Adder random_adder(Random& random, Format d) {
  const int fraction_bits = info(d).fraction_bits;
  Adder adder;
  adder.product = random.pick({ProductKind::exact_unnormalised, ProductKind::exact_normalised});
  if (random.chance(1, 2)) {
    const int near_emin = info(d).emin() + random.between(-fraction_bits - 4, 4);
    adder.minimum_alignment_exponent = random.chance(1, 3)   ? random.between(kLowestClamp, 0)
                                       : random.chance(1, 2) ? std::clamp(near_emin, kLowestClamp, 0)
                                                             : random.between(-30, 0);
  }
  switch (random.between(0, 7)) {
    case 0:
      break;
    case 1:
    case 2:
    case 3:
    case 4:
      adder.alignment_fraction_bits = fraction_bits + random.between(-2, 4);
      break;
    case 5:
      adder.alignment_fraction_bits = random.between(0, 5);
      break;
    default:
      adder.alignment_fraction_bits = random.between(0, 40);
      break;
  }
  using enum AlignmentRounding;
  adder.alignment_rounding = random.pick({truncate, truncate, floor, nearest_even, sticky});
  adder.normalisation = random.chance(2, 3) ? Normalisation::late : Normalisation::immediate;
  if (random.chance(1, 2)) adder.extra_carry_bits = random.between(0, kLargestCarry);
  adder.rounding = static_cast<Rounding>(random.between(0, 5));
  adder.output_fraction_bits = random.chance(1, 2) ? fraction_bits : random.between(1, fraction_bits);
  Conventions none;
  draw_others(random, d, Scope::adder, adder, none);
  return adder;
}

Conventions random_conventions(Random& random) {
  const auto subnormals = [&] { return random.chance(2, 3) ? Subnormals::kept : Subnormals::flushed; };
  const auto sign = [&] { return random.pick({ZeroSign::positive, ZeroSign::follow}); };
  Conventions conventions;
  conventions.input_subnormals = subnormals();
  conventions.c_subnormals = subnormals();
  conventions.output_subnormals = subnormals();
  conventions.overflow = random.pick({Overflow::infinity, Overflow::saturate, Overflow::by_direction});
  conventions.zero_sign = {sign(), sign(), sign(), sign()};
  Adder none;
  draw_others(random, Format::fp32, Scope::unit, none, conventions);
  return conventions;
}

ChainParameters random_values(Random& random, Format d) {
  ChainParameters values;
  values.block = random_adder(random, d);
  values.final_rounding = static_cast<Rounding>(random.between(0, 5));
  values.conventions = random_conventions(random);
  return values;
}

Chain random_chain(Random& random, int k, CEnters c_enters) {
  const int width = random.between(1, k);
  const int blocks = (k + width - 1) / width;
  const int group = random.between(1, width);
  const int kind = random.between(0, 2);
  Chain chain{std::vector<std::vector<int>>(static_cast<std::size_t>(blocks)), c_enters};
  for (int i = 0; i < k; ++i) {
    const int block = kind == 0 ? i / width : kind == 1 ? i % blocks : i / group % blocks;
    chain.blocks[static_cast<std::size_t>(block)].push_back(i);
  }
  std::erase_if(chain.blocks, [](const std::vector<int>& block) { return block.empty(); });
  if (random.chance(1, 3)) std::ranges::reverse(chain.blocks);
  return chain;
}

Tree random_tree(Random& random, int k, int adders) {
  std::vector<Leaf> loose{CLeaf{}};
  for (int i = 0; i < k; ++i) loose.emplace_back(ProductLeaf{i});
  Tree tree;
  const auto take = [&] {
    const auto i = static_cast<std::size_t>(random.between(0, static_cast<int>(loose.size()) - 1));
    const Leaf leaf = loose[i];
    loose.erase(loose.begin() + static_cast<std::ptrdiff_t>(i));
    return leaf;
  };
  while (loose.size() > 1 || tree.nodes.empty()) {
    Node node;
    node.adder = random.between(0, adders - 1);
    const int operands = random.between(2, std::max(2, static_cast<int>(loose.size())));
    if (random.chance(1, 8)) node.operands.emplace_back(ZeroLeaf{});
    for (int i = 0; i < operands && !loose.empty(); ++i) node.operands.push_back(take());
    loose.emplace_back(NodeLeaf{static_cast<int>(tree.nodes.size())});
    tree.nodes.push_back(std::move(node));
  }
  return tree;
}

Pattern random_nan(Random& random, Format format) {
  const FormatInfo& f = info(format);
  if (f.specials != Specials::ieee || random.chance(1, 2)) return canonical_nan(format);
  const Pattern fraction =
      (random.bits() & low_bits(f.fraction_bits)) | Pattern{1} << random.between(0, f.fraction_bits - 1);
  const Pattern sign = random.chance(1, 2) ? Pattern{1} << f.sign_bit() : 0;
  return sign | (low_bits(f.exponent_bits) << f.fraction_bits | fraction) << f.ignored_low_bits;
}

void draw_scales(Random& random, const Signature& formats, DotInput& input) {
  const int spread = random.pick({0, 0, 1, 4, 30, 300});
  const int from = random.chance(1, 4) ? random.between(-100, 100) : 0;
  for (const auto& [role, format, count] : input_roles(formats, static_cast<int>(input.a.size()))) {
    if (role != Role::sa && role != Role::sb) continue;
    const FormatInfo& f = info(format);
    const int turned = role == Role::sb && random.chance(1, 2) ? -from : from;
    for (std::size_t i = 0; i < count; ++i) {
      const int exponent = std::clamp(turned + random.between(-spread, spread), f.emin(), f.emax());
      const Pattern p = static_cast<Pattern>(exponent + f.bias) << f.fraction_bits;
      const Pattern digits = (Pattern{1} << f.fraction_bits) - 1;
      const Pattern drawn = spread == 300 ? random.bits() : spread == 0 ? p : p | (random.bits() & digits);
      (role == Role::sa ? input.sa : input.sb).push_back(drawn & f.pattern_mask());
    }
  }
}

DotInput random_input(Random& random, const UnitModel& model) {
  DotInput input = random_input_with_c(random, model);
  if (!model.formats.c) input.c = 0;
  if (model.formats.has_scales()) draw_scales(random, model.formats, input);
  return input;
}

UnitModel without_c(UnitModel model) {
  for (Node& node : model.tree.nodes) {
    std::erase(node.operands, Leaf(CLeaf{}));
    if (node.operands.empty()) node.operands.emplace_back(ZeroLeaf{});
  }
  model.formats.c.reset();
  model.paths.c.reset();
  model.conventions.c_subnormals = Subnormals::kept;
  return model;
}

}  // namespace mmaprint::test
