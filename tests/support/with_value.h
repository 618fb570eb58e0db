// A unit with another value of one of its parameters.
#pragma once

#include "model/hypotheses.h"
#include "model/unit_model.h"

namespace mmaprint::test {

/// May be illegal (is_legal).
[[nodiscard]] inline UnitModel with_value(UnitModel unit, const ParameterKey& key, int index) {
  ParameterValues values = values_of(unit);
  set_value(values, key, index);
  unit.adders = values.adders;
  unit.conventions = values.conventions;
  return unit;
}

}  // namespace mmaprint::test
