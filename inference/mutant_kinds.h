// What makes the mutants of each kind; the table is in mutant_kinds.cpp.
#pragma once

#include "inference/mutant.h"

namespace mmaprint::mutants {

// mutants_of_parameters.cpp
void other_values(const Original& original, Mutants& mutants);
void other_values_at_one_node(const Original& original, Mutants& mutants);
void zeros_signed_otherwise(const Original& original, Mutants& mutants);

// mutants_of_structure.cpp
void nodes_swapped(const Original& original, Mutants& mutants);
void products_swapped(const Original& original, Mutants& mutants);
void c_elsewhere(const Original& original, Mutants& mutants);
void zeros_that_sums_start_from(const Original& original, Mutants& mutants);
void partial_sums_of_another_format(const Original& original, Mutants& mutants);
void rounded_once_more_or_less(const Original& original, Mutants& mutants);
void operands_converted_otherwise(const Original& original, Mutants& mutants);

// mutants_of_operands.cpp
void subnormals_flushed_at_one_place(const Original& original, Mutants& mutants);
void subnormals_kept_at_one_place(const Original& original, Mutants& mutants);
void significand_bit_ignored(const Original& original, Mutants& mutants);
void sign_ignored(const Original& original, Mutants& mutants);
void small_operands_dropped(const Original& original, Mutants& mutants);
void nan_ignored(const Original& original, Mutants& mutants);

// mutants_of_patterns.cpp
void number_or_nan_taken_for_infinity(const Original& original, Mutants& mutants);
void large_number_taken_for_infinity(const Original& original, Mutants& mutants);
void zero_of_another_sign(const Original& original, Mutants& mutants);
void zero_product_of_another_sign(const Original& original, Mutants& mutants);

// mutants_of_datapath.cpp
void fewer_bits_of_one_operand(const Original& original, Mutants& mutants);
void operand_aligned_otherwise(const Original& original, Mutants& mutants);
void operand_far_below_dropped(const Original& original, Mutants& mutants);
void some_sums_otherwise(const Original& original, Mutants& mutants);
void conventions_at_one_node(const Original& original, Mutants& mutants);

// mutants_of_exponents.cpp
void exponent_of_one_operand_otherwise(const Original& original, Mutants& mutants);
void clamp_of_one_operand_otherwise(const Original& original, Mutants& mutants);
void large_product_taken_for_infinity(const Original& original, Mutants& mutants);

// mutants_of_specials.cpp
void zero_times_infinity(const Original& original, Mutants& mutants);
void infinities_of_both_signs(const Original& original, Mutants& mutants);
void nan_sign_and_payload(const Original& original, Mutants& mutants);
void sign_of_zero(const Original& original, Mutants& mutants);

// mutants_of_meetings.cpp
void nan_hidden_by_an_infinity(const Original& original, Mutants& mutants);
void zero_times_infinity_of_one_product(const Original& original, Mutants& mutants);
void cancelling_products_left_out(const Original& original, Mutants& mutants);
void product_of_equal_factors(const Original& original, Mutants& mutants);

// mutants_of_scales.cpp
void scale_of_another_block(const Original& original, Mutants& mutants);
void scale_bit_ignored(const Original& original, Mutants& mutants);
void scale_taken_for_another(const Original& original, Mutants& mutants);
void scale_nan_ignored(const Original& original, Mutants& mutants);

// What several of them need.

/// The classes, and the same with one node in a class of its own, the last one.
[[nodiscard]] UnitModel with_own_class(const UnitModel& model, std::size_t node);
/// Appends a mutant that is a model, unless it is no valid one or the model itself. `same` is the model in
/// the mutant's classes.
void add_model(const Original& original, UnitModel same, UnitModel mutant, std::string name, Aim aim,
               Mutants& mutants);
/// Appends the model on inputs that `change` changes; it says whether it has changed anything.
void add_change(const Original& original, std::function<bool(DotInput&)> change, std::string name, Aim aim,
                Mutants& mutants);
/// Products of a node, and K where it adds c.
[[nodiscard]] std::vector<int> places_of(const UnitModel& model, std::size_t node);

[[nodiscard]] inline bool is_floating(const UnitModel& model) { return info(model.formats.d).is_floating(); }

/// The parameter's name; of the root's rounding, where the root is of a class of its own, as documents have
/// it.
[[nodiscard]] std::string parameter_name(const UnitModel& model, const ParameterKey& key);
/// Fraction bits of a node's results.
[[nodiscard]] int result_bits(const UnitModel& model, std::size_t node);
/// And of those of a class's nodes, in a format that may be another than D's.
[[nodiscard]] int result_bits_of_class(const UnitModel& model, int of_class);

/// Values of a parameter that mutants have, those known aside: of words all others; else those next to any
/// that is known, and none.
[[nodiscard]] std::vector<int> values_beside(const UnitModel& model, const ParameterInfo& row,
                                             const ValueSet& known);
/// "NAME one value (not another)".
[[nodiscard]] std::string other_value_text(const UnitModel& model, const ParameterKey& key,
                                           const std::string& name, int index);

/// A role of a floating or integer operand at one place.
struct Place {
  Role role;
  int position;  ///< 0 for c
  FormatInfo format;
  [[nodiscard]] Pattern& in(DotInput& input) const {
    return input.of(role)[static_cast<std::size_t>(position)];
  }
  [[nodiscard]] Pattern in(const DotInput& input) const {
    return input.of(role)[static_cast<std::size_t>(position)];
  }
  /// "a5", "c".
  [[nodiscard]] std::string name() const;
  /// As in an Aim.
  [[nodiscard]] int product(int k) const { return role == Role::c ? k : position; }
};
/// Those of a, b and c.
[[nodiscard]] std::vector<Place> all_places(const UnitModel& model);

}  // namespace mmaprint::mutants
