// Comparison of an evaluator with the oracle, with failures that can be read and replayed.
#pragma once

#include <functional>
#include <span>

#include "model/unit_model.h"
#include "support/random.h"

namespace mmaprint::test {

/// Something that computes d for a model's inputs; made once for each model.
using Evaluation = std::function<Pattern(const DotInput&)>;
using MakeEvaluation = std::function<Evaluation(const UnitModel&)>;

/// Draws `models` models, each from a seed of its own, and `inputs` inputs for each; reports the first
/// disagreement with the oracle as a test failure, shrunk, with the seed that reproduces it.
void expect_agreement_with_oracle(const MakeEvaluation& evaluation, std::uint64_t seed, long models,
                                  long inputs, const std::function<UnitModel(Random&)>& random_model);

/// Reports a test failure (shrunk) and returns false if they disagree on this input.
bool agrees_with_oracle(const MakeEvaluation& make, const Evaluation& evaluation, const UnitModel& model,
                        const DotInput& input);

}  // namespace mmaprint::test
