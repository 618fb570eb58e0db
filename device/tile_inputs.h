// Inputs of tiles: m rows of A, n columns of B and m·n values of C, each a function of a seed, the tile's
// number and the place alone, so that the host finds again what a device has made. One definition for both.
//
// A tile has a theme (device/tile_theme.h), so that something that uniform bits never show is likely in it.
#pragma once

#include "device/tile_theme.h"
#include "model/unit_model.h"

namespace mmaprint {

class TileInputs {
 public:
  constexpr TileInputs(const PlanWidths& widths, const TileEdges& edges, std::uint64_t seed,
                       std::uint64_t tile)
      : TileInputs(widths, theme_of(kind_of_tile(tile), widths, edges, seed, tile)) {}
  /// The tile whose theme that is; to draw one is most of the work for a small tile.
  constexpr TileInputs(const PlanWidths& widths, const TileTheme& theme)
      : a_(widths.a),
        b_(widths.b),
        c_(widths.c),
        d_(widths.d),
        k_(widths.k),
        places_(widths.places),
        theme_(theme) {}

  [[nodiscard]] constexpr const TileTheme& theme() const { return theme_; }
  [[nodiscard]] constexpr TileKind kind() const { return theme_.kind; }
  [[nodiscard]] constexpr int k() const { return k_; }
  [[nodiscard]] constexpr Pattern a(int row, int k) const;
  [[nodiscard]] constexpr Pattern b(int column, int k) const;
  /// 0 without c.
  [[nodiscard]] constexpr Pattern c(int row, int column) const;

 private:
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
  [[nodiscard]] constexpr Pattern dense(const FormatInfo& f, unsigned role, int line, int k, int top) const;
  [[nodiscard]] constexpr Pattern sprinkled(const FormatInfo& f, std::uint64_t hash, int top) const;
  [[nodiscard]] constexpr Pattern at_a_place(const FormatInfo& f, unsigned role, int line, int place,
                                             int top) const;
  [[nodiscard]] constexpr Pattern near_the_edge(const FormatInfo& f, unsigned role, int line, int k) const;
  [[nodiscard]] constexpr Pattern c_near_the_edge(std::uint64_t hash) const;
  [[nodiscard]] constexpr Pattern against_product(int row, int column, std::uint64_t h) const;
  [[nodiscard]] constexpr Pattern integer(const FormatInfo& f, std::uint64_t h) const;
  [[nodiscard]] constexpr Pattern small_integer(const FormatInfo& f, std::uint64_t h) const;

  FormatInfo a_, b_, c_, d_;
  int k_, places_;
  TileTheme theme_;
};

namespace detail {
inline constexpr unsigned kRoleA = 0, kRoleB = 1, kRoleC = 2, kRoleHot = 3;

/// Of eight bytes about their middle: nearly normally distributed, within -1024 .. 1016.
[[nodiscard]] constexpr int sum_of_bytes(std::uint64_t h) {
  int sum = -8 * 128;
  for (int i = 0; i < 8; ++i) sum += static_cast<int>(h >> (8 * i) & 0xFFU);
  return sum;
}
}  // namespace detail

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

constexpr Pattern TileInputs::factor(const FormatInfo& f, unsigned role, int line, int k, int top) const {
  const std::uint64_t h = hash(role, line, k);
  const auto chosen = static_cast<int>(h >> 4 & 63U);  // not among the bits that signs and fractions take
  if (!f.is_floating()) return integer(f, h);
  switch (theme_.kind) {
    case TileKind::bits:
      return h & f.pattern_mask();
    case TileKind::uniform:
      return value(f, h, top);
    case TileKind::dense:
      return dense(f, role, line, k, top);
    case TileKind::with_specials:
    case TileKind::half_zero:
      return sprinkled(f, h, top);
    case TileKind::opposed:
      return at_a_place(f, role, line, k, top);
    case TileKind::edge:
      return near_the_edge(f, role, line, k);
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
  if (places_ == k_) return 0;
  const std::uint64_t h = hash(detail::kRoleC, row, column);
  if (!c_.is_floating()) return (h >> 4 & 7U) == 0 ? 0 : integer(c_, h >> 1);
  Draw draw(mixed(h));
  const int top = theme_.standard ? TileTheme::kStandardTop : theme_.top_a + theme_.top_b;
  switch (theme_.kind) {
    case TileKind::bits:
      return h & c_.pattern_mask();
    case TileKind::uniform:
      return value(c_, h, top);
    case TileKind::dense:
      return dense(c_, detail::kRoleC, row, column, theme_.standard ? top : top + 4 - draw.below(9));
    case TileKind::with_specials:
    case TileKind::half_zero:
      return sprinkled(c_, h, top);
    case TileKind::opposed:
      if (k_ == theme_.first || k_ == theme_.second) return at_a_place(c_, detail::kRoleC, row, k_, top);
      return value(c_, h, top);
    case TileKind::edge:
      return c_near_the_edge(h);
    case TileKind::against_c:
      return against_product(row, column, h);
    case TileKind::zeros:
      if (draw.below(8) < 7) return zero_pattern(c_, (h & 1U) != 0);
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

/// The edges of a unit whose first adder, that of its blocks, is this.
[[nodiscard]] TileEdges edges_of(const Adder& adder, const FormatInfo& d);
[[nodiscard]] TileEdges edges_of(const UnitModel& model);
/// Of every adder that has edges of its own.
[[nodiscard]] std::vector<TileEdges> all_edges_of(const UnitModel& model);

/// The input at one place of a tile.
[[nodiscard]] DotInput tile_input(const TileInputs& tile, int row, int column);

}  // namespace mmaprint

#include "device/tile_places.h"  // what stands at chosen places
#include "device/tile_values.h"  // numbers by their distribution
