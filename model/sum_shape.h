// How large a node's partial sums can get: what accumulators have to hold, and when carries can be seen.
#pragma once

#include <cstdint>
#include <optional>

#include "model/parameters.h"
#include "model/wide.h"

namespace mmaprint {

/// Where nothing is known of the formats: all products are below 4.
inline constexpr int kAnyProduct = 4 << 10;

/// What bounds a node's partial sums: how many addends, and how bits are lost on the way.
struct SumShape {
  int products, others;
  int kept;  ///< fraction bits
  ProductKind product;
  AlignmentRounding alignment_rounding;
  Normalisation normalisation;
  int product_bound = kAnyProduct;  ///< no unnormalised product is larger, in units of 2^-10
  int carried = 0;                  ///< no sum of the carried sums is larger; they are none of the others
  int largest_carried = 0;          ///< nor is one of them
};
/// Is a partial sum ever rounded away from zero?
[[nodiscard]] constexpr bool grows(const SumShape& shape) {
  return shape.normalisation == Normalisation::immediate &&
         shape.alignment_rounding != AlignmentRounding::truncate;
}
/// The sum of all addends' bounds, in units of 2^E.
[[nodiscard]] constexpr unsigned largest_plain_sum(const SumShape& shape) {
  const int product = shape.product == ProductKind::exact_normalised ? 2 : 4;
  return static_cast<unsigned>(2 * shape.others + shape.carried + product * shape.products);
}
/// Can a partial sum exceed that? Not where enough fraction bits are kept that bounds, which are whole
/// numbers, are never rounded.
[[nodiscard]] constexpr bool exceeds_plain_sum(const SumShape& shape) {
  return grows(shape) && shape.kept + 1 < bit_length(std::uint64_t{largest_plain_sum(shape)});
}
/// A bound of significand·2^exponent, in units of 2^E.
struct SumBound {
  std::uint64_t significand = 0;
  int exponent = 0;
  [[nodiscard]] constexpr int leading() const { return bit_length(significand) - 1 + exponent; }
  [[nodiscard]] constexpr bool is_power_of_two() const { return (significand & (significand - 1)) == 0; }
};
/// No partial sum's magnitude exceeds this. One that is rounded away from zero grows up to twice its size
/// where no fraction bit is kept: of several operands that are no products each sum may, in whatever order
/// they come among these, so that all count as the largest.
[[nodiscard]] constexpr SumBound largest_sum(const SumShape& shape) {
  if (!exceeds_plain_sum(shape)) return {largest_plain_sum(shape), 0};
  const std::uint64_t product = shape.product == ProductKind::exact_normalised ? 2 : 4;
  const std::uint64_t largest = shape.products > 0 ? product : 2;
  const int first = shape.others <= 1 ? shape.others : 0;  // what the sum begins with
  SumBound bound{static_cast<std::uint64_t>(2 * first + shape.carried), 0};
  for (int i = first; i < shape.others + shape.products; ++i) {
    // Rounded up, each time: to whole units of the bound, then to as many bits as are kept.
    const int e = bound.exponent;
    bound.significand += e >= 3 ? 1 : (largest + (std::uint64_t{1} << e) - 1) >> e;
    while (bit_length(bound.significand) > shape.kept + 1) {
      bound.significand = (bound.significand + 1) >> 1;
      ++bound.exponent;
    }
  }
  return bound;
}
/// Bits of a two's complement accumulator that holds every partial sum.
[[nodiscard]] constexpr int accumulator_width(const SumShape& shape) {
  return shape.kept + largest_sum(shape).leading() + 3;
}
/// Can a partial sum leave the range -2^(1+carry) <= sum < 2^(1+carry), in units of 2^E? Without a carry
/// (none) there is no range to leave.
[[nodiscard]] constexpr bool carry_can_wrap(std::optional<int> carry, const SumShape& shape) {
  if (!carry) return false;
  if (shape.alignment_rounding == AlignmentRounding::truncate &&
      shape.product == ProductKind::exact_unnormalised && shape.product_bound < kAnyProduct)
    return (std::int64_t{2 * shape.others + shape.carried} << 10) +
               std::int64_t{shape.products} * shape.product_bound >=
           std::int64_t{1} << (11 + *carry);
  // Only rounding away from zero, of an addend or of a partial sum, can reach the bound from below; or it was
  // reached by a carried sum. A sticky
  // bit does not where bounds, which are even numbers, are even in the last kept bit: it makes that bit odd.
  const bool reached = shape.carried > 0 || shape.alignment_rounding == AlignmentRounding::nearest_even ||
                       (exceeds_plain_sum(shape) && shape.alignment_rounding == AlignmentRounding::sticky);
  const SumBound bound = largest_sum(shape);
  const int limit = 1 + *carry;
  return bound.leading() > limit || (bound.leading() == limit && (reached || !bound.is_power_of_two()));
}

}  // namespace mmaprint
