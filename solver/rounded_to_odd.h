// Sums that are rounded to odd and then once more, alone: how many bits are between does not matter.
//
// Rounded to odd with two bits more than are left in the end, a sum is rounded again as if it had not been
// (Boldo and Melquiond 2008, section III). What is largest becomes too large again, or the largest there is,
// by the second rounding's own rule.
#pragma once

#include "solver/node_bounds.h"

namespace mmaprint {

/// Are `between` fraction bits of one format, rounded to odd, two more than `left` of the other, and of the
/// same exponents?
[[nodiscard]] bool suffices_to_round_again(const FormatInfo& from, int between, const FormatInfo& to,
                                           int left);

/// Do all hypotheses of a set round this node's sums to odd, and have so many fraction bits two more than
/// what is left by the node that adds the result alone, without a loss as it is aligned, in formats of the
/// same exponents? CLAIM: with any such number of bits each computes as with any other, if all else is the
/// same.
[[nodiscard]] bool is_rounded_to_odd_first(const Plan& plan, const PlannedNode& node, const Box& box,
                                           int fraction_bits);
/// The node that adds the result alone, where that holds of each number of bits; else null.
[[nodiscard]] const PlannedNode* rounded_to_odd_before(const Plan& plan, const PlannedNode& node,
                                                       const Box& box);

}  // namespace mmaprint
