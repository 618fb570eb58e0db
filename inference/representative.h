// The hypothesis that speaks for all that remain.
#pragma once

#include <optional>
#include <span>

#include "model/hypotheses.h"

namespace mmaprint {

/// One member of a set, chosen so that what cannot be observed reads as the simplest unit would: no clamp, no
/// loss, no wrapping, IEEE's signs of zero.
[[nodiscard]] ParameterValues plainest(const Box& box);
/// The box's hypothesis that has the model's values where it can, and else the plainest.
[[nodiscard]] ParameterValues nearest(const Box& box, const UnitModel& model);
/// The plainest of the largest set. Requires sets.
[[nodiscard]] UnitModel plainest_of_largest(const Space& space, const VersionSpace& sets);
/// Is this model, one of the space's, in one of the sets?
[[nodiscard]] bool contains(const Space& space, const VersionSpace& sets, const UnitModel& model);
/// The model as a space has it that does not tell NaN results apart: without a rule for them.
[[nodiscard]] UnitModel without_nan_rule(UnitModel model);
/// With this rule, if there is one.
[[nodiscard]] UnitModel with_nan_rule(UnitModel model, const std::optional<NanRule>& rule);
/// Models of the sets that differ from `model` in one parameter: per parameter the nearest and farthest
/// values.
[[nodiscard]] std::vector<UnitModel> neighbours(const Space& space, const VersionSpace& sets,
                                                const UnitModel& model);

/// Does the model give all these results?
[[nodiscard]] bool gives_all(const UnitModel& model, std::span<const Observation> observations);
/// Of the sets' plainest members one that does; nullopt if none of the first hundred does.
[[nodiscard]] std::optional<UnitModel> plainest_giving(const Space& space, const VersionSpace& sets,
                                                       std::span<const Observation> observations);

/// Of a set's values without `own` so many at most: the nearest to it first, and some all over the rest.
[[nodiscard]] std::vector<int> other_values(const ValueSet& set, int own, std::size_t most);

}  // namespace mmaprint
