// Which values of parameters have no effect at one node, as bounds show: what decides nothing there since it
// never happens, or since what it changes is lost. Part of solver/idle_values.h.
#pragma once

#include <cstddef>

#include "model/hypotheses.h"
#include "model/plan.h"
#include "solver/node_bounds.h"
#include "solver/zero_signs.h"

namespace mmaprint {

/// One node of any hypothesis of a set.
struct NodeOfSet {
  const Plan& plan;
  std::size_t n;  ///< its index
  const Box& box;
  const NodeBounds& bounds;
  SignOfZero sign;  ///< where a later node shows that of its zeros
};

/// Has a value of this parameter, which is a node's or the unit's, no effect there, whatever values of the
/// set the others have? All that have none are as good as each other.
[[nodiscard]] bool is_idle_at_node(const NodeOfSet& node, Parameter parameter, int value);

/// Do sums round as exact ones where an operand decides what E is, and does nothing but the last place that
/// it leaves matter about a clamp that does? Of nodes that are plain.
[[nodiscard]] bool is_exact_however_clamped(const NodeOfSet& node);

}  // namespace mmaprint
