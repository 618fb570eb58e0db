// Layer: early exits.
//
// Replaces: can_hold(), which says whether what a condition decides is computed at all.
// CLAIM: where the condition is known to be false before any operand, or is a machine's false, leaving it out
// changes nothing: what the specification computes then is what it began with.
#pragma once

#include <optional>

#include "model/checks.h"

namespace mmaprint {

template <class Below>
struct EarlyExits : Below {
  template <class A>
  static constexpr bool can_hold(const A& a, const typename A::Bool& condition) {
    const bool can = a.known(condition) != std::optional(false);
    MMAPRINT_ENSURES(can || holds(a, a.no(condition)));
    return can;
  }
};

}  // namespace mmaprint
