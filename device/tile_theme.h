// What the elements of a tile have in common: its theme, drawn from a seed and the tile's number.
// For host and device code.
#pragma once

#include "device/tile_elements.h"
#include "device/tile_kind.h"
#include "model/plan.h"

namespace mmaprint {

/// Where a unit's results change their nature besides the ends of D's range.
struct TileEdges {
  static constexpr int kNone = -100'000;
  int clamp = kNone;  ///< minimum alignment exponent
  int alignment_fraction_bits = kNone;
  int result_fraction_bits = 0;  ///< of D's results; at most D's
  friend bool operator==(const TileEdges&, const TileEdges&) = default;
};

inline constexpr std::uint64_t kStep = 0x9E3779B97F4A7C15U;  ///< between the counters that are hashed

/// What the elements of one tile have in common.
struct TileTheme {
  /// Of kind `edge`.
  enum class Edge : std::uint8_t {
    overflow,         ///< D's largest number
    smallest_normal,  ///< and what is flushed below it
    smallest,         ///< half of it, and what becomes zero
    clamp,            ///< exponents around the clamp
    under_clamp,      ///< a tie that bits decide which the clamp may cut off
  };
  static constexpr int kEdges = 5;
  /// Of kind `opposed`.
  enum class Opposed : std::uint8_t { infinities, alike, one, nan, times_zero };

  static constexpr std::int16_t kNowhere = -1;
  static constexpr std::int16_t kStandardTop = 1;  ///< below 4, with a standard deviation of 0.8

