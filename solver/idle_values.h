// Values of parameters that make no difference, shown without a formula.
//
// A clamp below every exponent, a carry bit for which no sum is large enough, a rounding where nothing is
// ever lost: what such a value is about cannot happen at any node (solver/node_bounds.h), and so all of them
// compute alike; and so do ways to align two operands whose sums round as the exact one
// (solver/exact_rounding.h). Each rule says of one parameter which values those are. What holds of any
// hypothesis of a set holds node by node: with the same operands two hypotheses that differ in idle values
// alone give the same result, which is the operand of nodes after it.
#pragma once

#include "solver/node_bounds.h"

namespace mmaprint {

/// Some of the parameter's values, with which every hypothesis of the set computes alike, if all else about
/// it is the same. None where nothing is known.
[[nodiscard]] ValueSet idle_values(const Plan& plan, const Box& box, const ParameterKey& key);

/// The set with one value left for all idle ones of each parameter: the target's where that is idle. Every
/// hypothesis of the set computes as one that is left.
[[nodiscard]] Box without_idle_values(const Plan& plan, Box box, const ParameterValues& target);

/// Does a hypothesis compute alike, as bounds show, with another's value of this parameter?
[[nodiscard]] bool makes_no_difference(const Plan& plan, const ParameterValues& values,
                                       const ParameterValues& other, const ParameterKey& key);

/// Do two hypotheses compute alike that differ in nothing but F and the clamp of one class of nodes? They do
/// where the clamps leave the same last place, and all sums round as exact ones where an operand decides.
[[nodiscard]] bool are_clamped_alike(const Plan& plan, const ParameterValues& x, const ParameterValues& y,
                                     int of_class);

}  // namespace mmaprint
