// Operands are aligned, and partial sums normalised (docs/semantics.md, step 5).
#pragma once

#include "emit/alignment_plan.h"

namespace mmaprint::emit {

/// Does the aligner of a kind of operands look at their sign?
[[nodiscard]] bool needs_sign(const KindAlignment& kind);
/// A function (significand, distance), or (significand, distance, negative): the significand, with these
/// fraction bits, as an integer multiple of 2^(E - sum_fraction_bits). `what`: operands of this kind.
[[nodiscard]] Callee aligning_function(Context& context, const std::string& what, const KindAlignment& kind,
                                       int sum_fraction_bits, const Type& significand, int fraction_bits);
/// A function (sum): the partial sum that is left.
[[nodiscard]] Callee normalising_function(Context& context, const AlignmentPlan& plan,
                                          AlignmentRounding rounding);

}  // namespace mmaprint::emit
