// Losing bits: of aligned addends, of sums, of operands that are converted.
#pragma once

#include <optional>

#include "emit/context.h"

namespace mmaprint::emit {

/// x / 2^by in whole numbers, as `mode` rounds: one bit wider than x. `name` is what names of steps begin
/// with. Any distance will do.
[[nodiscard]] Expr shifted_right(Body& body, const std::string& name, const Expr& x, const Expr& by,
                                 Rounding mode, const Expr& negative);

/// How a sum becomes a number of a format: docs/semantics.md, steps 7 to 9.
struct RoundingRule {
  Number to;
  int fraction_bits;
  Rounding mode;
  Overflow overflow = Overflow::infinity;
  ZeroSigns zero_sign;
  bool flushes = false;
  FlushTest flush_test = FlushTest::after;
};
/// A function (negative, magnitude, unit): the number that ±magnitude·2^unit is rounded to. The magnitude is
/// not zero, and below 2^width.
[[nodiscard]] Callee rounding_function(Context& context, const std::string& name, const RoundingRule& rule,
                                       int width);

/// "toward zero", "to nearest even", ...
[[nodiscard]] std::string in_words(Rounding mode);

}  // namespace mmaprint::emit
