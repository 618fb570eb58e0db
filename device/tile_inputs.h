// Inputs of tiles: m rows of A, n columns of B and m·n values of C, each a function of a seed, the tile's
// number and the place alone, so that the host finds again what a device has made. One definition for both.
//
// A tile has a theme, so that something that uniform bits never show is likely in it: alignment over a moving
// window of exponents, cancellation, ties, carries, overflow, subnormal results, zeros, infinities and NaN.
#pragma once

#include "device/tile_elements.h"

namespace mmaprint {

enum class TileKind : std::uint8_t {
  bits,         ///< uniform bit patterns
  uniform,      ///< uniform values in (-2^e, 2^e)
  normal,       ///< normally distributed values, nearly
  window,       ///< exponents within a window
  sparse,       ///< the same with most elements zero
  one_hot,      ///< one product a row
  cancelling,   ///< products in pairs of opposite signs, some of which differ in the last bit
  against_c,    ///< c is the negative of one product, or near it
  ties,         ///< powers of two that end up half way between results
  tiny,         ///< results near the subnormal range
  overflowing,  ///< results near the largest number
  carrying,     ///< all ones, one sign
  zeros,        ///< zeros of both signs, and little else
  special,      ///< infinities and NaN among numbers
};
inline constexpr int kTileKinds = 14;

inline constexpr std::uint64_t kStep = 0x9E3779B97F4A7C15U;  ///< between the counters that are hashed

/// What the elements of one tile have in common.
struct TileTheme {
  TileKind kind;
  std::int8_t fraction;       ///< 0 random, 1 one bit, 2 all ones, 3 none, 4 leading ones
  std::int8_t negative_of_4;  ///< how many of four elements are negative
  std::int16_t window;        ///< of exponents, at least 1
  std::int16_t top_a, top_b;  ///< largest exponents
  std::uint64_t key;          ///< hashes of elements begin with it
};

class TileInputs {
 public:
  constexpr TileInputs(const PlanWidths& widths, std::uint64_t seed, std::uint64_t tile)
      : a_(widths.a), b_(widths.b), c_(widths.c), d_(widths.d), k_(widths.k), theme_(drawn(seed, tile)) {}
  /// The tile whose theme that is; to draw one is most of the work for a small tile.
  constexpr TileInputs(const PlanWidths& widths, const TileTheme& theme)
      : a_(widths.a), b_(widths.b), c_(widths.c), d_(widths.d), k_(widths.k), theme_(theme) {}

  [[nodiscard]] constexpr const TileTheme& theme() const { return theme_; }
  [[nodiscard]] constexpr TileKind kind() const { return theme_.kind; }
  [[nodiscard]] constexpr int k() const { return k_; }
  [[nodiscard]] constexpr Pattern a(int row, int k) const;
  [[nodiscard]] constexpr Pattern b(int column, int k) const;
  [[nodiscard]] constexpr Pattern c(int row, int column) const;

 private:
  [[nodiscard]] constexpr TileTheme drawn(std::uint64_t seed, std::uint64_t tile) const;
  [[nodiscard]] constexpr std::uint64_t hash(unsigned role, int x, int y) const {
    return mixed(theme_.key + (static_cast<std::uint64_t>(role << 24 | static_cast<unsigned>(x)) << 32 |
                               static_cast<unsigned>(y)));
  }
  /// How far below the top the products of index k begin.
  [[nodiscard]] constexpr int offset(int k) const;
  [[nodiscard]] constexpr Pattern factor(const FormatInfo& f, unsigned role, int line, int k, int top) const;
  [[nodiscard]] constexpr Pattern number(const FormatInfo& f, std::uint64_t hash, int exponent,
                                         int fraction) const;
  [[nodiscard]] constexpr Pattern value(const FormatInfo& f, std::uint64_t hash, int top) const;
  [[nodiscard]] constexpr Pattern against_product(int row, int column, std::uint64_t h) const;
  [[nodiscard]] constexpr Pattern integer(const FormatInfo& f, std::uint64_t h, bool zero) const;

