// Failing cases for people: shrunk, then written out.
#pragma once

#include <functional>
#include <string>

#include "model/unit_model.h"

namespace mmaprint::test {

[[nodiscard]] std::string hex(Format format, Pattern pattern);
[[nodiscard]] std::string describe(const UnitModel& model);
/// Each operand in hexadecimal and as a number.
[[nodiscard]] std::string describe(const UnitModel& model, const DotInput& input);

/// A simpler case that still fails: fewer operands, fewer significand bits, and parameters at their plainest
/// values, as long as `fails` says so. Requires that the given case fails.
struct Case {
  UnitModel model;
  DotInput input;
};
[[nodiscard]] Case shrink(Case failing, const std::function<bool(const UnitModel&, const DotInput&)>& fails);

}  // namespace mmaprint::test
