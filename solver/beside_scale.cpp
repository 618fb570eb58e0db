#include "solver/beside_scale.h"

#include <algorithm>
#include <utility>

#include "solver/sum_growth.h"

namespace mmaprint {

bool share_scales(const Plan& plan, std::size_t x, std::size_t y) {
  const auto are_of_one = [&](const std::optional<PlannedScales>& scales) {
    const auto per = scales ? static_cast<std::size_t>(scales->per) : 1;
    return !scales || x / per == y / per;
  };
  return are_of_one(plan.scales.a) && are_of_one(plan.scales.b);
}

std::optional<int> SumBesideScale::below_leading() const {
  if (!largest) return std::nullopt;
  return leading_bit(*largest) - kBelowE + fraction_bits;
}

std::optional<SumBesideScale> sum_beside_scale(const Plan& plan, const PlannedNode& node, const Box& box,
                                               std::span<const OperandRange> operands) {
  const auto& first = operands.front().beside_scale;
  const bool have_one = std::ranges::all_of(operands, [&](const OperandRange& x) {
    return x.beside_scale && share_scales(plan, first->product, x.beside_scale->product);
  });
  if (!have_one) return std::nullopt;
  SumBesideScale sum{first->product, first->fraction_bits, 0, std::nullopt};
  int lowest_e = operands.front().lowest_exponent, lowest_bit = operands.front().lowest_bit;
  for (const OperandRange& x : operands) {
    sum.fraction_bits = std::max(sum.fraction_bits, x.beside_scale->fraction_bits);
    sum.highest_e = std::max(sum.highest_e, x.beside_scale->highest_e);
    lowest_e = std::min(lowest_e, x.lowest_exponent);
    lowest_bit = std::min(lowest_bit, x.lowest_bit);
  }
  const int other_e = highest_e_of_no_operand(plan, box, node);
  const int bits_below_e = std::max(sum.highest_e + sum.fraction_bits, other_e - lowest_bit);
  const auto is_kept = [&](const OperandRange& x) {
    const auto f = fewest_alignment_bits(node, box, x.kind);
    return !f || *f >= bits_below_e;
  };
  if (is_only_at(node, box, Parameter::normalisation, Normalisation::late) &&
      std::ranges::all_of(operands, is_kept)) {
    sum.largest = Magnitude(0);
    for (const OperandRange& x : operands) *sum.largest += x.beside_scale->largest;
    return sum;
  }
  // Beside what raises E, what is rounded up may be as large as that.
  const SumGrowth growth(box);
  if (growth.may_grow(node, operands) && other_e > lowest_e) return sum;
  sum.largest = growth.largest_sum(
      node, operands, [](const OperandRange& x) -> const Magnitude& { return x.beside_scale->largest; },
      sum.highest_e, -kBelowE);
  return sum;
}

std::optional<BesideScale> result_beside_scale(const PlannedNode& node, const Box& box,
                                               const SumBesideScale& sum, const NodeBounds& bounds) {
  using enum Parameter;
  if (!sum.largest) return std::nullopt;
  const int coarsest =
      std::min(values_at(node, box, output_fraction_bits).first(), node.result.fraction_bits);
  Magnitude largest = *sum.largest;
  if (!is_only_at(node, box, block_rounding, Rounding::toward_zero)) {
    // What is no multiple of the smallest number may be rounded up to that; to nearest, to twice what it was.
    const bool are_small_ones_whole = bounds.sum.lowest_bit >= node.result.emin() - coarsest;
    if (!are_small_ones_whole) {
      if (!is_among_at(node, box, block_rounding, {Rounding::nearest_even, Rounding::nearest_away}))
        return std::nullopt;
      largest *= 2;
    }
    largest = rounded_up(largest, leading_bit(largest) - coarsest);
  }
  // The smallest result is as far below the lowest exponent of a normal number as its scale may be below it.
  const int highest_e = leading_bit(largest) - kBelowE + std::max(0, node.result.emin() - bounds.smallest);
  return BesideScale{sum.product, sum.fraction_bits, highest_e, std::move(largest)};
}

}  // namespace mmaprint