  FormatInfo a_, b_, c_, d_;
  int k_;
  TileTheme theme_;
};

namespace detail {
inline constexpr unsigned kRoleA = 0, kRoleB = 1, kRoleC = 2, kRoleHot = 3;
[[nodiscard]] constexpr int clamped(int x, int low, int high) { return x < low ? low : x > high ? high : x; }
}  // namespace detail

constexpr TileTheme TileInputs::drawn(std::uint64_t seed, std::uint64_t tile) const {
  using detail::clamped;
  const std::uint64_t key = mixed(mixed(seed ^ 0xD1B54A32D192ED03ULL) + tile * kStep);
  Draw draw(mixed(key + 1));
  Draw more(mixed(key + 2));
  TileTheme t{static_cast<TileKind>(draw.below(kTileKinds)), 0, 2, 1, 0, 0, key};
  // Shares: random 1/2, the rest alike.
  const int fraction = draw.below(8);
  t.fraction = static_cast<std::int8_t>(fraction < 4 ? 0 : fraction - 3);
  t.negative_of_4 = static_cast<std::int8_t>(draw.below(3) * 2);
  const int widest = more.below(4) == 0 ? 45 : 12;
  t.window = static_cast<std::int16_t>(1 + more.below(widest));

  const int low = a_.emin() + b_.emin(), high = a_.emax() + b_.emax();
  int top = more.below(3) != 0 ? more.below(9) - 4 : low + more.below(high - low + 1);
  if (t.kind == TileKind::tiny) top = d_.emin() + 3 - draw.below(d_.fraction_bits + 8);
  if (t.kind == TileKind::overflowing) top = (d_.emax() < high ? d_.emax() : high) + 1 - more.below(6);
  if (t.kind == TileKind::carrying) t.window = 1, t.negative_of_4 = static_cast<std::int8_t>(4 * (key & 1U));
  if (t.kind == TileKind::ties) t.fraction = 3;
  top = clamped(top, low - a_.fraction_bits, high);
  const int lean = static_cast<int>(key >> 8 & 7U) - 4;
  const int top_a = clamped(top / 2 + lean, a_.emin() - a_.fraction_bits, a_.emax());
  t.top_a = static_cast<std::int16_t>(top_a);
  t.top_b = static_cast<std::int16_t>(clamped(top - top_a, b_.emin() - b_.fraction_bits, b_.emax()));
  return t;
}

constexpr int TileInputs::offset(int k) const {
  Draw draw(mixed32(static_cast<std::uint32_t>(theme_.key) + static_cast<std::uint32_t>(k)));
  if (theme_.kind == TileKind::ties) {
    // The first product is large, some are halves of a last place and a little below, some far smaller.
    const int which = draw.below(8);
    if (which < 2) return draw.below(3);
    return which < 6 ? d_.fraction_bits - 1 + draw.below(5) : d_.fraction_bits + draw.below(24);
  }
  return draw.below(theme_.window);
}

constexpr Pattern TileInputs::number(const FormatInfo& f, std::uint64_t h, int exponent, int kind) const {
  const std::uint64_t all = (std::uint64_t{1} << f.fraction_bits) - 1;
  std::uint64_t fraction = 0;
  switch (kind) {
    case 0:
      fraction = f.fraction_bits > 40 ? mixed(h) : h >> 20;
      break;
    case 1:
      fraction =
          std::uint64_t{1} << static_cast<int>((h >> 20 & 0xFFFU) % static_cast<unsigned>(f.fraction_bits));
      break;
    case 2:
      fraction = all;
      break;
    case 4:
      fraction = all & ~(all >> (1 + static_cast<int>(h >> 20 & 1U)));
      break;
    default:
      break;
  }
  return floating_pattern(f, static_cast<int>(h & 3U) < theme_.negative_of_4, exponent, fraction);
}

/// A value of the distribution that the theme says, below 2^(top + 1).
constexpr Pattern TileInputs::value(const FormatInfo& f, std::uint64_t h, int top) const {
  if (theme_.kind == TileKind::uniform) return cut_to_format(f, (h & 1U) != 0, h >> 1, top - 62);
  // The sum of eight uniform bytes.
  int sum = -8 * 128;
  for (int i = 0; i < 8; ++i) sum += static_cast<int>(h >> (8 * i) & 0xFFU);
  const std::uint64_t low = mixed(h) & 0xFFFFFFU;
  const auto magnitude = static_cast<std::uint64_t>(sum < 0 ? -sum : sum) << 24 | low;
  return cut_to_format(f, sum < 0, magnitude, top - 33);
}

constexpr Pattern TileInputs::factor(const FormatInfo& f, unsigned role, int line, int k, int top) const {
  const std::uint64_t h = hash(role, line, k);
  const auto chosen = static_cast<int>(h >> 4 & 63U);  // not among the bits that signs and fractions take
  if (!f.is_floating()) return integer(f, h, theme_.kind == TileKind::sparse && chosen < 48);
  switch (theme_.kind) {
    case TileKind::bits:
      return h & f.pattern_mask();
    case TileKind::uniform:
    case TileKind::normal:
      return value(f, h, top);
    case TileKind::sparse:
      if (chosen < 40) return zero_pattern(f, (h & 1U) != 0);
      break;
    case TileKind::zeros:
      if (chosen < 56) return zero_pattern(f, (h & 1U) != 0);
      break;
    case TileKind::tiny:
      // Where products can't be so small, c has to be alone.
      if (a_.emin() + b_.emin() - a_.fraction_bits - b_.fraction_bits > d_.emin() && chosen < 62)
        return zero_pattern(f, (h & 1U) != 0);
      break;
    case TileKind::special:
      if (chosen == 0) return special_pattern(f, h >> 12);
      if (chosen == 1) return zero_pattern(f, (h & 1U) != 0);
      break;
    default:
      break;
  }
  const int jitter = theme_.kind == TileKind::window ? static_cast<int>(h >> 10 & 3U) : 0;
  const int fraction = theme_.kind == TileKind::carrying ? 2 : theme_.fraction;
  return number(f, h, top - jitter, fraction);
}

constexpr Pattern TileInputs::a(int row, int k) const {
  if (theme_.kind == TileKind::one_hot) {
    const auto hot = static_cast<int>(hash(detail::kRoleHot, row, 0) >> 33) % k_;
    if (hot != k) return 0;
  }
  if (theme_.kind != TileKind::cancelling || (k & 1) == 0)
    return factor(a_, detail::kRoleA, row, k, theme_.top_a - offset(k));
  const Pattern p = factor(a_, detail::kRoleA, row, k - 1, theme_.top_a - offset(k - 1));
  const bool nearly = (hash(detail::kRoleHot, row, k) & 7U) == 0;
  return negated(a_, p) ^ (nearly ? Pattern{1} << a_.ignored_low_bits : 0);
}

constexpr Pattern TileInputs::b(int column, int k) const {
  if (theme_.kind == TileKind::cancelling) k &= ~1;
  return factor(b_, detail::kRoleB, column, k, theme_.top_b);
}

/// Near the negative of the row's and column's first product.
constexpr Pattern TileInputs::against_product(int row, int column, std::uint64_t h) const {
  const int k = static_cast<int>(h >> 40) % k_;
  const Pattern p = negated(c_, product_pattern(c_, a_, a(row, k), b_, b(column, k)));
  const Pattern last = Pattern{1} << c_.ignored_low_bits;
  switch (h >> 60 & 3U) {
    case 0:
      return p ^ last;
    case 1:
      return (h >> 62 & 1U) != 0 ? negated(c_, p) : p;
    default:
      return p;
  }
}

constexpr Pattern TileInputs::c(int row, int column) const {
  const std::uint64_t h = hash(detail::kRoleC, row, column);
  if (!c_.is_floating()) return integer(c_, h, (h >> 4 & 7U) == 0);
  Draw draw(mixed(h));
  const int top = theme_.top_a + theme_.top_b;
  switch (theme_.kind) {
    case TileKind::bits:
      return h & c_.pattern_mask();
    case TileKind::uniform:
    case TileKind::normal:
      return value(c_, h, top);
    case TileKind::against_c:
      return against_product(row, column, h);
    case TileKind::zeros:
      if (draw.below(8) < 7) return zero_pattern(c_, (h & 1U) != 0);
      break;
    case TileKind::special:
      if (draw.below(32) == 0) return special_pattern(c_, h >> 12);
      break;
    case TileKind::tiny:
      return number(c_, h, c_.emin() + 2 - draw.below(c_.fraction_bits + 4), theme_.fraction);
    case TileKind::overflowing:
      return number(c_, h, c_.emax() - (draw.below(2) != 0 ? draw.below(3) : draw.below(30)),
                    theme_.fraction);
    default:
      break;
  }
  if (draw.below(8) == 0) return zero_pattern(c_, (h & 1U) != 0);
  // From a window and a half above the products to as far below them as some bits may reach.
  const int exponent = top + draw.below(2 * theme_.window + 4) - theme_.window - 2;
  const int fraction = theme_.kind == TileKind::carrying ? 2 : draw.below(2) == 0 ? 0 : theme_.fraction;
  return number(c_, h, exponent, fraction);
}

/// Integers: uniform, or near the ends of the range, as the theme has it.
constexpr Pattern TileInputs::integer(const FormatInfo& f, std::uint64_t h, bool zero) const {
  const Pattern mask = f.pattern_mask();
  if (zero) return 0;
  const bool extreme = theme_.kind == TileKind::carrying || theme_.kind == TileKind::overflowing ||
                       (theme_.kind == TileKind::special && (h >> 12 & 1U) != 0);
  if (!extreme) return h >> 13 & mask;
  const Pattern top = f.has_sign ? mask >> 1 : mask;  // the largest
  const Pattern near = h >> 20 & (f.container_bits > 8 ? 0xFFFFU : 1U);
  return ((h & 1U) != 0 ? top - near : top + 1 + near) & mask;  // from the largest down, from the least up
}

/// The input at one place of a tile.
[[nodiscard]] DotInput tile_input(const TileInputs& tile, int row, int column);

}  // namespace mmaprint
