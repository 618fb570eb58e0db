// Measures which operands a unit adds in one node, from its answers alone.
//
// A large M stands at one leaf, -M at another, units u at the rest, so small that they are lost beside M. A
// unit that joins before the two have met is lost, one that joins after them is not (Xie et al., FPRev,
// 2025): what is left counts the leaves outside the smallest sum that has both. From one leaf's counts with
// all others its way to the root follows, and what joins it at each node; what joins at one node is taken
// apart in the same way. That the n leaves that join at one node do so singly, as in a fused addition, would
// take n^2 inputs. It takes a few: the largest unit that is lost beside M is looked for, and where two of
// these were added before they meet M, their sum would not be.
//
// Where a node loses nothing, M and -M take nothing with them that joins in the same node, only what lies
// below it on either side; the counts say which of the two it is. Directed rounding lets something of M
// remain where it cancels; other signs may not, and where all do leaves are asked about three at a time
// (inference/structure_singly.h).
//
// What comes of it is a conjecture. It is where a search begins, whose experiments confirm or refute it like
// any hypothesis.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <vector>

#include "model/dot_input.h"
#include "model/joining.h"

namespace mmaprint {

/// The unit's results for all inputs; nullopt where it gives none, or may not be asked any more.
using AskAll = std::function<std::optional<std::vector<Pattern>>(std::span<const DotInput>)>;

/// How many inputs counts may take: 500 for K up to 64, and as many for each 64 products beyond. (Chains of
/// blocks take 3 K at most, pairwise trees 5 K.) Three leaves at a time may take eight times as many.
[[nodiscard]] std::size_t most_masking_inputs(int k);

/// nullopt where the unit's formats have too little room between M and u (E2M1), its answers fit no tree, or
/// may not be asked for. Requires floating formats.
[[nodiscard]] std::optional<Joining> measured_structure(int k, const Signature& formats, const AskAll& ask);

}  // namespace mmaprint
