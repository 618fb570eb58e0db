// What is told of a unit that nothing in the space explains: a smallest set of observations that says so, the
// model that explains most, and mutants that explain all (inference/mutant.h).
#pragma once

#include "inference/common_trait.h"
#include "inference/evidence.h"
#include "inference/identify.h"

namespace mmaprint {

struct NoExplanation {
  Ending end = ending::NothingExplains{};
  std::vector<std::size_t> conflict{};  ///< indices of observations
  bool conflict_is_smallest = false;
  std::optional<UnitModel> nearest{};
  std::optional<std::size_t> explained{};  ///< observations that `nearest` gives, if they were counted
  std::optional<CommonTrait> in_common{};  ///< to inputs on which the unit is not as `nearest`

  /// What a result says of it.
  void put_into(Identification& result) &&;
};

/// Who may be taken for the unit, and the unit.
struct Suspects {
  std::vector<UnitModel> models;  ///< that it was taken for
  /// Answers of the unit's that are no observations, so many if it can be asked.
  std::function<std::span<const Observation>(std::size_t count)> answers;
  std::optional<std::string> device_failure = {};  ///< when it was asked again
};

/// Those before, and these.
[[nodiscard]] std::vector<UnitModel> suspects_of(std::vector<UnitModel> before,
                                                 std::initializer_list<std::optional<UnitModel>> more);

/// Requires evidence of which nothing is left. `tell`: what is being looked for.
[[nodiscard]] NoExplanation explain_nothing(const Evidence& evidence, const Suspects& suspects,
                                            const IdentifyOptions& options, const Deadline& deadline,
                                            const std::function<void(std::string_view)>& tell);

}  // namespace mmaprint
