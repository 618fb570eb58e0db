// What can happen at the nodes of any hypothesis of a set, from the operands' ranges and the parameters
// alone.
//
// An abstract interpretation: each node's operands are bounded by the largest and the smallest magnitude that
// they can have and by the power of two that all of them are multiples of, and alignment, sum, carries and
// rounding are followed on these bounds, exactly, in big integers, with whatever the set's parameters make
// worst. What cannot happen makes parameters idle (solver/idle_values.h); and the formulas that are built
// know the ranges of the results.
#pragma once

#include <optional>
#include <vector>

#include "model/hypotheses.h"
#include "model/plan.h"
#include "solver/operand_ranges.h"

namespace mmaprint {

/// Of a node's operands that are not zero.
struct OperandBounds {
  int lowest_bit;  ///< all are multiples of 2^this
  int lowest_e;    ///< E, unless a clamp raises it
  int highest_e;   ///< E, clamps included
  /// All are multiples of 2^(E - this), whatever E is, clamps included.
  int bits_below_e;
};

/// Of one operand, where it is not zero.
struct OperandAlone {
  int lowest_bit;                  ///< it is a multiple of 2^this
  int lowest_e;                    ///< with which exponent it takes part in E, at least
  int leading_above_e;             ///< it is below 2^(that exponent + this + 1)
  int highest_e;                   ///< the same, at most
  int smallest;                    ///< it is not below 2^this
  int fraction_bits;               ///< it is a multiple of 2^(that exponent - this)
  int below_leading;               ///< and of 2^(the place of its leading bit - this)
  std::optional<int> subnormal_e;  ///< that exponent, where a c or a result is subnormal
  /// Products are 2^(that exponent - this) at least; and where one factor at most is subnormal; and with
  /// which exponents one may be.
  int below_e = 0, below_e_of_one = 0, highest_e_of_subnormal = 0;
  std::optional<ProductOf> product{};  ///< where it is one, rounded or not
  OperandKind kind = OperandKind::c;

  /// Of a product that was not rounded, or to itself alone; null: it may be anything else.
  [[nodiscard]] const FactorWidths* factors() const {
    return product && !product->whole_from ? &product->factors : nullptr;
  }
  /// How far below that exponent may it lie? Two subnormal factors have the lowest one.
  [[nodiscard]] int least_below(int exponent) const {
    if (exponent > highest_e_of_subnormal) return 0;
    return exponent > lowest_e ? below_e_of_one : below_e;
  }
};

/// Of a node's sums before they are rounded, partial sums included; and of sums that are not zero.
struct SumBounds {
  int leading_above_e;   ///< all are below 2^(E + this + 1), before they wrap
  int lowest_bit;        ///< all are multiples of 2^this
  int smallest;          ///< none is below 2^this
  int largest_exponent;  ///< all are below 2^(this + 1)
  int below_leading;     ///< each is a multiple of 2^(the place of its leading bit - this)

  /// May a sum lie outside of -2^(E+1+n) .. 2^(E+1+n)?
  [[nodiscard]] bool wraps(int extra_carry_bits) const { return leading_above_e > extra_carry_bits; }
};

/// Of a node's results that are finite and not zero.
struct NodeBounds {
  OperandBounds operands;
  std::vector<OperandAlone> each;  ///< operand by operand, in the node's order
  SumBounds sum;
  int lowest_bit;        ///< all are multiples of 2^this
  int smallest;          ///< none is below 2^this
  int largest_exponent;  ///< all are below 2^(this + 1)
  bool overflows;        ///< may a sum of finite operands round beyond the largest number?
  bool is_subnormal;     ///< may a sum that is not zero lie below the smallest normal number?
  bool vanishes;         ///< may such a sum round to zero?
  /// Does it add what it is given, without a sum that is carried to it or on, kinds of operands that are
  /// aligned by rules of their own, or zeros that have a say in E? Else less is known of its sums: nothing
  /// that depends on which bits alignment leaves.
  bool is_plain = true;
};

/// By the nodes' indices. nullopt where this is not worked out: for integers, and where some node carries its
/// sum on, aligns its kinds of operands by rules of their own or may count zeros among what decides E.
[[nodiscard]] std::optional<std::vector<NodeBounds>> node_bounds(const Plan& plan, const Box& box);

/// The same of any unit but of integers: of nodes that are not plain, too.
[[nodiscard]] std::optional<std::vector<NodeBounds>> bounds_of_any_nodes(const Plan& plan, const Box& box);
/// Are all sums multiples of the last places of results with so many fraction bits, as none has more bits?
[[nodiscard]] bool all_sums_fit(const PlannedNode& node, const NodeBounds& bounds, int fraction_bits);
/// With which exponent a product that is not zero takes part in a node's E, at least.
[[nodiscard]] int lowest_exponent_of_products(const Plan& plan, const Box& box, const PlannedNode& node);

}  // namespace mmaprint
