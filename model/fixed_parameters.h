// What `select`, `branch` and `always` do when the model is known: pass the parameter's value.
#pragma once

#include "model/unit_model.h"

namespace mmaprint {

/// Parameter P of a model, at one of its adders.
template <Parameter P>
[[nodiscard]] constexpr auto parameter_of(const Adder& adder, const Conventions& unit) {
  return ParameterRow<P>::in(adder, unit);
}

/// `select`, `branch` and `always` of a source that knows its model: Source's value<P>(adder) is passed on.
template <class Source>
class KnownValues {
 public:
  template <Parameter P, class Fn>
  constexpr auto select(int adder, Fn&& fn) const {
    return fn(source().template value<P>(adder));
  }
  template <Parameter P, class Key, class Fn>
  constexpr auto branch(int adder, Key&&, Fn&& fn) const {
    return fn(source().template value<P>(adder));
  }
  template <Parameter P, class Predicate>
  constexpr bool always(int adder, Predicate&& holds) const {
    return holds(source().template value<P>(adder));
  }

 private:
  constexpr const Source& source() const { return static_cast<const Source&>(*this); }
};

class FixedParameters : public KnownValues<FixedParameters> {
 public:
  constexpr explicit FixedParameters(const UnitModel& model)
      : adders_(model.adders.data()), conventions_(&model.conventions) {}

  template <Parameter P>
  constexpr auto value(int adder) const {
    return parameter_of<P>(adders_[adder], *conventions_);
  }

 private:
  const Adder* adders_;
  const Conventions* conventions_;
};

}  // namespace mmaprint
