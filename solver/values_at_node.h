// What a set's values of parameters say of one node.
#pragma once

#include <initializer_list>
#include <optional>

#include "model/hypotheses.h"
#include "model/plan.h"

namespace mmaprint {

/// The values of a parameter at a node, of those of the set.
[[nodiscard]] const ValueSet& values_at(const PlannedNode& node, const Box& box, Parameter parameter);

/// Is this the parameter's only value there?
template <class Enum>
[[nodiscard]] bool is_only_at(const PlannedNode& node, const Box& box, Parameter parameter, Enum value) {
  return values_at(node, box, parameter) == ValueSet::single(static_cast<int>(value));
}
/// Are all of its values there among these?
template <class Enum>
[[nodiscard]] bool is_among_at(const PlannedNode& node, const Box& box, Parameter parameter,
                               std::initializer_list<Enum> all) {
  ValueSet these;
  for (const Enum value : all) these.insert(static_cast<int>(value));
  return values_at(node, box, parameter).without(these).empty();
}
[[nodiscard]] bool is_default_at(const PlannedNode& node, const Box& box, Parameter parameter);

/// The operands that a parameter for one kind of them alone is about: c's, or carried sums'.
[[nodiscard]] constexpr OperandKind kind_of(Parameter of_one_kind) {
  const bool is_of_c =
      of_one_kind == Parameter::c_fraction_bits || of_one_kind == Parameter::c_alignment_rounding;
  return is_of_c ? OperandKind::c : OperandKind::carried;
}

/// The fewest bits F that an operand of this kind is aligned to; nullopt for all.
[[nodiscard]] std::optional<int> fewest_alignment_bits(const PlannedNode& node, const Box& box,
                                                       OperandKind kind);
/// The most of them; nullopt where all may be kept.
[[nodiscard]] std::optional<int> most_alignment_bits(const PlannedNode& node, const Box& box,
                                                     OperandKind kind);

/// With which exponent a zero takes part in E, at most; kNoClamp where it has no say.
[[nodiscard]] int highest_exponent_of_zeros(const Plan& plan, const ZeroAddends& zeros);

/// What E is where no operand that is not zero decides it, at most: a clamp, or a zero's; kNoClamp for
/// neither.
[[nodiscard]] int highest_e_of_no_operand(const Plan& plan, const Box& box, const PlannedNode& node);

}  // namespace mmaprint
