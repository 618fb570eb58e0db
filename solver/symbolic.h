// The symbolic algebra: the datapath as a formula over a backend's gates or terms. The primitives are those
// of model/concrete.h; this adds the parameters, which may be unknowns.
#pragma once

#include "model/merged.h"
#include "model/parameters.h"
#include "solver/symbolic_core.h"

namespace mmaprint {

/// The algebra with a source of parameters; see ParameterSource in model/concrete.h.
template <class G, class ParameterSource>
class Symbolic : public SymbolicCore<G> {
 public:
  using Core = SymbolicCore<G>;
  using typename Core::Bool;

  Symbolic(G& gates, ParameterSource& source) : Core(gates), source_(&source) {}

  template <class Yes, class No>
  [[nodiscard]] auto choose(const Bool& condition, Yes&& yes, No&& otherwise) const {
    if (const auto k = this->known(condition)) return *k ? yes() : otherwise();
    const auto if_so = yes();
    return merged(*this, condition, if_so, otherwise());
  }
  template <auto P, class Fn>
  [[nodiscard]] auto select(int adder, Fn&& fn) const {
    if constexpr (requires { source_->template alternatives<P>(adder); }) {
      // Every value's outcome, merged by which value holds; outcomes that agree merge into one without a
      // trace.
      const auto alternatives = source_->template alternatives<P>(adder);
      auto result = fn(alternatives.front().value);
      for (std::size_t i = 1; i < alternatives.size(); ++i)
        result = merged(*this, alternatives[i].holds, fn(alternatives[i].value), result);
      return result;
    } else {
      return source_->template select<P>(adder, fn);
    }
  }
  /// All values of an unknown exponent at once: one number of the formula.
  template <auto P, class Fn>
  [[nodiscard]] auto select_exponent(int adder, Fn&& fn) const {
    if constexpr (requires { source_->template exponent<P>(adder); })
      return fn(source_->template exponent<P>(adder));
    else
      return select<P>(adder,
                       [&](std::optional<int> value) { return fn(this->integer(value.value_or(kNoClamp))); });
  }
  /// The key is asked by evaluation by need only.
  template <auto P, class Key, class Fn>
  [[nodiscard]] auto branch(int adder, Key&&, Fn&& fn) const {
    return select<P>(adder, fn);
  }
  template <auto P, class Predicate>
  [[nodiscard]] bool always(int adder, Predicate&& holds) const {
    return source_->template always<P>(adder, holds);
  }
  template <class Fn>
  [[nodiscard]] auto with_width(int /*bits*/, Fn&& fn) const {
    return fn(*this);
  }

 private:
  ParameterSource* source_;
};

}  // namespace mmaprint
