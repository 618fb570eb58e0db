#include "inference/flushed_elsewhere.h"

namespace mmaprint {

bool flushes_elsewhere(const ParameterValues& x, const ParameterValues& y) {
  const auto is = [](const ParameterValues& values, Subnormals c, Subnormals output) {
    return values.conventions.c_subnormals == c && values.conventions.output_subnormals == output;
  };
  using enum Subnormals;
  return (is(x, flushed, kept) && is(y, kept, flushed)) || (is(x, kept, flushed) && is(y, flushed, kept));
}

ParameterValues flushed_as(ParameterValues values, const ParameterValues& others) {
  for (const Parameter p : {Parameter::c_subnormals, Parameter::output_subnormals})
    set_value(values, {p}, value_index(others, {p}));
  return values;
}

}  // namespace mmaprint
