// What cannot matter in a model, whatever the device: facts of its tree and formats.
//
// A node without F and without carry bits loses nothing, so that how its addends are aligned means nothing; a
// node whose sums are all numbers of its result's format rounds nothing, and could as well not be there. What
// decides E where nothing is lost with such an E means nothing, and so do conventions for what cannot happen
// (inference/plain_conventions.h). The plain form of a model has such parameters at their defaults, and such
// nodes' operands where their results are used. Two models with the same plain form compute alike; two that
// compute alike may have different ones.
#pragma once

#include <optional>
#include <vector>

#include "model/unit_model.h"

namespace mmaprint {

/// What is known of a node's finite sums and results before any operand.
struct NodeFacts {
  bool lossless = false;     ///< alignment loses nothing, and no sum wraps
  bool exact = false;        ///< and every sum is a number of the result's format
  bool may_overflow = true;  ///< in rounding, or before
  bool may_be_minus_zero = true;
  bool vanishes = true;          ///< may a sum that is not zero round to zero?
  bool may_be_subnormal = true;  ///< or lie below its format's normal numbers?
  int harmless_e = kNoClamp;     ///< with any E up to this the node loses nothing
  int lowest = 0;                ///< results are multiples of 2^lowest
  int top = 0;                   ///< below 2^top
  int bits = 0;                  ///< and have at most so many significant bits
};

/// Of each node. Requires a valid model of floating-point operands.
[[nodiscard]] std::vector<NodeFacts> facts_of(const UnitModel& model);
/// Does the sign of a zero that is one of its operands show in d, for each node, where the rule for sums of
/// zeros is IEEE 754's? Requires as `facts_of`.
[[nodiscard]] std::vector<bool> signs_of_zeros_show(const UnitModel& model);
/// At which nodes could another value of a convention show in d, were it that node's alone? Requires as
/// `facts_of`, and a convention for results.
[[nodiscard]] std::vector<bool> nodes_showing(const UnitModel& model, Parameter convention);
/// Each node has a class of its own. Requires a valid model of floating-point operands.
[[nodiscard]] UnitModel plain_form(const UnitModel& model);

/// Is the plain form of one in the end that of the other, as a plain form may have a plainer one, so that
/// they compute alike? Requires valid models. Of units with scales as
/// inference/scaled_form.h says.
[[nodiscard]] bool have_the_same_plain_form(const UnitModel& x, const UnitModel& y);
/// The plain form in the end, with as few classes as can be; nullopt where that is no unit that sets and
/// documents hold, or where nothing is said.
[[nodiscard]] std::optional<UnitModel> plain_unit(const UnitModel& model);

}  // namespace mmaprint
