// A walk to smaller inputs that still show something.
//
// Taking away digits one at a time (inference/simplify.h) ends where no single one can be spared, which may
// be far from the fewest: a sum that has to reach a power of two does so with many digits or, at other
// exponents, with few. Here operands change at random, and every change is kept that still shows it and makes
// nothing larger.
#pragma once

#include <cstdint>
#include <functional>

#include "inference/input_size.h"

namespace mmaprint {

/// How large an input is: nonzero products first, then set digits.
struct InputSize {
  int products, bits;
  friend auto operator<=>(const InputSize&, const InputSize&) = default;
};
[[nodiscard]] InputSize size_of(const Signature& formats, const ProductKinds& kinds, const DotInput& in);

/// An input no larger for which `shows` holds, as it has to for `input`, after so many changes. The same seed
/// gives the same walk.
[[nodiscard]] DotInput smaller_by_walk(const Signature& formats, const ProductKinds& kinds, DotInput input,
                                       const std::function<bool(const DotInput&)>& shows, int changes,
                                       std::uint64_t seed);

}  // namespace mmaprint
