// Kinds of tiles of inputs, and which tile is of which kind.
//
// Uniform bit patterns hardly ever align, cancel, tie, overflow or underflow, and inputs made for that hardly
// ever show a wrong bit of one significand. So every 64 tiles hold all kinds in fixed shares, dense ones most
// often. Kinds are found by arithmetic, as device code has no host's tables.
#pragma once

#include <cstdint>

namespace mmaprint {

enum class TileKind : std::uint8_t {
  bits,           ///< uniform bit patterns
  dense,          ///< values of all significands near each other, none zero; significands come round
  with_specials,  ///< the same with infinities of both signs, NaN and zeros at any place
  half_zero,      ///< half of the elements zero, the rest uniform patterns or normally distributed
  opposed,        ///< two infinities, a NaN or infinity times zero at two places, c among them
  edge,           ///< at and next to the ends of D's range, where flushing begins, and at the clamp
  uniform,        ///< uniform values in (-2^e, 2^e)
  window,         ///< exponents within a window
  sparse,         ///< the same with most elements zero
  one_hot,        ///< one product a row
  cancelling,     ///< products in pairs of opposite signs, some of which differ in the last bit
  against_c,      ///< c is the negative of one product, or near it
  ties,           ///< powers of two that end up half way between results
  tiny,           ///< results near the subnormal range
  overflowing,    ///< results near the largest number
  carrying,       ///< all ones, one sign
  zeros,          ///< zeros of both signs, and little else
};
inline constexpr int kTileKinds = 17;
inline constexpr int kTileTurn = 64;  ///< tiles in which every kind has had its share

/// How many tiles of kTileTurn are of that kind.
[[nodiscard]] constexpr int tiles_of(TileKind kind) {
  using enum TileKind;
  switch (kind) {
    case bits:
    case dense:
      return 12;
    case with_specials:
    case half_zero:
      return 7;
    case edge:
      return 4;
    case window:
    case cancelling:
    case ties:
      return 3;
    case opposed:
    case against_c:
    case tiny:
    case overflowing:
      return 2;
    default:
      return 1;
  }
}

/// A tile's kind, and how many tiles of that kind come before it.
struct KindAndTurn {
  TileKind kind;
  std::uint32_t turn;
};
/// Neighbours are of different kinds.
[[nodiscard]] constexpr KindAndTurn kind_of_tile(std::uint64_t tile) {
  constexpr unsigned kStride = 27;  // odd, so that every place among kTileTurn is met once
  auto place = static_cast<int>(static_cast<unsigned>(tile % kTileTurn) * kStride % kTileTurn);
  int kind = 0;
  while (place >= tiles_of(static_cast<TileKind>(kind))) place -= tiles_of(static_cast<TileKind>(kind++));
  const auto share = static_cast<std::uint64_t>(tiles_of(static_cast<TileKind>(kind)));
  return {static_cast<TileKind>(kind),
          static_cast<std::uint32_t>(tile / kTileTurn * share + static_cast<std::uint64_t>(place))};
}

}  // namespace mmaprint
