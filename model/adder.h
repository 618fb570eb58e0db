// What the parameters of an adder node and of a unit are values of, and where models hold them.
//
// Meanings follow Fasi et al. 2021 and Khattak & Mikaitis 2025; docs/semantics.md defines each exactly, and
// model/parameter_table.h has a row for each.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

namespace mmaprint {

enum class Subnormals : std::uint8_t { kept, flushed };
enum class ProductKind : std::uint8_t {
  exact_unnormalised,
  exact_normalised,
  exclusive_or,  ///< of single bits, in place of their product
};
enum class AlignmentRounding : std::uint8_t { truncate, floor, nearest_even, sticky };
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

/// How the multi-operand adders of one class of nodes compute (exponents and bit counts as in
/// docs/semantics.md).
struct Adder {
  ProductKind product = ProductKind::exact_unnormalised;
  std::optional<int> minimum_alignment_exponent;  ///< none: the largest addend alone decides
  std::optional<int> alignment_fraction_bits;     ///< none: exact, nothing is lost
  AlignmentRounding alignment_rounding = AlignmentRounding::truncate;
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
inline constexpr int kLowestClamp = -300;
inline constexpr int kLargestCarry = 6;
inline constexpr int kLargestFractionBits = 52;  ///< of a result
/// Stands for "no clamp" where a number is needed: below every addend's exponent in every format.
inline constexpr int kNoClamp = -10000;

}  // namespace mmaprint
