// Simpler inputs that show the same thing.
#pragma once

#include <functional>
#include <optional>
#include <span>

#include "model/unit_model.h"

namespace mmaprint {

/// For each input: does it show what is looked for? nullopt where nobody can say (any more).
using Shows = std::function<std::optional<std::vector<bool>>(std::span<const DotInput>)>;

/// An input that still shows it, with products, then c, then fraction bits, signs and factors taken away as
/// long as that goes; greedy, many candidates asked at a time. Requires that `input` shows it.
[[nodiscard]] DotInput simplified(const Signature& formats, DotInput input, const Shows& shows);

}  // namespace mmaprint
