// Members of TileInputs for the factors a and b. Included at the end of device/tile_inputs.h.
#pragma once

#include "device/tile_inputs.h"

namespace mmaprint {

constexpr int TileInputs::offset(int k) const {
  if (theme_.window == 1 && theme_.kind != TileKind::ties) return 0;  // as the draw would say
  Draw draw(mixed32(static_cast<std::uint32_t>(theme_.key) + static_cast<std::uint32_t>(k)));
  if (theme_.kind == TileKind::ties) {
    // The first product is large, some are halves of a last place and a little below, some far smaller.
    const int which = draw.below(8);
    if (which < 2) return draw.below(3);
    return which < 6 ? d_.fraction_bits - 1 + draw.below(5) : d_.fraction_bits + draw.below(24);
  }
  return draw.below(theme_.window);
}

constexpr Pattern TileInputs::factor(const FormatInfo& f, unsigned role, int line, int k) const {
  const std::uint64_t h = hash(role, line, k);
  const auto chosen = static_cast<int>(h >> 4 & 63U);  // not among the bits that signs and fractions take
  if (!f.is_floating()) return integer(f, h);
  if (theme_.kind == TileKind::bits) return h & f.pattern_mask();
  const int top = role == detail::kRoleA ? theme_.top_a - offset(k) : theme_.top_b;
  switch (theme_.kind) {
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
  if (theme_.kind != TileKind::cancelling || (k & 1) == 0) return factor(a_, detail::kRoleA, row, k);
  const Pattern p = factor(a_, detail::kRoleA, row, k - 1);
  const bool nearly = (hash(detail::kRoleHot, row, k) & 7U) == 0;
  return negated(a_, p) ^ (nearly ? Pattern{1} << a_.ignored_low_bits : 0);
}

constexpr Pattern TileInputs::b(int column, int k) const {
  if (theme_.kind == TileKind::cancelling) k &= ~1;
  return factor(b_, detail::kRoleB, column, k);
}

}  // namespace mmaprint
