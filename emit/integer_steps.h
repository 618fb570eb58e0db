// Integer units: exact sums that wrap or saturate, node by node (docs/semantics.md, integers).
#pragma once

#include "emit/context.h"

namespace mmaprint::emit {

/// A function from a pattern to the integer that it stands for.
[[nodiscard]] Callee integer_reading(Context& context, Format format);
/// A function of a node of so many products (their factors in two arrays a and b, of these types) and other
/// operands, integers of 32 bits each.
[[nodiscard]] Callee integer_node(Context& context, int products, const Type& a, const Type& b, int others);

}  // namespace mmaprint::emit
