// Members of TileInputs for single numbers, by the distribution that the theme says. Included at the end of
// device/tile_inputs.h.
#pragma once

#include "device/tile_inputs.h"

namespace mmaprint {

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

/// Uniform in (-2^(top + 1), 2^(top + 1)), or normally distributed, nearly, and below 2^(top + 1).
constexpr Pattern TileInputs::value(const FormatInfo& f, std::uint64_t h, int top) const {
  if (theme_.kind == TileKind::uniform) return cut_to_format(f, (h & 1U) != 0, h >> 1, top - 62);
  const int sum = detail::sum_of_bytes(h);
  const std::uint64_t low = mixed(h) & 0xFFFFFFU;
  const auto magnitude = static_cast<std::uint64_t>(sum < 0 ? -sum : sum) << 24 | low;
  return cut_to_format(f, sum < 0, magnitude, top - 33);
}

/// Never zero, and within a few binades; of formats with few significands each comes up at every place, one
/// after the other.
constexpr Pattern TileInputs::dense(const FormatInfo& f, unsigned role, int line, int k, int top) const {
  constexpr int kMostBits = 16;
  const std::uint64_t h = hash(role, line, k);
  if (theme_.standard) {
    const Pattern p = value(f, h, top);
    return p << 1 != 0 && p != sign_pattern(f) ? p : floating_pattern(f, false, top, h);
  }
  const std::uint32_t turn = theme_.turn >> 1;  // every second is standard
  // Each binade below the highest has half as many values as the one above, as normal values do near zero.
  const int exponent = top - 7 + bit_length(h & 0x7FU);
  std::uint64_t fraction = h >> 8;
  if (f.fraction_bits > 48) fraction = mixed(h);
  if (f.fraction_bits <= kMostBits) {
    const std::uint64_t place = static_cast<std::uint64_t>(role) << 32 | static_cast<unsigned>(k);
    const std::uint64_t own = mixed(place * kStep);
    fraction = turn * (own | 1U) + (own >> 32) + mixed32(static_cast<std::uint32_t>(line));
  }
  return floating_pattern(f, (h >> 7 & 1U) != 0, exponent < f.emin() ? f.emin() : exponent, fraction);
}

/// Near zero: of narrow formats normally distributed, of wide ones within a power of two that tiles differ
/// in.
constexpr Pattern TileInputs::small_integer(const FormatInfo& f, std::uint64_t h) const {
  const Pattern mask = f.pattern_mask();
  if (f.container_bits > 8) {
    const int bits =
        2 + static_cast<int>((theme_.key >> 16 & 0xFFU) * static_cast<unsigned>(f.container_bits - 2) >> 8);
    return ((h >> 13 & ((std::uint64_t{1} << bits) - 1)) - (std::uint64_t{1} << (bits - 1))) & mask;
  }
  if (f.fraction_bits < 3) return h >> 13 & mask;
  const int sum = detail::sum_of_bytes(h);
  const int size = (sum < 0 && !f.has_sign ? -1 - sum : sum) >> (10 - f.fraction_bits);
  return static_cast<Pattern>(static_cast<std::int64_t>(size)) & mask;
}

/// Integers: uniform, near zero, or near the ends of the range, as the theme has it.
constexpr Pattern TileInputs::integer(const FormatInfo& f, std::uint64_t h) const {
  const Pattern mask = f.pattern_mask();
  const auto chosen = static_cast<int>(h >> 4 & 63U);
  bool extreme = false;
  switch (theme_.kind) {
    case TileKind::half_zero:
    case TileKind::sparse:
      if (chosen < (theme_.kind == TileKind::sparse ? 48 : 32)) return 0;
      break;
    case TileKind::with_specials:
    case TileKind::opposed:
      extreme = (h >> 12 & 1U) != 0;
      break;
    case TileKind::edge:
    case TileKind::carrying:
    case TileKind::overflowing:
      extreme = true;
      break;
    default:
      break;
  }
  if (!extreme) return (theme_.key >> 12 & 1U) != 0 ? h >> 13 & mask : small_integer(f, h);
  const Pattern top = f.has_sign ? mask >> 1 : mask;  // the largest
  const Pattern near = h >> 20 & (f.container_bits > 8 ? 0xFFFFU : 1U);
  return ((h & 1U) != 0 ? top - near : top + 1 + near) & mask;  // from the largest down, from the least up
}

}  // namespace mmaprint
