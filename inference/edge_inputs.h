// Differences at edges: inputs that are made for two models, around the edges of both and around the
// exponents at which what they differ in shows. A thousand of them find what millions of inputs drawn from
// anywhere may not: that a clamp is one lower, say, which only operands a little below it show, or such as it
// pushes out.
#pragma once

#include <optional>
#include <span>

#include "base/deadline.h"
#include "model/unit_model.h"

namespace mmaprint {

/// An input on which the models differ, of some thousand that the seed decides on; nullopt if none does. Both
/// have the same K and formats.
[[nodiscard]] std::optional<DotInput> difference_at_edges(const UnitModel& x, const UnitModel& y,
                                                          std::uint64_t seed);

/// The same, of so many whose sums lie on edges between results (inference/tie_inputs.h) and as many that
/// random generators draw. Both models have the same tree, too, +0 aside. nullopt as well once the deadline
/// has passed.
[[nodiscard]] std::optional<DotInput> difference_at_ties(const UnitModel& x, const UnitModel& y,
                                                         std::int64_t inputs, std::uint64_t seed,
                                                         const Deadline& deadline = {});

/// The same, of so many inputs with scales (inference/scaled_sum_inputs.h); nullopt for units without them.
/// The models may have any trees.
[[nodiscard]] std::optional<DotInput> difference_of_scaled_sums(const UnitModel& x, const UnitModel& y,
                                                                std::int64_t inputs, std::uint64_t seed,
                                                                const Deadline& deadline = {});

/// Which of these it was, and on what.
struct MadeDifference {
  std::size_t other;
  DotInput input;
};
/// Where there are few others, the inputs of one are made in parts, which threads try side by side.
inline constexpr std::size_t kMostParts = 8;
/// The same of a model and the first of `others` that differs from it, on so many inputs of each: the same
/// one whatever the threads. Takes a seed for each other, and kMostParts more at most.
[[nodiscard]] std::optional<MadeDifference> difference_at_ties(const UnitModel& model,
                                                               std::span<const UnitModel> others,
                                                               std::int64_t inputs, std::uint64_t seed,
                                                               int threads, const Deadline& deadline);

}  // namespace mmaprint
