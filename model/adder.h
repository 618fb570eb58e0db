// What the parameters of an adder node and of a unit are values of, and where models hold them.
//
// Meanings follow Fasi et al. 2021 and Khattak & Mikaitis 2025; docs/semantics.md defines each exactly, and
// model/parameter_table.h has a row for each.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace mmaprint {

enum class Subnormals : std::uint8_t {
  kept,
  flushed,           ///< to a zero of their sign
  flushed_positive,  ///< to +0, as every zero; operands only
};
/// What is tested for being subnormal.
enum class FlushTest : std::uint8_t {
  after,            ///< the result
  before,           ///< the sum, before it is rounded
  after_unbounded,  ///< the sum, rounded as if exponents went on below emin: IEEE 754's "after rounding"
};
/// What becomes of a product of 2^(emax+1) of D's format or more, alone.
enum class ProductOverflow : std::uint8_t {
  exact,     ///< it is an addend like any other
  infinity,  ///< it is an infinite addend
};
enum class ProductKind : std::uint8_t {
  exact_unnormalised,
  exact_normalised,
  exclusive_or,  ///< of single bits, in place of their product
};
enum class AlignmentRounding : std::uint8_t { truncate, floor, nearest_even, sticky };
/// Of one kind of a node's operands: the node's alignment rounding, or another.
enum class OwnAlignmentRounding : std::uint8_t { as_others, truncate, floor, nearest_even, sticky };
enum class Normalisation : std::uint8_t { late, immediate };
enum class Rounding : std::uint8_t { toward_zero, nearest_even, up, down, nearest_away, odd };
enum class Overflow : std::uint8_t {
  infinity,  ///< floating results only
  saturate,
  wrap,          ///< integer results only
  by_direction,  ///< as IEEE 754 rounds: to infinity or to the largest finite number; floating results only
};
/// For all-zero sums and cancellation: `follow` is IEEE's rule. For results that become zero: the sum's own
/// sign.
enum class ZeroSign : std::uint8_t { positive, follow };

/// What zero addends have to do with E, the exponent that a node aligns to.
class ZeroAddends {
 public:
  enum class Kind : std::uint8_t {
    left_out,         ///< nothing
    as_exponent,      ///< each takes part with the exponent z
    factor_exponent,  ///< products take part with the sum of their factors' exponents, a zero's being z
  };
  constexpr ZeroAddends() = default;
  static constexpr ZeroAddends as_exponent(int z) { return {Kind::as_exponent, z}; }
  static constexpr ZeroAddends factor_exponent(int z) { return {Kind::factor_exponent, z}; }

  [[nodiscard]] constexpr Kind kind() const { return kind_; }
  /// z. Requires another kind than left_out.
  [[nodiscard]] constexpr int exponent() const { return z_; }
  friend constexpr bool operator==(const ZeroAddends&, const ZeroAddends&) = default;

 private:
  constexpr ZeroAddends(Kind kind, int z) : kind_(kind), z_(z) {}
  Kind kind_ = Kind::left_out;
  int z_ = 0;
};

/// How the multi-operand adders of one class of nodes compute (exponents and bit counts as in
/// docs/semantics.md).
struct Adder {
  ProductKind product = ProductKind::exact_unnormalised;
  ProductOverflow product_overflow = ProductOverflow::exact;
  ZeroAddends zero_addends;
  std::optional<int> minimum_alignment_exponent;  ///< none: the largest addend alone decides
  std::optional<int> alignment_fraction_bits;     ///< none: exact, nothing is lost
  AlignmentRounding alignment_rounding = AlignmentRounding::truncate;
  /// F of carried sums, and of c, +0 and rounded results, where they have another than the node; none: the
  /// node's.
  std::optional<int> carried_fraction_bits, c_fraction_bits;
  OwnAlignmentRounding carried_alignment_rounding = OwnAlignmentRounding::as_others;
  OwnAlignmentRounding c_alignment_rounding = OwnAlignmentRounding::as_others;
  std::optional<int>
      c_dropped_below;  ///< c and rounded results count as zeros below E minus this; none: never
  Normalisation normalisation = Normalisation::late;
  std::optional<int> extra_carry_bits;  ///< none: the sum never wraps
  Rounding rounding = Rounding::nearest_even;
  int output_fraction_bits = 0;
  friend bool operator==(const Adder&, const Adder&) = default;
};

struct ZeroSigns {
  ZeroSign all_zero = ZeroSign::follow;
  ZeroSign cancelled = ZeroSign::follow;
  ZeroSign rounded = ZeroSign::follow;
  ZeroSign flushed = ZeroSign::follow;
  friend bool operator==(const ZeroSigns&, const ZeroSigns&) = default;
};

/// What holds for every node of a unit.
struct Conventions {
  Subnormals input_subnormals = Subnormals::kept;
  Subnormals c_subnormals = Subnormals::kept;
  Subnormals output_subnormals = Subnormals::kept;
  FlushTest flush_test = FlushTest::after;
  Overflow overflow = Overflow::infinity;
  ZeroSigns zero_sign;
  friend bool operator==(const Conventions&, const Conventions&) = default;
};

/// The parameters of a unit: one point of the hypothesis space, NaN pattern and skeleton aside.
struct ParameterValues {
  std::vector<Adder> adders = std::vector<Adder>(1);  ///< by class of nodes; one at least
  Conventions conventions;
  friend bool operator==(const ParameterValues&, const ParameterValues&) = default;
};

/// Widest domains that the tool can hold; a space uses parts of them.
inline constexpr int kLargestAlignmentFractionBits = 119;
/// Of one kind of operands alone, and of nodes whose sums are carried on.
inline constexpr int kLargestOwnFractionBits = 40;
inline constexpr int kLowestClamp = -300;
inline constexpr int kLowestZeroExponent = -150;
inline constexpr int kLargestCarry = 6;
inline constexpr int kLargestFractionBits = 52;  ///< of a result
/// Stands for "no clamp" where a number is needed: below every addend's exponent in every format.
inline constexpr int kNoClamp = -10000;

}  // namespace mmaprint
