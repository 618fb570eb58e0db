// The hypothesis that speaks for all that remain.
#pragma once

#include "model/hypotheses.h"

namespace mmaprint {

/// One member of a set, chosen so that what cannot be observed reads as the simplest unit would: no clamp, no
/// loss, no wrapping, IEEE's signs of zero.
[[nodiscard]] ParameterValues plainest(const Box& box);
/// The box's hypothesis that has the model's values where it can, and else the plainest.
[[nodiscard]] ParameterValues nearest(const Box& box, const UnitModel& model);
/// Is this model, one of the space's, in one of the sets?
[[nodiscard]] bool contains(const Space& space, const VersionSpace& sets, const UnitModel& model);
/// Models of the sets that differ from `model` in one parameter: per parameter the nearest and farthest
/// values.
[[nodiscard]] std::vector<UnitModel> neighbours(const Space& space, const VersionSpace& sets,
                                                const UnitModel& model);

}  // namespace mmaprint
