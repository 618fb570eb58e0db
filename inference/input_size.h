// How much of an input there is to follow by hand: products that are not zero, and digits of significands.
#pragma once

#include <vector>

#include "model/unit_model.h"

namespace mmaprint {

/// What models make of a pair of factors; single bits have two ways.
using ProductKinds = std::vector<ProductKind>;
[[nodiscard]] ProductKinds product_kinds(const UnitModel& model);
[[nodiscard]] ProductKinds product_kinds(const UnitModel& left, const UnitModel& right);

/// Pairs of factors of which one of these ways makes something other than zero.
[[nodiscard]] int nonzero_products(const Signature& formats, const ProductKinds& kinds,
                                   const DotInput& input);
/// Set digits of the significands of a, b and c together (model/value.h).
[[nodiscard]] int significand_bits(const Signature& formats, const DotInput& input);

/// Do all these ways make a zero of them?
[[nodiscard]] bool all_zero(const Signature& formats, const ProductKinds& kinds, Pattern a, Pattern b);

/// No operand is infinite or NaN.
[[nodiscard]] bool all_finite(const Signature& formats, const DotInput& input);

}  // namespace mmaprint
