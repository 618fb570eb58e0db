// What becomes of a subnormal c.
#pragma once

#include "model/hypotheses.h"
#include "model/plan.h"

namespace mmaprint {

/// Does a subnormal c count as nothing where another operand of its node is not zero? It does where it is
/// truncated to a multiple of a power of two that it is below, as the E of any product or result that it is
/// added to sees to, or rounded to one that it is below half of; and where it is added to a result, exactly,
/// and the sum rounded to nearest: it is less than a quarter of that result's last place.
[[nodiscard]] bool loses_subnormal_c(const Plan& plan, const Box& box);

}  // namespace mmaprint
