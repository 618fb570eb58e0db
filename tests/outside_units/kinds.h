// Ways to lie outside the hypothesis space: a unit of the space that departs from the definition somewhere.
//
// A kind is a row of the table in kinds.cpp and a step, which fits a drawn unit with the deviation: it sets
// points of the oracle (oracle/deviation.h), changes the tree, or changes answers. To add one, write its
// step beside those alike, declare it in steps.h, and add the row.
#pragma once

#include <functional>
#include <span>
#include <string_view>

#include "oracle/oracle.h"
#include "support/random.h"

namespace mmaprint::test {

/// What a unit was asked, and where the question stands among all.
struct Call {
  const DotInput& input;
  std::size_t place = 0;  ///< in its batch
  Pattern previous = 0;   ///< the answer before this one, 0 at first
};

/// A unit of the space, and how another departs from it.
struct Deviant {
  UnitModel base;
  std::optional<Tree> tree;  ///< in place of base's
  oracle::Deviation at;
  /// The answer, where the result is d; may keep a state.
  std::function<Pattern(Pattern d, const Call&)> answer;
};

/// Fits a unit with a deviation; may also change its parameters within the space. False where this unit can't
/// deviate so, and another has to be drawn.
using Step = bool (*)(Deviant&, Random&);

struct DeviationKind {
  std::string_view name;
  std::span<const Signature> formats;  ///< to which it applies
  std::string_view deviates;           ///< what, in words
  Step step;
  bool deterministic = true;  ///< does the input alone decide the answer?
};

[[nodiscard]] std::span<const DeviationKind> kinds();

}  // namespace mmaprint::test
