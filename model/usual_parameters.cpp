#include "model/usual_parameters.h"

#include <algorithm>

namespace mmaprint {

bool has_usual_parameters(const UnitModel& model) {
  const Adder& adder = model.adders.front();
  return model.adders.size() == 1 && adder.product == ProductKind::exact_unnormalised &&
         adder.alignment_rounding == AlignmentRounding::truncate &&
         adder.normalisation == Normalisation::late && adder.alignment_fraction_bits &&
         !adder.extra_carry_bits && model.conventions.input_subnormals != Subnormals::flushed_positive &&
         model.conventions.c_subnormals != Subnormals::flushed_positive &&
         std::ranges::all_of(all_parameters(), [&](const ParameterInfo& row) {
           return !row.is_newer || row.index(adder, model.conventions) == default_index(row);
         });
}

}  // namespace mmaprint
