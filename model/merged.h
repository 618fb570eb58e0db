// If-then-else of whatever a datapath's step returns.
#pragma once

namespace mmaprint {

/// The algebra's own types, or a structure that brings its `mux`.
template <class A, class T>
[[nodiscard]] constexpr T merged(const A& a, const typename A::Bool& condition, const T& yes, const T& no) {
  if constexpr (requires { a.mux(condition, yes, no); })
    return a.mux(condition, yes, no);
  else
    return mux(a, condition, yes, no);
}

}  // namespace mmaprint
