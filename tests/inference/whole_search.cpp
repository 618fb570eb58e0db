#include "whole_search.h"

#include <gtest/gtest.h>

#include "device/simulated.h"
#include "model/evaluator.h"
#include "random_units/random_unit.h"
#include "support/random.h"

namespace mmaprint::samples {

Adder aligned(int f, Rounding rounding, Format result) {
  Adder adder = exact_adder(result, rounding);
  adder.alignment_fraction_bits = f;
  return adder;
}

CharacteriseOptions for_finding() {
  CharacteriseOptions options{.tries_carried = false};
  options.identify.proof_steps = 2'000;
  return options;
}

Characterisation characterised(const UnitModel& hidden, const CharacteriseOptions& options,
                               const PartialFeatures& stated) {
  SimulatedUnit unit("hidden", "hidden", {hidden});
  CharacteriseOptions own = options;
  own.identify.threads = 2;
  own.identify.seconds = 600;
  return characterise(search_for(hidden.instruction, hidden.k, hidden.formats, stated), unit,
                      {hidden.instruction, hidden.k, hidden.formats}, {}, own, {});
}

void expect_found(const UnitModel& hidden, const CharacteriseOptions& options) {
  const Characterisation found = characterised(hidden, options);
  EXPECT_NE(found.result.verdict(), Identification::Verdict::none);
  ASSERT_TRUE(found.result.model);
  EXPECT_TRUE(found.result.confirmed()) << found.result.reason();
  EXPECT_EQ(found.result.model->formats, hidden.formats);
  for (const Observation& seen : found.result.observations) {
    if (!hidden.formats.c) {
      EXPECT_EQ(seen.input.c, 0U);
    }
  }
  EXPECT_EQ(test::disagreements(hidden, *found.result.model, static_cast<int>(test::count(100'000)), 7), 0);
}

}  // namespace mmaprint::samples
