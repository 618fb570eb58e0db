// A number is taken apart from its leading bits on: an operand takes as many of them as its format holds,
// what is left goes to the next one. Rounded to nearest, a piece may be larger than the number: 2 - 2^-15 is
// two numbers of one bit each. A result of an earlier node is such a piece, and is taken apart below it.
#include "solver/summands.h"

#include <algorithm>
#include <bit>
#include <vector>

#include "base/scramble.h"
#include "model/value.h"
#include "solver/product_lemmas.h"

namespace mmaprint {
namespace {

std::uint64_t magnitude(std::int64_t x) {
  return x < 0 ? -static_cast<std::uint64_t>(x) : static_cast<std::uint64_t>(x);
}
std::int64_t with_sign(std::uint64_t x, bool negative) {
  return negative ? -static_cast<std::int64_t>(x) : static_cast<std::int64_t>(x);
}
int length(std::uint64_t x) { return static_cast<int>(std::bit_width(x)); }

/// The leading bits.
std::int64_t leading_bits(std::int64_t x, int bits, bool to_nearest) {
  const std::uint64_t all = magnitude(x);
  const int dropped = length(all) - bits;
  if (dropped <= 0) return x;
  std::uint64_t kept = all >> dropped;
  if (to_nearest) kept += all >> (dropped - 1) & 1U;
  return with_sign(kept << dropped, x < 0);
}

/// The pattern of a number; nullopt if the format has none, nor if it is subnormal where those are flushed.
std::optional<Pattern> pattern_of(const FormatInfo& f, bool has_subnormals, Dyadic x) {
  if (x.number == 0 || (x.number < 0 && !f.has_sign)) return std::nullopt;
  const std::uint64_t all = magnitude(x.number);
  const int zeros = std::countr_zero(all);
  const std::uint64_t odd = all >> zeros;
  const int lowest = x.exponent + zeros, leading = lowest + length(odd) - 1;
  if (leading > f.emax() || (!has_subnormals && leading < f.emin())) return std::nullopt;
  if (length(odd) > f.fraction_bits + 1 || lowest < f.emin() - f.fraction_bits) return std::nullopt;
  const std::uint64_t at_hidden_bit = odd << (f.fraction_bits + 1 - length(odd));
  if (leading == f.emax() && at_hidden_bit > f.largest_significand()) return std::nullopt;
  return floating_pattern(f, x.number < 0, leading, at_hidden_bit);
}

/// Of a significand in a container whose numbers are converted to a format.
int bits_of(const FormatInfo& container, const FormatInfo& f) {
  return std::min(container.fraction_bits, f.fraction_bits) + 1;
}

/// A word of so many bits, all of them known.
KnownBits known(std::uint64_t word, int bits) { return {(std::uint64_t{1} << bits) - 1, word}; }

/// Two factors of at most so many bits; nullopt for what has none, or too many bits to be searched.
std::optional<FactorPair> factors(std::uint64_t x, const FactorWidths& widths) {
  if (length(x) <= widths.x) return FactorPair{x, 1};
  if (length(x) > widths.x + widths.y || widths.x + widths.y > kMostBitsOfFactors) return std::nullopt;
  std::int64_t tried = 0;
  return find_factors({{}, {}, known(x, widths.x + widths.y)}, widths, tried);
}

}  // namespace

std::optional<Dyadic> dyadic(Format format, Pattern pattern) {
  const Value x = decode(format, pattern);
  if (x.nan || x.infinite || length(x.significand) > 62) return std::nullopt;
  const int zeros = x.significand == 0 ? 0 : std::countr_zero(x.significand);
  return Dyadic{with_sign(x.significand >> zeros, x.negative),
                x.exponent - info(format).fraction_bits + zeros};
}

std::vector<Leaf> Summands::leaves_of(std::size_t node, std::optional<std::size_t> but,
                                      const Cut& cut) const {
  std::vector<Leaf> leaves = model_.tree.nodes[node].operands;
  if (but) leaves.erase(leaves.begin() + static_cast<std::ptrdiff_t>(*but));
  if (cut.from_last) std::ranges::reverse(leaves);
  std::ranges::stable_partition(
      leaves, [&](const Leaf& leaf) { return std::holds_alternative<CLeaf>(leaf) != cut.c_at_last; });
  return leaves;
}

Dyadic Summands::add(Dyadic sum, std::size_t node, std::optional<std::size_t> but, const Cut& cut,
                     DotInput& input) const {
  for (const Leaf& leaf : leaves_of(node, but, cut)) {
    if (sum.number == 0) break;
    sum.number -= by(leaf, sum, cut, input);
  }
  return sum;
}

bool Summands::add_pair(Dyadic x, Dyadic y, std::size_t node, const Cut& cut, DotInput& input) const {
  for (const Leaf& leaf : leaves_of(node, std::nullopt, cut)) {
    Dyadic& next = x.number != 0 ? x : y;
    if (next.number == 0) break;
    if (by(leaf, next, cut, input) == next.number) next.number = 0;
  }
  return x.number == 0 && y.number == 0;
}

std::int64_t Summands::by(const Leaf& leaf, Dyadic sum, const Cut& cut, DotInput& input) const {
  if (const auto* product = std::get_if<ProductLeaf>(&leaf))
    return by_product(static_cast<std::size_t>(product->index), sum, cut, input);
  if (std::holds_alternative<CLeaf>(leaf)) return by_c(sum, cut, input);
  if (const auto* earlier = std::get_if<NodeLeaf>(&leaf))
    return by_node(static_cast<std::size_t>(earlier->node), sum, cut, input);
  return 0;
}

std::int64_t Summands::by_product(std::size_t k, Dyadic sum, const Cut& cut, DotInput& input) const {
  // Patterns are the containers'; they hold what the format has that they are converted to.
  const FormatInfo &fa = info(model_.formats.a), &fb = info(model_.formats.b);
  const int bits_a = bits_of(fa, plan_.a), bits_b = bits_of(fb, plan_.b);
  const bool has_subnormals = model_.conventions.input_subnormals == Subnormals::kept;
  const auto set = [&](std::int64_t piece) {
    const int zeros = std::countr_zero(magnitude(piece));
    const auto parts = factors(magnitude(piece) >> zeros, {bits_a, bits_b});
    if (!parts) return false;
    const int exponent = sum.exponent + zeros;
    const int leading_a = length(parts->x) - 1, leading_b = length(parts->y) - 1;
    // Normal factors where there are such, each about as large as the other.
    const int low = std::max(fb.emin() - leading_b, exponent + leading_a - fa.emax());
    const int high = std::min(fb.emax() - leading_b, exponent + leading_a - fa.emin());
    const int finest_a = fa.emin() - fa.fraction_bits;
    const int eb = low > high ? std::min(low, exponent - finest_a) : std::clamp(exponent / 2, low, high);
    const auto a =
        pattern_of(fa, has_subnormals, {with_sign(parts->x, piece < 0 && fa.has_sign), exponent - eb});
    const auto b = pattern_of(fb, has_subnormals, {with_sign(parts->y, piece < 0 && !fa.has_sign), eb});
    if (!a || !b) return false;
    input.a[k] = *a;
    input.b[k] = *b;
    return true;
  };
  if (set(sum.number)) return sum.number;
  const std::int64_t piece = leading_bits(sum.number, bits_a, cut.to_nearest);
  return set(piece) ? piece : 0;
}

std::int64_t Summands::by_c(Dyadic sum, const Cut& cut, DotInput& input) const {
  const FormatInfo& f = info(*model_.formats.c);
  const std::int64_t piece = leading_bits(sum.number, bits_of(f, plan_.c), cut.to_nearest);
  const bool has_subnormals = model_.conventions.c_subnormals == Subnormals::kept;
  const auto c = pattern_of(f, has_subnormals, {piece, sum.exponent});
  if (!c) return 0;
  input.c = *c;
  return piece;
}

std::int64_t Summands::by_node(std::size_t node, Dyadic sum, const Cut& cut, DotInput& input) const {
  const Adder& adder = model_.adders[static_cast<std::size_t>(plan_.nodes[node].adder)];
  const int bits = std::min(adder.output_fraction_bits, plan_.nodes[node].result.fraction_bits) + 1;
  const std::int64_t piece =
      plan_.nodes[node].is_carried ? sum.number : leading_bits(sum.number, bits, cut.to_nearest);
  return piece - add({piece, sum.exponent}, node, std::nullopt, cut, input).number;
}

namespace {

/// A significand with its highest bit, and whatever others.
std::uint64_t any_significand(const FormatInfo& f, std::uint64_t random) {
  const std::uint64_t hidden = std::uint64_t{1} << f.fraction_bits;
  return hidden | (scrambled(random) & (hidden - 1));
}

/// Two such of a product; nullopt where it has none.
std::optional<FactorPair> significands_of(std::uint64_t product, const FormatInfo& fa, const FormatInfo& fb) {
  const FactorWidths widths{fa.fraction_bits + 1, fb.fraction_bits + 1};
  const std::uint64_t hidden_a = std::uint64_t{1} << fa.fraction_bits;
  const std::uint64_t hidden_b = std::uint64_t{1} << fb.fraction_bits;
  if (length(product) > widths.x + widths.y) return std::nullopt;
  std::int64_t tried = 0;
  return find_factors({{hidden_a, hidden_a}, {hidden_b, hidden_b}, known(product, widths.x + widths.y)},
                      widths, tried);
}

}  // namespace

bool cancel_to(Dyadic sum, const Signature& formats, const Node& node, std::uint64_t seed, DotInput& input) {
  constexpr int kTries = 32;
  const FormatInfo &fa = info(formats.a), &fb = info(formats.b);
  if (!fa.has_sign || fa.fraction_bits + fb.fraction_bits + 2 > kMostBitsOfFactors || sum.number == 0)
    return false;
  // In units of the last place of products of normal factors with the least exponents.
  const int up = sum.exponent - (fa.emin() - fa.fraction_bits + fb.emin() - fb.fraction_bits);
  const std::uint64_t all = magnitude(sum.number);
  if (up < 0 || up + length(all) > fa.fraction_bits + fb.fraction_bits) return false;
  const std::uint64_t units = all << up;
  std::vector<std::size_t> products;
  for (const Leaf& leaf : node.operands)
    if (const auto* product = std::get_if<ProductLeaf>(&leaf))
      products.push_back(static_cast<std::size_t>(product->index));
  if (products.size() < 2) return false;
  const auto set = [&](std::size_t k, bool negative, std::uint64_t a, std::uint64_t b) {
    input.a[k] = floating_pattern(fa, negative, fa.emin(), a);
    input.b[k] = floating_pattern(fb, false, fb.emin(), b);
  };
  for (int i = 0; i < kTries; ++i) {
    const std::uint64_t key = seed * kTries + static_cast<std::uint64_t>(i);
    const std::uint64_t a = any_significand(fa, 2 * key), b = any_significand(fb, 2 * key + 1);
    const auto larger = significands_of(a * b + units, fa, fb);
    if (!larger) continue;
    set(products[0], sum.number < 0, larger->x, larger->y);
    set(products[1], sum.number > 0, a, b);
    return true;
  }
  return false;
}

}  // namespace mmaprint
