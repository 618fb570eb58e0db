#include "solver/flushed_results.h"

#include <algorithm>

#include "solver/values_at_node.h"

namespace mmaprint {

bool FlushedResults::may_occur() const {
  return bounds_.is_subnormal && !is_only_at(node_, box_, Parameter::output_subnormals, Subnormals::kept);
}

bool FlushedResults::is_idle(FlushTest test) const {
  const auto& modes = set(Parameter::block_rounding).values();
  // Multiples of the last place that subnormal results have are not rounded below the normal ones.
  const bool none_grows =
      bounds_.sum.lowest_bit >= node_.result.emin() - fewest_fraction_bits() ||
      is_one_operand_of_few_bits() || std::ranges::all_of(modes, [](int mode) {
        return mode == static_cast<int>(Rounding::toward_zero) || mode == static_cast<int>(Rounding::odd);
      });
  return none_grows && (test != FlushTest::after || are_like_zeros_of_rounding());
}

bool FlushedResults::are_all_that_is_rounded() const {
  return is_only_at(node_, box_, Parameter::output_subnormals, Subnormals::flushed) &&
         is_one_operand_of_few_bits() && are_like_zeros_of_rounding();
}

int FlushedResults::fewest_fraction_bits() const {
  return std::min(set(Parameter::output_fraction_bits).first(), node_.result.fraction_bits);
}

/// Has what rounds to zero the sign of what is flushed, or is there none?
bool FlushedResults::are_like_zeros_of_rounding() const {
  using enum Parameter;
  return !bounds_.vanishes || !signs_show_ ||
         (set(zero_rounded).is_single() && set(zero_rounded) == set(zero_flushed));
}

/// Few enough that a sum is exact that is at least half the smallest normal number.
bool FlushedResults::is_one_operand_of_few_bits() const {
  return bounds_.each.size() == 1 && bounds_.each.front().below_leading < fewest_fraction_bits();
}

std::optional<int> place_of_least_result(const PlannedNode& node, const Box& box) {
  using enum Parameter;
  const FormatInfo& d = node.result;
  if (is_only_at(node, box, output_subnormals, Subnormals::flushed)) return d.emin();
  if (!is_among_at(node, box, block_rounding, {Rounding::toward_zero, Rounding::nearest_even}))
    return std::nullopt;
  return d.emin() - std::min(values_at(node, box, output_fraction_bits).last(), d.fraction_bits);
}

}  // namespace mmaprint
