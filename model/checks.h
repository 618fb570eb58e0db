// What a contract can say of an algebra's values. Machine words answer; of formulas nothing is said, since
// what a mux does not take may be void.
#pragma once

#include <limits>

#include "base/contracts.h"

namespace mmaprint {

template <class A>
constexpr bool holds([[maybe_unused]] const A& a, [[maybe_unused]] const typename A::Bool& condition) {
  if constexpr (requires { a.value(condition); })
    return a.value(condition);
  else
    return true;
}

/// Is the word below 2^bits?
template <class A>
constexpr bool fits([[maybe_unused]] const A& a, [[maybe_unused]] const typename A::Word& x,
                    [[maybe_unused]] int bits) {
  if constexpr (requires { a.length(x); })
    return a.length(x) <= bits;
  else
    return true;
}

/// Is the word a multiple of 2^count?
template <class A>
constexpr bool ends_in_zeros([[maybe_unused]] const A& a, [[maybe_unused]] const typename A::Word& x,
                             [[maybe_unused]] const typename A::Int& count) {
  if constexpr (requires { a.lowest_one(x); })
    return a.value(a.is_zero(x)) || a.lowest_one(x) >= a.value(count);
  else
    return true;
}

/// Is it so in -2^bits < sum < 2^bits?
template <class A>
constexpr bool sum_fits(const A& a, const typename A::Sum& sum, int bits) {
  return fits(a, a.magnitude(sum), bits);
}

/// How many bits the algebra's words hold; any number unless it says so.
template <class A>
constexpr int word_bits(const A& /*a*/) {
  if constexpr (requires { A::kBits; })
    return A::kBits;
  else
    return std::numeric_limits<int>::max();
}

}  // namespace mmaprint
