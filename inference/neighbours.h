// Hypotheses of a set that lie near one of them.
#pragma once

#include <span>
#include <vector>

#include "model/hypotheses.h"

namespace mmaprint {

/// Those that have another value of one of these parameters than the target has, the nearest values first;
/// then, where the parameters are few, such as have other values of two, as either alone may make no
/// difference.
[[nodiscard]] std::vector<ParameterValues> neighbours_of(const ParameterValues& target, const Box& box,
                                                         std::span<const ParameterKey> parameters);

}  // namespace mmaprint
