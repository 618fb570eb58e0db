// What is known of a datapath before any operand: widths, exponent ranges, the tree in evaluation order.
#pragma once

#include <bit>
#include <cmath>
#include <optional>
#include <vector>

#include "model/unit_model.h"

namespace mmaprint {

/// Smallest n with 2^n >= x, x >= 1.
[[nodiscard]] constexpr int ceil_log2(int x) {
  int n = 0;
  while ((1 << n) < x) ++n;
  return n;
}

/// Neighbours among a node's operands: some products, or one operand of another kind.
struct OperandRun {
  enum class Kind : std::uint8_t { products, c, zero, node } kind = Kind::zero;
  std::vector<std::size_t> products;  ///< indices of the products
  std::size_t node = 0;               ///< the earlier node
};

struct PlannedNode {
  int adder = 0;
  std::size_t operands = 0;
  int products = 0;
  std::vector<OperandRun> runs;
};

/// Integers: terms that are added exactly before anything is clipped.
struct IntegerSum {
  std::vector<std::size_t> products;  ///< ascending
  std::vector<std::size_t> sums;      ///< earlier ones, clipped
  bool c = false;
};

struct Plan {
  FormatInfo a, b, c, d;
  int k;
  std::vector<PlannedNode> nodes;
  std::vector<IntegerSum> sums;  ///< integers only; each after those that it uses, the last gives d

  Plan(const OperandFormats& formats, int count, const Tree& tree);

  /// Product significands have one fraction bit more than the exact product, so that a product brought into
  /// [1,2) keeps its last bit.
  [[nodiscard]] int product_fraction_bits() const { return a.fraction_bits + b.fraction_bits + 1; }
  [[nodiscard]] int product_width() const { return product_fraction_bits() + 2; }
  /// Fraction bits that all addends of a node have: enough for every kind of them.
  [[nodiscard]] int addend_fraction_bits() const { return addend_fraction_bits_; }
  [[nodiscard]] int addend_width() const { return addend_fraction_bits_ + 2; }
  /// An exponent no nonzero addend lies below: zero addends take it and so never decide the maximum.
  [[nodiscard]] int lowest_exponent() const { return lowest_exponent_; }
  /// No operand has a bit that weighs less than 2^this.
  [[nodiscard]] int lowest_bit() const { return lowest_bit_; }
  /// F with which nothing is ever lost at a node over these operands.
  [[nodiscard]] int exact_fraction_bits() const { return exact_fraction_bits_; }
  /// F with which truncation with a sticky bit equals the exact sum of one product and one other operand,
  /// rounded once: a bit is lost only where the operand that loses it is too small to move the leading
  /// position.
  [[nodiscard]] int sticky_fraction_bits() const { return sticky_fraction_bits_; }
  /// Integers: c and all products; what a unit that wraps adds up, in whatever order.
  [[nodiscard]] const IntegerSum& whole_sum() const { return whole_sum_; }
  /// Integers: bits of a two's complement accumulator that holds any of the sums.
  [[nodiscard]] int integer_width() const { return integer_width_; }

 private:
  void cut_into_sums();

  int addend_fraction_bits_;
  int lowest_exponent_;
  int lowest_bit_;
  int exact_fraction_bits_;
  int sticky_fraction_bits_;
  IntegerSum whole_sum_;
  int integer_width_ = 0;
};

/// What bounds a node's partial sums: how many addends, and how bits are lost on the way.
struct SumShape {
  int products, others;
  int kept;  ///< fraction bits
  ProductKind product;
  AlignmentRounding alignment_rounding;
  Normalisation normalisation;
};
/// Is a partial sum ever rounded away from zero?
[[nodiscard]] constexpr bool grows(const SumShape& shape) {
  return shape.normalisation == Normalisation::immediate &&
         shape.alignment_rounding != AlignmentRounding::truncate;
}
/// The sum of all addends' bounds, in units of 2^E.
[[nodiscard]] constexpr unsigned largest_plain_sum(const SumShape& shape) {
  const int product = shape.product == ProductKind::exact_normalised ? 2 : 4;
  return static_cast<unsigned>(2 * shape.others + product * shape.products);
}
/// Can a partial sum exceed that? Not where enough fraction bits are kept that bounds, which are whole
/// numbers, are never rounded.
[[nodiscard]] constexpr bool exceeds_plain_sum(const SumShape& shape) {
  return grows(shape) && shape.kept + 1 < static_cast<int>(std::bit_width(largest_plain_sum(shape)));
}
/// No partial sum's magnitude exceeds this, in units of 2^E. One that is rounded away from zero grows up to
/// twice its size where no fraction bit is kept.
[[nodiscard]] double largest_rounded_sum(const SumShape& shape);
/// Bits of a two's complement accumulator that holds every partial sum.
[[nodiscard]] inline int accumulator_width(const SumShape& shape) {
  const int leading = exceeds_plain_sum(shape)
                          ? std::ilogb(largest_rounded_sum(shape))
                          : static_cast<int>(std::bit_width(largest_plain_sum(shape))) - 1;
  return shape.kept + leading + 3;
}
/// Can a partial sum leave the range -2^(1+carry) <= sum < 2^(1+carry), in units of 2^E? Without a carry
/// (none) there is no range to leave.
[[nodiscard]] inline bool carry_can_wrap(std::optional<int> carry, const SumShape& shape) {
  if (!carry) return false;
  const double bound = exceeds_plain_sum(shape) ? largest_rounded_sum(shape) : largest_plain_sum(shape);
  const double limit = 1 << (1 + *carry);
  // Only rounding away from zero, of an addend or of a partial sum, can reach the bound from below.
  const bool reached = shape.alignment_rounding == AlignmentRounding::nearest_even ||
                       (grows(shape) && shape.alignment_rounding == AlignmentRounding::sticky);
  return reached ? bound >= limit : bound > limit;
}

}  // namespace mmaprint
