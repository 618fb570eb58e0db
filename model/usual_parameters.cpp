#include "model/usual_parameters.h"

namespace mmaprint {

bool has_usual_parameters(const UnitModel& model) {
  const Adder& adder = model.adders.front();
  return model.adders.size() == 1 && adder.product == ProductKind::exact_unnormalised &&
         adder.alignment_rounding == AlignmentRounding::truncate &&
         adder.normalisation == Normalisation::late && adder.alignment_fraction_bits &&
         !adder.extra_carry_bits;
}

}  // namespace mmaprint
