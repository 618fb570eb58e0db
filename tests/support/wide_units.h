// Random units that are more than chains of blocks in D's format: operands that are converted on their way
// in, and nodes whose results have formats of their own.
#pragma once

#include "model/unit_model.h"
#include "support/random.h"

namespace mmaprint::test {

/// Any tree, any formats, any parameters, each class its own.
[[nodiscard]] UnitModel random_wide_unit(Random& random, int k);
/// The same unit, with some of the rules that few units have.
[[nodiscard]] UnitModel with_rare_rules(Random& random, UnitModel model);

/// The same unit, but some nodes carry their sums on, some align their kinds of operands by rules of their
/// own, and some are padded.
[[nodiscard]] UnitModel with_carried_sums(Random& random, UnitModel model);

/// An input on which some node that carries its sum on adds zeros alone, of any sign, and all else is tiny:
/// what zeros have for an exponent then tells. Any input if no node carries its sum.
[[nodiscard]] DotInput random_input_with_a_sum_of_zeros(Random& random, const UnitModel& model);

/// What an operand of this format may be converted to; nullopt for some, and where nothing was found.
[[nodiscard]] OperandPath random_path(Random& random, Format container);

}  // namespace mmaprint::test