  TileKind kind;
  Edge edge;
  Opposed opposed;
  std::int8_t fraction;             ///< 0 random, 1 one bit, 2 all ones, 3 none, 4 leading ones
  std::int8_t negative_of_4;        ///< how many of four elements are negative
  bool standard;                    ///< a, b and c alike: normally distributed values about 1 in size
  std::uint8_t specials_of_256;     ///< elements that are special
  std::int16_t window;              ///< of exponents, at least 1
  std::int16_t top_a, top_b;        ///< largest exponents
  std::int16_t second_a, second_b;  ///< exponents at the second place, of kind `edge`
  std::int16_t first, second;       ///< two places, K that of c; kNowhere where products can't reach an edge
  std::int16_t at;                  ///< exponent of the edge
  std::int16_t fraction_bits;       ///< of results at the edge
  std::uint32_t turn;               ///< counts tiles of the kind
  std::uint64_t key;                ///< hashes of elements begin with it
};

namespace detail {
[[nodiscard]] constexpr int clamped(int x, int low, int high) { return x < low ? low : x > high ? high : x; }

/// The exponent at which an edge is.
[[nodiscard]] constexpr int edge_exponent(const PlanWidths& w, const TileEdges& edges, TileTheme::Edge edge,
                                          Draw& draw) {
  switch (edge) {
    case TileTheme::Edge::overflow:
      return w.d.emax();
    case TileTheme::Edge::smallest_normal:
    case TileTheme::Edge::smallest:
    case TileTheme::Edge::under_clamp:
      return w.d.emin();
    case TileTheme::Edge::clamp:
      break;
  }
  // Units that are built clamp somewhat below D's smallest exponent.
  return edges.clamp != TileEdges::kNone ? edges.clamp : w.d.emin() + 2 - draw.below(w.d.fraction_bits + 12);
}

/// How a product's exponent is shared out between its factors, within their ranges: `lean` more for a.
struct Split {
  std::int16_t a, b;
};
[[nodiscard]] constexpr Split split(int exponent, int lean, const PlanWidths& w) {
  const int a = clamped(exponent / 2 + lean, w.a.emin() - w.a.fraction_bits, w.a.emax());
  const int b = clamped(exponent - a, w.b.emin() - w.b.fraction_bits, w.b.emax());
  return {static_cast<std::int16_t>(a), static_cast<std::int16_t>(b)};
}

/// The exponents of the products at the two places of an edge; products that can't be so small or large are
/// left out.
constexpr void draw_edge(TileTheme& t, const TileEdges& edges, const PlanWidths& w, int lean, Draw draw) {
  // At the ends of D's range products count in quarters of a last place, and the second may be far larger:
  // what the first has done at an edge, a later node goes on with.
  const int quarter = t.at - t.fraction_bits - 2;
  int first = quarter, second = quarter + (draw.below(2) != 0 ? draw.below(t.fraction_bits + 4) : 0);
  if (t.edge == TileTheme::Edge::clamp) first = second = t.at - 2;
  if (t.edge == TileTheme::Edge::under_clamp) {
    first = quarter + 1;
    const bool known = edges.clamp != TileEdges::kNone && edges.alignment_fraction_bits != TileEdges::kNone;
    second =
        known ? edges.clamp - edges.alignment_fraction_bits - 1 + draw.below(3) : quarter - draw.below(40);
  }
  const Split one = split(first, lean, w), other = split(second, -lean, w);
  t.top_a = one.a, t.top_b = one.b;
  t.second_a = other.a, t.second_b = other.b;
  if (one.a + one.b != first) t.first = TileTheme::kNowhere;
  if (other.a + other.b != second) t.second = TileTheme::kNowhere;
}

/// Places, and what stands there.
constexpr void draw_places(TileTheme& t, const PlanWidths& w, const TileEdges& edges, Draw draw) {
  t.first = static_cast<std::int16_t>(t.turn % static_cast<unsigned>(w.places));  // every place comes round
  const int others = w.places > 1 ? w.places - 1 : 1;
  t.second = static_cast<std::int16_t>((t.first + 1 + draw.below(others)) % w.places);
  const int which = draw.below(8);
  t.opposed = which < 4 ? TileTheme::Opposed::infinities : static_cast<TileTheme::Opposed>(which - 3);
  t.edge = static_cast<TileTheme::Edge>(draw.below(TileTheme::kEdges));
  t.at = static_cast<std::int16_t>(edge_exponent(w, edges, t.edge, draw));
  t.fraction_bits = static_cast<std::int16_t>(edges.result_fraction_bits);
}
}  // namespace detail

/// The theme of a tile of that kind and turn.
[[nodiscard]] constexpr TileTheme theme_of(const KindAndTurn& which, const PlanWidths& w,
                                           const TileEdges& edges, std::uint64_t seed, std::uint64_t tile) {
  using detail::clamped;
  const auto [kind, turn] = which;
  const std::uint64_t key = mixed(mixed(seed ^ 0xD1B54A32D192ED03ULL) + tile * kStep);
  Draw draw(mixed(key + 1));
  Draw more(mixed(key + 2));
  TileTheme t{};
  t.kind = kind;
  t.key = key;
  t.turn = turn;
  // Shares: random 1/2, the rest alike.
  const int fraction = draw.below(8);
  t.fraction = static_cast<std::int8_t>(fraction < 4 ? 0 : fraction - 3);
  t.negative_of_4 = static_cast<std::int8_t>(draw.below(3) * 2);
  const int widest = more.below(4) == 0 ? 45 : 12;
  t.window = static_cast<std::int16_t>(1 + more.below(widest));

  const int low = w.a.emin() + w.b.emin(), high = w.a.emax() + w.b.emax();
  int top = more.below(3) != 0 ? more.below(9) - 4 : low + more.below(high - low + 1);
  if (kind == TileKind::tiny) top = w.d.emin() + 3 - draw.below(w.d.fraction_bits + 8);
  if (kind == TileKind::overflowing) top = (w.d.emax() < high ? w.d.emax() : high) + 1 - more.below(6);
  if (kind == TileKind::carrying) t.window = 1, t.negative_of_4 = static_cast<std::int8_t>(4 * (key & 1U));
  if (kind == TileKind::ties) t.fraction = 3;
  // Values of one distribution, mostly.
  const bool alike =
      kind == TileKind::dense || kind == TileKind::with_specials || kind == TileKind::half_zero;
  if (alike && (key >> 4 & 3U) != 0) t.window = 1;
  t.standard = alike && (kind == TileKind::with_specials ? (turn & 3U) != 0 : (turn & 1U) != 0);
  if (t.standard) t.window = 1;
  // A tenth, three at most on average, or about two of an input's elements: among many more something is NaN
  // always.
  if (kind == TileKind::with_specials)
    t.specials_of_256 = static_cast<std::uint8_t>(clamped((t.standard ? 858 : 512) / (2 * w.k + 1), 2, 26));
  const int lean = static_cast<int>(key >> 8 & 7U) - 4;
  const auto [top_a, top_b] = detail::split(clamped(top, low - w.a.fraction_bits, high), lean, w);
  t.top_a = top_a, t.top_b = top_b;
  if (t.standard) t.top_a = t.top_b = TileTheme::kStandardTop;
  if (kind == TileKind::opposed || kind == TileKind::edge)
    detail::draw_places(t, w, edges, Draw(mixed(key + 3)));
  if (kind == TileKind::edge) detail::draw_edge(t, edges, w, lean, Draw(mixed(key + 4)));
  return t;
}

}  // namespace mmaprint
