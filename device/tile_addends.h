// Members of TileInputs for c. Included at the end of device/tile_inputs.h.
#pragma once

#include "device/tile_inputs.h"

namespace mmaprint {

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
  if (theme_.kind == TileKind::bits) return h & c_.pattern_mask();
  const int top = theme_.standard ? TileTheme::kStandardTop : theme_.top_a + theme_.top_b;
  switch (theme_.kind) {
    case TileKind::uniform:
      return value(c_, h, top);
    case TileKind::dense:
      return dense(c_, detail::kRoleC, row, column,
                   theme_.standard ? top : top + 4 - Draw(mixed(h)).below(9));
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
    default:
      return c_drawn(h, top);
  }
}

constexpr Pattern TileInputs::c_drawn(std::uint64_t h, int top) const {
  Draw draw(mixed(h));
  switch (theme_.kind) {
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

}  // namespace mmaprint
