// Pairs of units so small that every input can be tried, drawn from the whole of what a model can say: trees
// and chains, c anywhere or not there, operand paths, nodes' formats, carried sums, parameters by class.
//
// Formats have two to six bits (CMakeLists.txt adds them to the table), so that what is an edge elsewhere is
// everywhere here: clamps beside the range, sums that wrap, subnormals, overflows, odd zeros.
#pragma once

#include <cstdint>
#include <vector>

#include "model/hypotheses.h"

namespace mmaprint::toys {

/// A model, and a set of hypotheses that differ from it in a few parameters, often in none that shows.
struct ToyPair {
  Space space;
  UnitModel model;
  HypothesisSet set;
  std::vector<ParameterKey> changed;

  /// All hypotheses of the set.
  [[nodiscard]] std::vector<UnitModel> members() const;
};

/// How many bits an input of these units has.
[[nodiscard]] int input_bits(const UnitModel& model);

/// The pair of a seed, of units with so many bits of input at most.
[[nodiscard]] ToyPair toy_pair(std::uint64_t seed, int most_input_bits);

/// Values of a parameter that these units can tell from their neighbours, and the extremes.
[[nodiscard]] std::vector<int> telling_values(const ParameterKey& key, const UnitModel& model);

}  // namespace mmaprint::toys
