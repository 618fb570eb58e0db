// How a node aligns, known before any operand: how many bits each kind of operands keeps, how wide the sum
// gets, and whether it can wrap. What layers of the datapath prove to be equal is used where it is narrower.
#pragma once

#include <optional>

#include "emit/context.h"
#include "model/summand.h"

namespace mmaprint::emit {

/// Fraction bits that a kind of operands keeps, and how it loses the rest; no rounding: it has no more.
struct KindAlignment {
  int fraction_bits = 0;
  std::optional<AlignmentRounding> rounding;
};
struct AlignmentPlan {
  KindAlignment product, carried, c;
  int fraction_bits = 0;        ///< of the sum, below E
  int width = 0;                ///< bits of the sum
  std::optional<int> wraps_at;  ///< to so many bits of two's complement
  bool immediate = false;
  /// Every sum rounds as the exact one: neither clamp nor zeros have a say in E.
  bool as_exact = false;
  bool normalises_products = false;
  std::optional<int> c_dropped_below;
};
/// `node`: with bits and bounds that hold of all nodes that share it.
[[nodiscard]] AlignmentPlan alignment_plan(const Context& context, const PlannedNode& node);

}  // namespace mmaprint::emit
