// What is known of a node's operands of one kind, before any node: the operands' ranges, with which exponents
// they take part in E, and how large they are beside 2^E. Part of solver/node_bounds.h.
#pragma once

#include <optional>

#include "model/count.h"
#include "model/hypotheses.h"
#include "model/plan.h"
#include "solver/product_lemmas.h"
#include "solver/values_at_node.h"

namespace mmaprint {

/// A magnitude in units of 2^unit of the plan at hand.
using Magnitude = Count;
/// The next multiple of 2^bits that is not below x.
[[nodiscard]] Magnitude rounded_up(const Magnitude& x, int bits);
/// 0 for zero, too.
[[nodiscard]] int leading_bit(const Magnitude& x);

/// Magnitudes relative to an exponent e are in units of 2^(e - this).
inline constexpr int kBelowE = 256;

/// Two factors' product, by their significands, which a node of its own may have rounded where it is small.
struct ProductOf {
  FactorWidths factors;
  /// From 2^this on it is what it was, or that power of two; none: it never was anything else but zero.
  std::optional<int> whole_from{};
};

/// What is known of sums of products that have one scale, 2^s without its significand.
struct BesideScale {
  std::size_t product;  ///< one of those
  int fraction_bits;    ///< they are multiples of 2^(s - this)
  int highest_e;        ///< with which exponent above s one takes part in E, at most
  Magnitude largest;    ///< none exceeds this multiple of 2^(s - kBelowE)
};

/// What is known of operands of one kind, where they are not zero.
struct OperandRange {
  Magnitude largest;
  int largest_exponent;              ///< with which one takes part in E
  int lowest_exponent;               ///< the same
  int lowest_bit;                    ///< all are multiples of 2^this
  int smallest;                      ///< none is below 2^this
  int fraction_bits;                 ///< one of 2^e or more is a multiple of 2^(e - this)
  Magnitude largest_of_e;            ///< none exceeds this multiple of 2^(its exponent - kBelowE)
  std::optional<int> subnormal_e{};  ///< as in OperandAlone
  int below_e = 0, below_e_of_one = 0, highest_e_of_subnormal = 0;
  std::optional<int> bits_below_e{};   ///< one is a multiple of 2^(its exponent - this); or fraction_bits
  std::optional<int> below_leading{};  ///< as in OperandAlone; or what lies below its exponent
  std::optional<ProductOf> product{};  ///< as in OperandAlone
  std::optional<BesideScale> beside_scale{};
  OperandKind kind = OperandKind::c;
};

/// Of any hypothesis of a set. Refers to the plan and the set.
class OperandRanges {
 public:
  OperandRanges(const Plan& plan, const Box& box);

  [[nodiscard]] OperandRange c() const;
  [[nodiscard]] OperandRange product(const PlannedNode& node) const;
  /// The exact sum of a node's products, scaled: it takes part in E with its scales' exponents.
  [[nodiscard]] OperandRange scaled_sum(const PlannedNode& node) const;
  /// The exponent of what magnitudes are multiples of.
  [[nodiscard]] int unit() const { return unit_; }
  [[nodiscard]] Magnitude scaled(std::uint64_t significand, int exponent) const;
  [[nodiscard]] Magnitude largest_of(const FormatInfo& f) const;
  /// Of its numbers that have so many fraction bits at most.
  [[nodiscard]] Magnitude largest_of(const FormatInfo& f, int fraction_bits) const;
  /// Are subnormal numbers always flushed?
  [[nodiscard]] bool is_flushed(Parameter subnormals) const;
  /// Significands below 2 with so many fraction bits.
  [[nodiscard]] static Magnitude below_two(int fraction_bits);

 private:
  [[nodiscard]] Magnitude times_largest_scales(Magnitude sum) const;
  [[nodiscard]] OperandRange operand(const Container& from, const FormatInfo& f, Parameter subnormals) const;

  const Plan& plan_;
  const Box& box_;
  int unit_;
};

}  // namespace mmaprint
