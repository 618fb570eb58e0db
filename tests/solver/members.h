// Single hypotheses of sets of toy units.
#pragma once

#include "layers/toys.h"

namespace mmaprint::test {

/// Any hypothesis of the box.
[[nodiscard]] inline ParameterValues member(Random& random, const Box& box) {
  ParameterValues values = box.lowest();
  for (const ParameterKey& key : box.keys()) {
    const auto choice = box[key].values();
    set_value(values, key, random.pick(std::span<const int>(choice)));
  }
  return values;
}

/// Unlike Toy::set, each class of nodes has its own.
inline void take(Toy& toy, const ParameterValues& values) {
  toy.model.adders = values.adders;
  toy.model.conventions = values.conventions;
}

}  // namespace mmaprint::test
