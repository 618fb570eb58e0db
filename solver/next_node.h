// What the next node leaves of a result: what its alignment loses need not be rounded in one way.
//
// A result r with the exponent e is aligned to E >= e with F bits: to a multiple of 2^(E-F).
// - Rounded toward zero or to odd, a sum keeps its exponent. If r has F bits, or one or two more, what is
//   lost of it beyond these is lost anyway: cutting off twice is cutting off once, and a sum rounded to odd
//   is rounded once more as if it had not been (Boldo and Melquiond 2008, section III).
// - Where E is no lower than r's, be it by a clamp or as no other operand has a lower exponent, an r that is
//   small enough is aligned to zero, and decides no E.
#pragma once

#include <cstdint>
#include <optional>

#include "solver/node_bounds.h"

namespace mmaprint {

/// The node that adds this one's rounded result; null for the root, and where the sum is carried on.
[[nodiscard]] const PlannedNode* next_node(const Plan& plan, const PlannedNode& node);
/// Does it align c, +0 and rounded results as it does products, and none are dropped?
[[nodiscard]] bool aligns_as_products(const PlannedNode& node, const Box& box);

/// The node that adds this one's result alone; null where others are added, or another +0.
[[nodiscard]] const PlannedNode* adds_alone(const Plan& plan, const PlannedNode& node);
/// Does it lose nothing of operands of so many fraction bits as it aligns them, whichever exponents they
/// have?
[[nodiscard]] bool loses_nothing(const PlannedNode& node, const Box& box, int fraction_bits);
/// Have both the same exponents, and the same of them for what is no number?
[[nodiscard]] bool has_same_exponents(const FormatInfo& x, const FormatInfo& y);

/// What small results may be that are zeros: of sums that are not of zeros alone.
enum class SmallResults : std::uint8_t { zeros_of_any_sign, never_negative_zeros };

/// Do this node's sums, rounded in this direction to so many fraction bits, come to the same where they are
/// added as those that keep any more bits, and as those rounded in any other direction of which this is said?
/// CLAIM: with the same operands, hypotheses of a set that differ in those alone are the same after the next
/// node. `bounds` are those of the node, for the box.
[[nodiscard]] bool is_rounded_by_next(const Plan& plan, const PlannedNode& node, const Box& box,
                                      const NodeBounds& bounds, SmallResults small, Rounding mode,
                                      int fraction_bits);

/// Results below 2^this are zeros where they are added, unless by their signs; nullopt where none need be.
/// CLAIM: results as small as that can be any others that are what `small` says of them.
[[nodiscard]] std::optional<int> negligible_below(const Plan& plan, const PlannedNode& node, const Box& box,
                                                  SmallResults small);

}  // namespace mmaprint
