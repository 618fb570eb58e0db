// Units drawn from the whole default space: any combination of its parameters.
#pragma once

#include "model/hypotheses.h"
#include "support/random.h"

namespace mmaprint::test {

/// K 4, 8 or 16; FP16, BF16, TF32, E4M3 or E5M2 factors; FP32 or FP16 results; any block pattern; c first or
/// last; every parameter drawn evenly from its domain, but every second unit is close to those that are
/// built: few clamps, 20 and more alignment bits, full output precision.
[[nodiscard]] UnitModel random_unit(Random& random);
/// The same for any formats, integers too.
[[nodiscard]] UnitModel random_unit(Random& random, int k, const Signature& formats);

/// How many of `inputs` inputs, biased toward where units differ, give other results; the seed decides which.
[[nodiscard]] int disagreements(const UnitModel& x, const UnitModel& y, int inputs, std::uint64_t seed);

}  // namespace mmaprint::test
