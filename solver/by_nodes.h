// Two units node by node: where every node gives the same result for the same operands, so do the units.
#pragma once

#include <vector>

#include "solver/distinguish.h"

namespace mmaprint {

/// Node by node: `Equivalent` if every node's results agree on all operands, and so the units do; a witness
/// if one of a node's makes the units differ when they are evaluated. Nodes of one shape are compared once.
/// `Unknown` where nodes do not add the same (model/alike_nodes.h), a node's results may differ, or a limit
/// was reached; the units may be equivalent all the same, because of which results of earlier nodes can
/// occur. Of all inputs, or of those whose c is subnormal or a zero.
[[nodiscard]] Distinction compare_by_nodes(const EquivalenceChecker& checker, const Side& left,
                                           const Side& right, const Limits& limits,
                                           Inputs inputs = Inputs::all);

/// What an answer `Equivalent` of compare_by_nodes rests on: with the same facts at each of these nodes, the
/// sides agree wherever `facts.inputs` says. One node of each shape, in their order.
[[nodiscard]] std::vector<std::size_t> nodes_to_compare(const Side& left, const Side& right);
/// May equality be concluded from nodes with such facts? Not where they do not add the same, or zeros' signs
/// matter.
[[nodiscard]] bool is_shown_by_nodes(const Side& left, const Side& right, const OperandFacts& facts);

}  // namespace mmaprint
