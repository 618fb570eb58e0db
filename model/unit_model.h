// A unit as a comparable value: its skeleton, the parameters of each class of nodes, specials.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "model/dot_input.h"
#include "model/nan_behaviour.h"
#include "model/parameters.h"
#include "model/skeleton.h"

namespace mmaprint {

struct UnitModel {
  std::string instruction;
  int k = 0;
  Signature formats{};
  Tree tree;
  std::vector<Adder> adders;  ///< by class: Node::adder
  Conventions conventions;
  NanBehaviour nan;  ///< which NaN its NaN results are
  OperandPaths paths = {};
  friend bool operator==(const UnitModel&, const UnitModel&) = default;
};

/// What was expected of the formats and what was found, where no unit can be modelled with them: all have to
/// be floating, D's with infinities, or all integers, and without scales.
[[nodiscard]] std::optional<std::string> not_modelled(const Signature& formats);

/// Throws std::invalid_argument with one line (what, where, what was expected) if the model is illegal:
/// a product missing or twice, c not exactly once (or at all, where the formats have none), an adder out of
/// range, bits outside the format, a NaN that is none.
void validate(const UnitModel& model);
[[nodiscard]] bool is_legal(const UnitModel& model);

[[nodiscard]] inline Skeleton skeleton_of(const UnitModel& model) { return {model.paths, model.tree}; }
[[nodiscard]] inline ParameterValues values_of(const UnitModel& model) {
  return {model.adders, model.conventions};
}
/// The unit with a skeleton and its classes' parameters; its NaN results are one pattern, or (integers aside)
/// several.
[[nodiscard]] UnitModel unit_model(std::string instruction, int k, Signature formats,
                                   const Skeleton& skeleton, const ParameterValues& values,
                                   std::optional<Pattern> nan);

/// A node that keeps everything and rounds once to all of a format's bits, as the root does that adds c last.
[[nodiscard]] Adder exact_adder(Format result, Rounding rounding);
/// What a chain's parameters come down to: the blocks' adder, and how the nodes after the blocks round, which
/// add exactly.
struct ChainParameters {
  Adder block;
  Rounding final_rounding = Rounding::nearest_even;
  Conventions conventions;
  friend bool operator==(const ChainParameters&, const ChainParameters&) = default;
};
/// A chain of blocks with the given parameters.
[[nodiscard]] UnitModel chain_model(std::string instruction, int k, Signature formats, const Chain& chain,
                                    const ChainParameters& parameters, std::optional<Pattern> nan);

/// A result of the unit as the model tells results apart: where NaN results have several patterns, each is
/// the canonical one.
[[nodiscard]] Pattern as_modelled(const UnitModel& model, Pattern d);

/// d for each input, as `as_modelled` gives it. Requires a valid model and inputs of K entries within the
/// formats' widths.
[[nodiscard]] Pattern evaluate(const UnitModel& model, const DotInput& input);

}  // namespace mmaprint
