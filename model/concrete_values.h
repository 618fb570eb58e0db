// What the concrete algebra (model/concrete.h) computes with.
#pragma once

namespace mmaprint {

/// Deliberately not convertible to bool: datapath code must use `choose` or `mux`.
struct ConcreteBool {
  bool value = false;
  friend bool operator==(ConcreteBool, ConcreteBool) = default;
};
struct ConcreteInt {
  int value = 0;
  friend bool operator==(ConcreteInt, ConcreteInt) = default;
};
template <class W>
struct ConcreteWord {
  W value{};
  friend bool operator==(const ConcreteWord&, const ConcreteWord&) = default;
};
/// Where no algebra is at hand (model/node_results.h).
template <class W>
[[nodiscard]] constexpr ConcreteBool is_zero_word(const ConcreteWord<W>& x) {
  return {x.value == W(0)};
}
/// Two's complement modulo the word's own width.
template <class W>
struct ConcreteSum {
  W value{};
  friend bool operator==(const ConcreteSum&, const ConcreteSum&) = default;
};

}  // namespace mmaprint
