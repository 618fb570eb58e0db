// The parameters of one adder node and of a unit, their domains, and typed access to them by name.
//
// Every parameter has a finite domain, addressed by index, so that sets of hypotheses are products of small
// sets. Meanings follow Fasi et al. 2021 and Khattak & Mikaitis 2025; docs/semantics.md defines each exactly.
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

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

enum class Parameter : std::uint8_t {
  input_subnormals,
  c_subnormals,
  output_subnormals,
  product,
  minimum_alignment_exponent,
  alignment_fraction_bits,
  alignment_rounding,
  normalisation,
  extra_carry_bits,
  block_rounding,
  output_fraction_bits,
  final_rounding,  ///< of the root that adds c last; equal to block_rounding where there is no such root
  overflow,
  zero_all_zero,
  zero_cancelled,
  zero_rounded,
  zero_flushed,
};
inline constexpr std::size_t kParameterCount = 17;

/// How one multi-operand adder computes (exponents and bit counts as in docs/semantics.md).
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

/// One point of the hypothesis space, NaN pattern and structure aside.
struct ParameterValues {
  Adder block;
  Rounding final_rounding = Rounding::nearest_even;
  Conventions conventions;
  friend bool operator==(const ParameterValues&, const ParameterValues&) = default;
};

/// Widest domains that the tool can hold; a space uses parts of them.
inline constexpr int kLargestAlignmentFractionBits = 119;
inline constexpr int kLowestClamp = -300;
inline constexpr int kLargestCarry = 6;
/// Stands for "no clamp" where a number is needed: below every addend's exponent in every format.
inline constexpr int kNoClamp = -10000;

/// A parameter's row: its name as a feature, and how many values its domain has (index 0 .. size-1).
struct ParameterInfo {
  Parameter id;
  std::string_view name;
  int size;
};
[[nodiscard]] const std::array<ParameterInfo, kParameterCount>& all_parameters();
[[nodiscard]] const ParameterInfo& info(Parameter parameter);

/// The index of the value that `values` holds for `parameter`, and its inverse.
[[nodiscard]] int value_index(const ParameterValues& values, Parameter parameter);
void set_value(ParameterValues& values, Parameter parameter, int index);

/// Index of an optional count: the count itself, and `none` last, so that more kept bits have a larger index.
template <int Largest>
struct OptionalCount {
  static constexpr int kSize = Largest + 2;
  static constexpr std::optional<int> value(int i) { return i > Largest ? std::nullopt : std::optional(i); }
  static constexpr int index(std::optional<int> v) { return v ? *v : Largest + 1; }
};
using AlignmentBitsDomain = OptionalCount<kLargestAlignmentFractionBits>;
using CarryDomain = OptionalCount<kLargestCarry>;
/// Index 0 is `none`, then kLowestClamp .. 0 in ascending order.
struct ClampDomain {
  static constexpr int kSize = -kLowestClamp + 2;
  static constexpr std::optional<int> value(int i) {
    return i == 0 ? std::nullopt : std::optional(kLowestClamp + i - 1);
  }
  static constexpr int index(std::optional<int> v) { return v ? *v - kLowestClamp + 1 : 0; }
};

/// The typed value of P's domain at an index: what the datapath's `select<P>` passes on.
template <Parameter P>
[[nodiscard]] constexpr auto typed_value(int index) {
  using enum Parameter;
  if constexpr (P == input_subnormals || P == c_subnormals || P == output_subnormals)
    return static_cast<Subnormals>(index);
  else if constexpr (P == product)
    return static_cast<ProductKind>(index);
  else if constexpr (P == minimum_alignment_exponent)
    return ClampDomain::value(index);
  else if constexpr (P == alignment_fraction_bits)
    return AlignmentBitsDomain::value(index);
  else if constexpr (P == alignment_rounding)
    return static_cast<AlignmentRounding>(index);
  else if constexpr (P == normalisation)
    return static_cast<Normalisation>(index);
  else if constexpr (P == extra_carry_bits)
    return CarryDomain::value(index);
  else if constexpr (P == block_rounding || P == final_rounding)
    return static_cast<Rounding>(index);
  else if constexpr (P == output_fraction_bits)
    return index;
  else if constexpr (P == overflow)
    return static_cast<Overflow>(index);
  else
    return static_cast<ZeroSign>(index);
}

}  // namespace mmaprint
