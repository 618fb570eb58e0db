#include "solver/sum_growth.h"

#include <algorithm>

namespace mmaprint {

bool SumGrowth::may_grow(const PlannedNode& node, std::span<const OperandRange> operands) const {
  return std::ranges::any_of(operands,
                             [&](const OperandRange& x) { return grows_from(node, x.kind).has_value(); });
}

Magnitude SumGrowth::largest_sum(const PlannedNode& node, std::span<const OperandRange> operands,
                                 const Magnitude& (*magnitude)(const OperandRange&), int e, int unit) const {
  const bool immediate = !is_only_at(node, box_, Parameter::normalisation, Normalisation::late);
  Magnitude sum = 0;
  for (const OperandRange& x : operands) {
    const auto least = grows_from(node, x.kind);
    sum += least ? aligned_up(node, magnitude(x), e - *least - unit) : magnitude(x);
    if (least && immediate) sum = rounded_up(sum, leading_bit(sum) - *least);
  }
  return sum;
}

/// Aligned to a multiple of 2^place. The nearest one is no larger than twice what it is nearest to.
Magnitude SumGrowth::aligned_up(const PlannedNode& node, const Magnitude& x, int place) const {
  using enum Parameter;
  const bool is_nearest = is_only_at(node, box_, alignment_rounding, AlignmentRounding::nearest_even) &&
                          is_default_at(node, box_, c_alignment_rounding) &&
                          is_default_at(node, box_, carried_alignment_rounding);
  return is_nearest ? std::min<Magnitude>(rounded_up(x, place), 2 * x) : rounded_up(x, place);
}

/// The fewest bits F that operands of a kind are aligned to, where that may make their magnitudes larger.
std::optional<int> SumGrowth::grows_from(const PlannedNode& node, OperandKind kind) const {
  using enum Parameter;
  const bool is_product = kind == OperandKind::product, is_carried = kind == OperandKind::carried;
  const auto truncates = [&] {
    return is_only_at(node, box_, alignment_rounding, AlignmentRounding::truncate);
  };
  const auto own_truncates = [&](Parameter p) {
    return std::ranges::all_of(values_at(node, box_, p).values(), [&](int value) {
      const auto own = static_cast<OwnAlignmentRounding>(value);
      return own == OwnAlignmentRounding::truncate || (own == OwnAlignmentRounding::as_others && truncates());
    });
  };
  if (is_product ? truncates()
                 : own_truncates(is_carried ? carried_alignment_rounding : c_alignment_rounding))
    return std::nullopt;
  return fewest_alignment_bits(node, box_, kind);
}

}  // namespace mmaprint
