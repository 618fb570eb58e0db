// The definition of docs/semantics.md once more, by another hand and on other arithmetic: exact integers of
// the GMP library scaled by powers of two. It shares the types and the format table with the model, and none
// of its code, so that a mistake in the datapath does not repeat here. Simple rather than fast.
#pragma once

#include "oracle/deviation.h"

namespace mmaprint::oracle {

/// What a pattern stands for: `value` is exact and signed, and zero unless finite; `negative` also tells -0
/// from +0. `exponent` is the operand exponent e of a finite ±m·2^e, emin for subnormals and zeros.
struct Number {
  Kind kind = Kind::finite;
  bool negative = false;
  mpq_class value;
  int exponent = 0;
};

/// Requires a floating format; bits that a unit ignores do not count.
[[nodiscard]] Number decode(Format format, Pattern pattern);

/// The pattern of a finite value. Throws std::invalid_argument if the format does not hold it exactly.
[[nodiscard]] Pattern pattern_of(Format format, double value);

/// d for one input. Requires floating formats, and an infinity in D's format unless overflow saturates; or
/// integers.
[[nodiscard]] Pattern evaluate(const UnitModel& model, const DotInput& input);

/// The same of a unit that deviates from the model. A NaN result that is negative (no NaN of the definition
/// is) has the model's pattern with its sign inverted.
[[nodiscard]] Pattern evaluate(const UnitModel& model, const DotInput& input, const Deviation& deviation);

}  // namespace mmaprint::oracle
