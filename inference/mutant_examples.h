// Inputs on which mutants of single places and nodes show, where random inputs seldom do: made so that one
// input shows as many of them as can be, since a device is asked few.
#pragma once

#include "inference/mutant_kinds.h"

namespace mmaprint::mutants {

/// One pattern at a place, times one; nothing else.
[[nodiscard]] DotInput alone(const UnitModel& model, const Place& place, Pattern p);
/// The same pattern wherever the place's role is, so that one input shows it at every place: times a power of
/// two that brings 2^exponent about to one.
[[nodiscard]] DotInput everywhere(const UnitModel& model, const Place& place, Pattern p, int exponent);

/// The sign that zeros have where a single one of the other sign shows: to nearest a sum of zeros is negative
/// if all are; rounding down, if any is.
[[nodiscard]] bool telling_sign(const UnitModel& model, const Place& place);
/// Every addend is a zero of the telling sign, but for c, where that is the place: it has the stated sign.
/// Elsewhere all zeros of the place's role have the stated sign, and their other factors make up for it.
[[nodiscard]] DotInput zeros(const UnitModel& model, const Place& place, bool negative);
/// Where it shows that a node keeps no more than so many fraction bits F: beside a number that is cancelled,
/// a tie, or what any lost bit decides; nullopt where the node has one operand.
[[nodiscard]] std::optional<DotInput> with_lost_bits(const UnitModel& model, std::size_t node,
                                                     int fraction_bits);

/// Where another rule for the sign of a zero shows at this node alone; nullopt for other conventions.
[[nodiscard]] std::optional<DotInput> zero_at_node(const UnitModel& model, std::size_t node,
                                                   Parameter convention);

}  // namespace mmaprint::mutants
