// Operands as they come into a unit: converted, then flushed. oracle.h is the way in.
#pragma once

#include "oracle/addend.h"

namespace mmaprint::oracle {

/// An operand that comes from outside, after conversion and its format's flushing.
[[nodiscard]] Addend outer_operand(Format format, const OperandPath& path, Pattern pattern,
                                   Subnormals subnormals);

}  // namespace mmaprint::oracle
