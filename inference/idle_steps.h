// From a model to others that compute as it does, as bounds alone show (solver/idle_values.h).
#pragma once

#include <vector>

#include "inference/derivation.h"

namespace mmaprint {

/// The parameters in which values differ, in the order in which they are compared. Of as many classes.
[[nodiscard]] std::vector<ParameterKey> differences_between(const ParameterValues& x,
                                                            const ParameterValues& y);

/// Steps toward other values of a model's parameters, as many as there are; each is one parameter's, or
/// those that a clamp makes come to the same.
[[nodiscard]] std::vector<ModelStep> idle_steps(const UnitModel& from, const ParameterValues& goal);

}  // namespace mmaprint
