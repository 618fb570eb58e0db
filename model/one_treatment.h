// A source of parameters for decoding alone: how operands' subnormals are treated.
#pragma once

#include "model/parameters.h"

namespace mmaprint {

struct OneTreatment {
  Subnormals subnormals;
  template <Parameter P, class Fn>
  auto select(int /*adder*/, Fn&& fn) const {
    return fn(subnormals);
  }
  template <Parameter P, class Predicate>
  bool always(int /*adder*/, Predicate&& holds) const {
    return holds(subnormals);
  }
};

}  // namespace mmaprint
