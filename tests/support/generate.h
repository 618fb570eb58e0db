// Random points of the hypothesis space and random inputs, biased toward what tells hypotheses apart:
// boundaries of alignment, wrap-around, overflow, underflow, cancellation, signed zeros. Uniform bits would
// miss all of these.
#pragma once

#include "model/unit_model.h"
#include "support/random.h"

namespace mmaprint::test {

/// Factors of any floating format, accumulators of 16 to 64 bits.
[[nodiscard]] Signature random_formats(Random& random);

/// Any parameters of the default space that D's format allows.
[[nodiscard]] ChainParameters random_values(Random& random, Format d);
[[nodiscard]] Adder random_adder(Random& random, Format d);
[[nodiscard]] Conventions random_conventions(Random& random);

/// 1 to 16 products in contiguous, strided or interleaved blocks, in either order of blocks.
[[nodiscard]] Chain random_chain(Random& random, int k, CEnters c_enters);
/// Any tree over k products and c, each node with one of `adders` adders.
[[nodiscard]] Tree random_tree(Random& random, int k, int adders);

/// Some NaN of a format that has one.
[[nodiscard]] Pattern random_nan(Random& random, Format format);

/// The same unit with c taken out of its tree.
[[nodiscard]] UnitModel without_c(UnitModel model);

/// Adds the scales that such an input has: ones, near each other, or anything.
void draw_scales(Random& random, const Signature& formats, DotInput& input);

/// An input that is likely to exercise what this model does.
[[nodiscard]] DotInput random_input(Random& random, const UnitModel& model);

}  // namespace mmaprint::test
