// Members of TileInputs for what stands at chosen places: infinities, NaN and zeros; the ends of D's range.
// Included at the end of device/tile_inputs.h.
#pragma once

#include "device/tile_inputs.h"

namespace mmaprint {

/// Normally distributed values among which some are special, or half of them zeros.
constexpr Pattern TileInputs::sprinkled(const FormatInfo& f, std::uint64_t h, int top) const {
  const std::uint64_t more = mixed(h + 1);
  if (theme_.kind == TileKind::half_zero) {
    if ((more & 1U) != 0) return zero_pattern(f, (more & 2U) != 0);
    return theme_.standard ? value(f, h, top) : h & f.pattern_mask();
  }
  if (static_cast<int>(more & 0xFFU) >= theme_.specials_of_256) return value(f, h, top);
  const bool negative = (more >> 8 & 1U) != 0;
  const auto which = static_cast<int>(more >> 9 & 7U);
  if (which < 2) return zero_pattern(f, negative);
  // NaN would hide what infinities do, so every second tile has none.
  if (which == 2 && (theme_.turn & 2U) != 0) return special_pattern(f, more >> 12);
  return infinity_or_largest(f, negative);
}

/// At the two places what the theme says, elsewhere normally distributed values. `line` is c's row.
constexpr Pattern TileInputs::at_a_place(const FormatInfo& f, unsigned role, int line, int place,
                                         int top) const {
  using Opposed = TileTheme::Opposed;
  const std::uint64_t h = hash(role, line, place);
  const Pattern other = value(f, h, top);
  const bool second = place == theme_.second && theme_.opposed != Opposed::nan &&
                      theme_.opposed != Opposed::one && theme_.opposed != Opposed::times_zero;
  if (place != theme_.first && !second) return other;
  if (role == detail::kRoleB) {
    if (theme_.opposed == Opposed::times_zero) return zero_pattern(f, (h & 1U) != 0);
    const Pattern positive = other & ~sign_pattern(f);
    return positive == 0 ? floating_pattern(f, false, f.emin(), 0) : positive;
  }
  if (theme_.opposed == Opposed::nan && f.has_nan())
    return f.specials == Specials::nan_at_zero ? sign_pattern(f) : nan_pattern(f, h >> 8);
  const bool negative = (hash(detail::kRoleHot, line, 0) >> 9 & 1U) != 0;
  return infinity_or_largest(f, negative != (second && theme_.opposed == Opposed::infinities));
}

/// Small multiples of the edge's unit at two places; a few smaller values or none elsewhere.
constexpr Pattern TileInputs::near_the_edge(const FormatInfo& f, unsigned role, int line, int k) const {
  const std::uint64_t h = hash(role, line, k);
  const bool negative = (h & 1U) != 0;
  const bool of_a = role == detail::kRoleA;
  const bool second = k == theme_.second;
  if (k != theme_.first && !second) {
    const bool some = (theme_.key >> 30 & 3U) == 0 && theme_.first != TileTheme::kNowhere;
    return some ? number(f, h, (of_a ? theme_.top_a : theme_.top_b) - 8, 0) : zero_pattern(f, negative);
  }
  const int top =
      of_a ? (second ? theme_.second_a : theme_.top_a) : (second ? theme_.second_b : theme_.top_b);
  if (!of_a) return floating_pattern(f, false, top, 0);
  if (theme_.edge == TileTheme::Edge::clamp) return number(f, h, top + static_cast<int>(h >> 8 & 3U), 0);
  // Of a tie an odd number of halves, and a single bit that decides.
  const bool tie = theme_.edge == TileTheme::Edge::under_clamp;
  return cut_to_format(f, negative, !tie ? h >> 8 & 7U : second ? 1U : (h >> 8 & 3U) * 2 + 1, top);
}

constexpr Pattern TileInputs::c_near_the_edge(std::uint64_t h) const {
  const bool negative = (h & 1U) != 0;
  const int beyond = static_cast<int>(h >> 8 & 3U);
  const int f = theme_.fraction_bits;
  const std::uint64_t one = std::uint64_t{1} << f;
  switch (theme_.edge) {
    case TileTheme::Edge::overflow:  // the largest number, and one to three last places below
      return cut_to_format(c_, negative, 2 * one - 1 - static_cast<std::uint64_t>(beyond), theme_.at - f);
    case TileTheme::Edge::smallest_normal:
      return cut_to_format(c_, negative, one + 1 - static_cast<std::uint64_t>(beyond), theme_.at - f);
    case TileTheme::Edge::smallest:
    case TileTheme::Edge::under_clamp:
      return cut_to_format(c_, negative, static_cast<std::uint64_t>(beyond), theme_.at - f);
    case TileTheme::Edge::clamp:
      break;
  }
  return number(c_, h, theme_.at - 2 + static_cast<int>(h >> 8 & 7U), (h >> 12 & 1U) != 0 ? 0 : 3);
}

}  // namespace mmaprint
