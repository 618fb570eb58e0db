// Which NaN a NaN result is, by a rule. The datapath only says that a result is NaN; which one is worked out
// here, and only then.
//
// A NaN that a unit lets through goes from node to node. At each the rule puts the node's NaN operands in an
// order, and the first goes on: its sign, and its payload's high bits, which is what fits the format of the
// node's result, with the top bit set (quiet). Where there is none, an invalid operation has made the unit's
// own NaN.
#pragma once

#include <optional>
#include <span>
#include <vector>

#include "model/plan.h"

namespace mmaprint {

/// A NaN on its way to d.
struct TravellingNan {
  bool negative = false, signalling = false;
  std::uint64_t payload = 0;  ///< its fraction, the top bit first
};

/// A NaN among a node's operands.
struct NanOperand {
  enum class Kind : std::uint8_t { a, b, c, node, zero_times_infinity } kind = Kind::c;
  int place = 0;     ///< among the node's operands
  bool sum = false;  ///< c or a running sum
  int node = 0;      ///< which, of Kind::node
  TravellingNan nan{};
};
/// By node, those of each node whose result is NaN.
using NanOperands = std::vector<std::vector<NanOperand>>;

/// Requires a valid model of floating-point operands and its plan.
[[nodiscard]] NanOperands nan_operands(const UnitModel& model, const Plan& plan, std::span<const Pattern> a,
                                       std::span<const Pattern> b, Pattern c);

/// The operand's NaN that is d, as a pattern; nullopt: the unit's own, made by an invalid operation.
[[nodiscard]] std::optional<Pattern> let_through(const NanOperands& operands, const NanRule& rule,
                                                 const Plan& plan);

/// The NaN that d is. Requires a NaN result.
[[nodiscard]] Pattern nan_by_rule(const UnitModel& model, const Plan& plan, const NanRule& rule,
                                  std::span<const Pattern> a, std::span<const Pattern> b, Pattern c);

}  // namespace mmaprint
