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
  [[nodiscard]] constexpr Pattern factor(const FormatInfo& f, unsigned role, int line, int k) const;
  [[nodiscard]] constexpr Pattern number(const FormatInfo& f, std::uint64_t hash, int exponent,
                                         int fraction) const;
  [[nodiscard]] constexpr Pattern value(const FormatInfo& f, std::uint64_t hash, int top) const;
  [[nodiscard]] constexpr Pattern dense(const FormatInfo& f, unsigned role, int line, int k, int top) const;
  [[nodiscard]] constexpr Pattern sprinkled(const FormatInfo& f, std::uint64_t hash, int top) const;
  [[nodiscard]] constexpr Pattern at_a_place(const FormatInfo& f, unsigned role, int line, int place,
                                             int top) const;
  [[nodiscard]] constexpr Pattern near_the_edge(const FormatInfo& f, unsigned role, int line, int k) const;
  [[nodiscard]] constexpr Pattern c_near_the_edge(std::uint64_t hash) const;
  [[nodiscard]] constexpr Pattern c_drawn(std::uint64_t hash, int top) const;
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
  constexpr std::uint32_t kEverySecond = 0x00FF00FF;
  const auto low = static_cast<std::uint32_t>(h), high = static_cast<std::uint32_t>(h >> 32);
  const std::uint32_t sums =
      (low & kEverySecond) + (low >> 8 & kEverySecond) + (high & kEverySecond) + (high >> 8 & kEverySecond);
  return static_cast<int>((sums & 0xFFFF) + (sums >> 16)) - 8 * 128;
}
}  // namespace detail

/// The edges of a unit whose first adder, that of its blocks, is this.
[[nodiscard]] TileEdges edges_of(const Adder& adder, const FormatInfo& d);
[[nodiscard]] TileEdges edges_of(const UnitModel& model);
/// Of every adder that has edges of its own.
[[nodiscard]] std::vector<TileEdges> all_edges_of(const UnitModel& model);

/// The input at one place of a tile.
[[nodiscard]] DotInput tile_input(const TileInputs& tile, int row, int column);

}  // namespace mmaprint

#include "device/tile_addends.h"  // c
#include "device/tile_factors.h"  // a and b
#include "device/tile_places.h"   // what stands at chosen places
#include "device/tile_values.h"   // numbers by their distribution
