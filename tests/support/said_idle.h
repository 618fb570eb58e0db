// Values that are said to be idle, and what inputs say of them.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <initializer_list>

#include "model/evaluator.h"
#include "model/plan.h"
#include "solver/idle_values.h"
#include "support/describe.h"
#include "support/random.h"
#include "support/with_value.h"

namespace mmaprint::test {

/// How many pairs of values were said to be idle, and how many an input showed not to be.
struct Said {
  int alike = 0, shown = 0;
};
inline bool is_both(const Said& said) { return said.alike > 0 && said.shown > 0; }
inline void expect_both(const Said& said) {
  EXPECT_GT(said.alike, 0);
  EXPECT_GT(said.shown, 0);
}
/// Whether unit i is looked at: as many as asked for, and more where both were not seen yet (reduced counts).
inline bool is_wanted(long i, long n, std::initializer_list<std::reference_wrapper<const Said>> said) {
  return i < count(n) || (i < n && !std::ranges::all_of(said, is_both));
}
/// fn(look): look(input) on one input after the other, until it says false.
using EachInput = std::function<void(const std::function<bool(const DotInput&)>&)>;

/// Two values of a parameter that are both said to be idle in a set give the same on every one of the inputs,
/// of the unit and of the one with the other value. The unit is one of the set's, whose box has more open.
inline void expect_alike_in_set_if_said(const UnitModel& unit, Box box, const ParameterKey& key, int value,
                                        const EachInput& each_input, Said& said) {
  const UnitModel other = with_value(unit, key, value);
  if (other == unit || !is_legal(other) || !is_legal(unit)) return;
  box[key] = Box(values_of(unit))[key];
  box[key].insert(value);
  const bool is_said = idle_values(Plan(unit.formats, unit.k, skeleton_of(unit)), box, key) == box[key];
  const Evaluator x(unit), y(other);
  bool differ = false;
  each_input([&](const DotInput& input) {
    if (x(input) == y(input)) return true;
    differ = true;
    if (is_said)
      ADD_FAILURE() << name_of(key, 2) << ' ' << value << ": " << describe(unit) << describe(unit, input);
    return false;
  });
  said.alike += is_said ? 1 : 0;
  said.shown += differ ? 1 : 0;
}
/// The same where nothing else is open.
inline void expect_alike_if_said(const UnitModel& unit, const ParameterKey& key, int value,
                                 const EachInput& each_input, Said& said) {
  expect_alike_in_set_if_said(unit, Box(values_of(unit)), key, value, each_input, said);
}

}  // namespace mmaprint::test
