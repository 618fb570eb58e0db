// What `select` and `branch` do when the model is known: pass the parameter's value.
#pragma once

#include "model/unit_model.h"

namespace mmaprint {

/// Parameter P of a model, at one of its adders.
template <Parameter P>
[[nodiscard]] constexpr auto parameter_of(const Adder& adder, const Conventions& unit) {
  return ParameterRow<P>::in(adder, unit);
}

class FixedParameters {
 public:
  constexpr explicit FixedParameters(const UnitModel& model)
      : adders_(model.adders.data()), conventions_(&model.conventions) {}

  template <Parameter P, class Fn>
  constexpr auto select(int adder, Fn&& fn) const {
    return fn(value<P>(adder));
  }
  template <Parameter P, class Key, class Fn>
  constexpr auto branch(int adder, Key&&, Fn&& fn) const {
    return fn(value<P>(adder));
  }
  template <Parameter P, class Predicate>
  constexpr bool always(int adder, Predicate&& holds) const {
    return holds(value<P>(adder));
  }

 private:
  template <Parameter P>
  constexpr auto value(int adder) const {
    return parameter_of<P>(adders_[adder], *conventions_);
  }
  const Adder* adders_;
  const Conventions* conventions_;
};

}  // namespace mmaprint
