// Do the sums of two operands round as exact ones do, pair by pair of their exponents?
//
// What solver/exact_rounding.h says of all exponents at once is coarse where a clamp decides, results are
// flushed or a place more or less matters. Of one pair of exponents nearly all is known: which operand, y,
// loses anything, and that what is left of it is a multiple of u = 2^(E-F) less than u away. The exact sum S
// and the other, S', lie in one interval between neighbouring multiples of u then. Rounding changes at
// multiples of 2^t alone, where t follows from the smallest binade that S can lie in; if none of these is
// inside such an interval, S and S' round alike unless S' is one of them
// - which it is not where a sticky bit makes it odd in u,
// - nor where y lies beside no multiple of 2^t, or of x's last place where that is lower, by less than u: of
//   products of few bits a search through their factors tells (solver/product_lemmas.h),
// - and which makes no difference where y leaves nothing and x is no tie, where all is rounded down, or where
//   S lies just above the tie below a power of two, which is rounded to that power as S is.
//
// A sum that has grown past E is cut once more, where it is normalised at once: as y is at that place, either
// way, so that the same is asked of each binade that it may have grown to.
//
// What is known for some F and some clamp holds for larger F and lower clamps: u is less then, and what is
// left of y lies between y and what was left of it, or is odd in what is less than half of 2^t. A lower clamp
// may let a partial sum grow past E that did not; it is rounded to a multiple of no more than the larger u
// then, which x is a multiple of, and so y as by alignment.
#pragma once

#include <map>
#include <tuple>

#include "solver/node_bounds.h"
#include "solver/product_lemmas.h"

namespace mmaprint {

/// What was found out about products beside multiples of powers of two: the same for all alignments.
class ProductsBeside {
 public:
  /// As may_lie_beside() says.
  [[nodiscard]] bool operator()(Beside side, const FactorWidths& widths, int lost, int boundary,
                                FactorKinds factors);

 private:
  std::map<std::tuple<Beside, int, int, int, int, FactorKinds>, bool> known_;
};

/// How the operands of a node are aligned.
struct PairAlignment {
  int fraction_bits;
  AlignmentRounding rounding;
  std::optional<int> clamp;
};

/// Are there so few exponents, of operands of so few bits, that their pairs can be gone through?
[[nodiscard]] bool has_few_exponent_pairs(const NodeBounds& bounds);

/// Does every sum of this node, of any hypothesis of the box but aligned like that, round as the exact one,
/// normalised at once or late as the box has it? Requires few exponent pairs, and sums that don't wrap.
/// `bounds` are those of the node, for the box.
[[nodiscard]] bool pairs_round_as_exact(const PlannedNode& node, const Box& box, const NodeBounds& bounds,
                                        const PairAlignment& alignment, ProductsBeside& products);

}  // namespace mmaprint
