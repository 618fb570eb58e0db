#include "support/agreement.h"

#include <gtest/gtest.h>

#include <stdexcept>

#include "oracle/oracle.h"
#include "support/describe.h"
#include "support/generate.h"

namespace mmaprint::test {

bool agrees_with_oracle(const MakeEvaluation& make, const Evaluation& evaluation, const UnitModel& model,
                        const DotInput& input) {
  if (evaluation(input) == oracle::evaluate(model, input)) return true;
  // What a step of shrinking makes need not be a legal model.
  const auto differ = [&](const UnitModel& m, const DotInput& x) {
    try {
      validate(m);
    } catch (const std::invalid_argument&) {
      return false;
    }
    return make(m)(x) != oracle::evaluate(m, x);
  };
  const Case smallest = differ(model, input) ? shrink({model, input}, differ) : Case{model, input};
  const Format d = smallest.model.formats.d;
  ADD_FAILURE() << "the evaluator gives " << hex(d, make(smallest.model)(smallest.input)) << ", the oracle "
                << hex(d, oracle::evaluate(smallest.model, smallest.input)) << " for\n"
                << describe(smallest.model) << describe(smallest.model, smallest.input);
  return false;
}

void expect_agreement_with_oracle(const MakeEvaluation& make, std::uint64_t seed, long models, long inputs,
                                  const std::function<UnitModel(Random&)>& random_model) {
  for (long i = 0; i < models; ++i) {
    const std::uint64_t own_seed = seed + static_cast<std::uint64_t>(i);
    SCOPED_TRACE("MMAPRINT_TEST_SEED=" + std::to_string(own_seed));
    Random random(own_seed);
    const UnitModel model = random_model(random);
    const Evaluation evaluation = make(model);
    for (long j = 0; j < inputs; ++j)
      if (!agrees_with_oracle(make, evaluation, model, random_input(random, model))) return;
  }
}

}  // namespace mmaprint::test
