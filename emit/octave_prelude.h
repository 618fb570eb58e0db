// What emitted Octave needs besides the language: helpers, each written only where it is used.
#pragma once

#include <string>

namespace mmaprint::emit {

/// Bits of a limb of wide numbers.
inline constexpr int kOctaveLimb = 24;

/// The helpers that a text calls, and those that these call.
[[nodiscard]] std::string octave_prelude(const std::string& text);

}  // namespace mmaprint::emit
