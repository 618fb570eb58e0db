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

Characterisation expect_found(const UnitModel& hidden, const CharacteriseOptions& options,
                              const PartialFeatures& stated) {
  Characterisation found = characterised(hidden, options, stated);
  EXPECT_NE(found.result.verdict(), Identification::Verdict::none);
  EXPECT_TRUE(found.result.confirmed()) << found.result.reason();
  if (!found.result.model) {
    ADD_FAILURE() << "no model";
    return found;
  }
  EXPECT_EQ(found.result.model->formats, hidden.formats);
  for (const Observation& seen : found.result.observations) {
    if (!hidden.formats.c) {
      EXPECT_EQ(seen.input.c, 0U);
    }
  }
  // Of what little was spent on proofs leaves open one in very many inputs may tell.
  const bool is_open = found.result.verdict() == Identification::Verdict::unknown;
  EXPECT_LE(test::disagreements(hidden, *found.result.model, static_cast<int>(test::count(100'000)), 7),
            is_open ? 2 : 0);
  return found;
}

}  // namespace mmaprint::samples
