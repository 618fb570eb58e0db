// The steps of all kinds; kinds.cpp says what each does. And what several steps need.
#pragma once

#include "outside_units/kinds.h"

namespace mmaprint::test {

// special_values.cpp
bool infinities_cancel_to_zero(Deviant&, Random&);
bool infinities_give_infinity(Deviant&, Random&);
bool first_infinity_wins(Deviant&, Random&);
bool infinities_give_another_nan(Deviant&, Random&);
bool zero_times_infinity_is_zero(Deviant&, Random&);
bool nan_ignored_at_one_position(Deviant&, Random&);
bool nan_of_c_ignored(Deviant&, Random&);
bool nan_taken_for_infinity(Deviant&, Random&);
bool infinite_c_yields(Deviant&, Random&);
bool infinity_between_nodes_is_finite(Deviant&, Random&);
bool all_zero_takes_sign_of_c(Deviant&, Random&);
bool cancelled_takes_first_sign(Deviant&, Random&);
bool negative_zero_product_is_positive(Deviant&, Random&);

// operands.cpp
bool flushed_at_one_position(Deviant&, Random&);
bool only_b_flushed(Deviant&, Random&);
bool only_negative_flushed(Deviant&, Random&);
bool significand_bit_ignored(Deviant&, Random&);
bool sign_ignored_at_one_position(Deviant&, Random&);
bool one_significand_wrong(Deviant&, Random&);
bool product_truncated(Deviant&, Random&);
bool last_place_of_c_dropped(Deviant&, Random&);
bool products_by_logarithms(Deviant&, Random&);
bool product_looked_up(Deviant&, Random&);

// alignment.cpp
bool zero_products_have_exponents(Deviant&, Random&);
bool zero_c_has_an_exponent(Deviant&, Random&);
bool exponents_compared_without_low_bit(Deviant&, Random&);
bool c_left_out_of_exponent(Deviant&, Random&);
bool fewer_bits_at_one_position(Deviant&, Random&);
bool fewer_bits_at_one_node(Deviant&, Random&);
bool c_aligned_by_another_rule(Deviant&, Random&);
bool sticky_from_products_only(Deviant&, Random&);
bool distant_operands_dropped(Deviant&, Random&);
bool clamp_at_one_node(Deviant&, Random&);
bool fewer_carry_bits_at_one_node(Deviant&, Random&);
bool normalised_at_one_node(Deviant&, Random&);

// rounding.cpp
bool wrong_for_one_value_of_c(Deviant&, Random&);
bool ties_by_sign(Deviant&, Random&);
bool rounds_by_hash(Deviant&, Random&);
bool direction_by_sign(Deviant&, Random&);
bool rounded_twice(Deviant&, Random&);
bool short_sticky(Deviant&, Random&);
bool other_rounding_at_one_node(Deviant&, Random&);
bool one_bit_fewer_at_one_node(Deviant&, Random&);
bool one_bit_more_at_one_node(Deviant&, Random&);
bool last_bit_stuck_at_one_exponent(Deviant&, Random&);
bool flushed_at_one_node(Deviant&, Random&);

// overflow.cpp
bool saturates_before_rounding(Deviant&, Random&);
bool overflow_before_rounding(Deviant&, Random&);
bool negative_overflow_saturates(Deviant&, Random&);
bool overflow_by_direction(Deviant&, Random&);
bool top_binade_overflows(Deviant&, Random&);
bool saturates_at_one_node(Deviant&, Random&);

// structure.cpp
bool products_swapped(Deviant&, Random&);
bool unequal_blocks(Deviant&, Random&);
bool pairwise(Deviant&, Random&);
bool c_in_the_middle(Deviant&, Random&);
bool halves_joined(Deviant&, Random&);
bool largest_first(Deviant&, Random&);

// integers.cpp
bool short_c_goes_wrong(Deviant&, Random&);
bool products_saturate_at_16_bits(Deviant&, Random&);
bool sums_saturate_at_24_bits(Deviant&, Random&);
bool lowest_taken_for_next(Deviant&, Random&);
bool saturates_at_the_last_node(Deviant&, Random&);
bool wraps_at_one_node(Deviant&, Random&);
bool negative_overflow_wraps(Deviant&, Random&);
bool low_bit_of_products_dropped(Deviant&, Random&);
bool unsigned_at_one_position(Deviant&, Random&);

// changing.cpp
bool rounds_by_chance(Deviant&, Random&);
bool depends_on_previous(Deviant&, Random&);
bool depends_on_place(Deviant&, Random&);
bool counts_calls(Deviant&, Random&);
bool wears_out(Deviant&, Random&);

[[nodiscard]] inline int node_count(const Deviant& unit) {
  return static_cast<int>(unit.base.tree.nodes.size());
}
[[nodiscard]] inline int any_node(const Deviant& unit, Random& random) {
  return random.between(0, node_count(unit) - 1);
}
/// Any product's index.
[[nodiscard]] inline int any_position(const Deviant& unit, Random& random) {
  return random.between(0, unit.base.k - 1);
}
/// Does an addend stand for the product at this position?
[[nodiscard]] inline bool is_product(const Leaf& leaf, int position) {
  const auto* product = std::get_if<ProductLeaf>(&leaf);
  return product != nullptr && product->index == position;
}
/// All adders of the unit's base round so.
inline void set_rounding(Deviant& unit, Rounding rounding) {
  for (Adder& adder : unit.base.adders) adder.rounding = rounding;
}

}  // namespace mmaprint::test
