// Does a whole set of hypotheses compute as the model does?
//
// One formula over all its parameters at once is beyond a solver: thousands of combinations, few of which it
// can tell apart by structure. One parameter after the other is easy. In each step every hypothesis of the
// set is compared with the one that has the model's value there and is the same elsewhere; what is unknown is
// the same unknown on both sides, so nearly everything folds. If no input tells them apart, the set shrinks
// to that value, and in the end only the model is left. The clamp of the alignment exponent comes last: it is
// the hardest, and alone it can only matter where every addend is tiny (solver/node_question.h).
#pragma once

#include "inference/compared_models.h"
#include "inference/derivation.h"
#include "solver/distinguish.h"

namespace mmaprint {

/// Two hypotheses and an input on which they differ.
struct Separation {
  UnitModel left, right;
  DotInput input;
};
/// The step that was not decided: the hypotheses of `set`, against those that have one value of `parameter`
/// (nullopt: two single models of different structure).
struct OpenStep {
  HypothesisSet set;
  std::optional<ParameterKey> parameter;
};
/// Every hypothesis of the set computes as the model does.
struct EquivalentSet {
  std::int64_t clauses = 0;  ///< of the formulas that were refuted
  Derivation derivation{};
};
using Comparison = std::variant<Separation, EquivalentSet, OpenStep>;

/// Requires a set of the model's formats and K. Both hypotheses of a separation are the set's, or one is the
/// model. `limits` hold for all of it together.
[[nodiscard]] Comparison compare_with_set(const EquivalenceChecker& checker, const UnitModel& model,
                                          const Space& space, const HypothesisSet& set, const Limits& limits);
/// With what is known of models of the space that were compared before; and notes what it proves or gives up.
[[nodiscard]] Comparison compare_with_set(const EquivalenceChecker& checker, const UnitModel& model,
                                          const Space& space, const HypothesisSet& set, const Limits& limits,
                                          ComparedModels& known);

}  // namespace mmaprint
