// Do a node's sums round as the exact ones do, though alignment loses something?
//
// Of two operands, x has the exponent E. It keeps all it has, and is even in the last place u = 2^(E-F) that
// is kept: y alone loses anything. If F is large, y is small where it does, and what it is made is too. Then
// the sums round alike, the exact one and the other,
// - where a sticky bit stands for what is lost: the sum is odd in u then, and lies strictly between the same
//   even multiples of u as the exact one; what rounding decides by, places of the result, or halves of its
//   last one, are such;
// - where all is rounded down: rounding down to u before rounding down to coarser places comes to the same;
// - where something of y's sign is left of it, however it is rounded: both sums lie strictly between x and
//   the next number that rounding decides by;
// - where x is a number that results may be, and rounding is to nearest: both sums round to x;
// - where x is so large, and y so small where it loses anything, that no sum is a finite result;
// - where u is so small that a sticky bit lies below all that any result is rounded by;
// - where a clamp is E, x is a number that results may be, rounding is to nearest, and y a product: unless it
//   lies beside a half of results' finest places by less than it loses, as some products of so many bits do
//   and most do not, which a search through their factors tells (solver/product_lemmas.h).
//
// CLAIM: hypotheses that differ in F, the alignment's rounding, the clamp, a product's exponent or when
// partial sums are normalised have the same results at such a node, as nothing wraps there. The layer
// model/lowering/exact_rounding.h uses a part of this when a formula is built.
#pragma once

#include "solver/node_bounds.h"

namespace mmaprint {

/// How operands are aligned: any combination of these values.
struct AlignmentValues {
  ValueSet fraction_bits;
  ValueSet roundings;
  ValueSet clamps;  ///< none: where a clamp is E, nothing is asked
};

/// Does every sum of this node, of any hypothesis of the box but aligned like that, round as the exact one?
/// Requires sums that don't wrap. `bounds` are those of the node, for the box.
[[nodiscard]] bool rounds_as_exact(const PlannedNode& node, const Box& box, const NodeBounds& bounds,
                                   const AlignmentValues& alignment);
/// Does every sum round alike before and after it is normalised, also where a clamp is E?
[[nodiscard]] bool is_normalised_alike(const PlannedNode& node, const Box& box, const NodeBounds& bounds,
                                       const AlignmentValues& alignment);
/// Does every sum of two operands, exact or not, round alike whenever partial sums are normalised?
[[nodiscard]] bool pairs_are_normalised_alike(const PlannedNode& node, const Box& box,
                                              const NodeBounds& bounds, const AlignmentValues& alignment);
/// May aligning operands of these bounds, or normalising their sum, lose anything with F bits?
[[nodiscard]] bool may_lose(const PlannedNode& node, const Box& box, const NodeBounds& bounds,
                            std::optional<int> fraction_bits);

}  // namespace mmaprint
