// Layer: chains of IEEE 754's fused multiply-adds in FP64, by the processor's own.
//
// Replaces: the datapath on its words. CLAIM: the same d. A node that adds one product to c or to the result
// before it, loses no bit until it rounds, keeps subnormals, and signs zeros and overflows as IEEE 754 says
// is a fused multiply-add of that standard; which NaN a NaN is, is not asked. For device code, which has one
// instruction for each rounding, and for the host alike.
#pragma once

#include "model/unit_model.h"

namespace mmaprint {

/// Is the model such a chain, in one of the standard's binary roundings, but for the patterns of NaNs?
[[nodiscard]] bool is_fused_chain(const UnitModel& model);

/// x·y + z, rounded toward zero, to the nearest, up or down.
[[nodiscard]] double fused_on_host(double x, double y, double z, Rounding rounding);

}  // namespace mmaprint
