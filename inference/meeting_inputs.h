// Inputs on which operands meet that random ones seldom bring together: a NaN at one place beside an infinity
// at another, infinities of both signs, zero times infinity, products that cancel exactly, a subnormal that
// nothing larger hides, equal factors.
//
// A unit may let an infinity at one place hide a NaN at another, or leave out products that cancel before it
// aligns the rest; where that holds for one pair of places alone, the pair has to be asked. There are about
// K^2 pairs; where that is too many, some are drawn, and inputs with a NaN at one place and infinities at
// every second one of the others ask for many pairs at once.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "model/plan_widths.h"

namespace mmaprint {

/// At most so many, each kind of meeting about as often as any other; the same for the same seed. None of
/// integers.
[[nodiscard]] std::vector<DotInput> meeting_inputs(const PlanWidths& widths, std::size_t most,
                                                   std::uint64_t seed);

}  // namespace mmaprint
