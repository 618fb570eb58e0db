// Models with inputs and the evaluator's answers: what every export is held against.
#pragma once

#include <string>
#include <vector>

#include "model/unit_model.h"

namespace mmaprint::test {

struct NamedModel {
  std::string what;  ///< for messages
  UnitModel model;   ///< its instruction is an identifier that no other of a list has
};

/// Catalogued models and models of examples/models, at least one of each family, and so many random ones
/// without scales and with them, drawn from the seed.
[[nodiscard]] std::vector<NamedModel> export_models(int random, std::uint64_t seed);

struct ExportCase {
  NamedModel of;
  std::vector<DotInput> inputs;
  std::vector<Pattern> expected;
};
/// Inputs in equal parts of the tests' generator (which aims at what the model does) and of tiles (themes of
/// alignment, cancellation, edges of ranges, specials), and a few uniform ones and zeros; scales are the
/// generator's, or the largest, smallest and NaNs.
[[nodiscard]] ExportCase export_case(NamedModel model, long inputs, std::uint64_t seed);

}  // namespace mmaprint::test
