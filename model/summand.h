// What the specification's steps hand to one another. Generic over an algebra.
#pragma once

#include "model/operand.h"
#include "model/plan.h"

namespace mmaprint {

/// What a node aligns: the value is significand·2^(exponent - fraction_bits) with as many fraction bits (and
/// two more bits) in all addends of a plan. A zero has the lowest exponent.
template <class A>
struct Addend {
  typename A::Bool negative, zero;
  typename A::Int exponent;
  typename A::Word significand;
  friend bool operator==(const Addend&, const Addend&) = default;
};

template <class A>
constexpr Addend<A> mux(const A& a, typename A::Bool condition, const Addend<A>& yes, const Addend<A>& no) {
  return {a.mux(condition, yes.negative, no.negative), a.mux(condition, yes.zero, no.zero),
          a.mux(condition, yes.exponent, no.exponent), a.mux(condition, yes.significand, no.significand)};
}

/// A product of two operands, with what makes it special.
template <class A>
struct Product {
  Addend<A> value;
  typename A::Bool nan, infinite;
};

/// The zeros among a node's addends, as far as they can have to do with E. Carried sums that cancelled are
/// none.
template <class A>
struct ZerosSeen {
  typename A::Bool any;
  /// The largest exponent of the scales of a product of two zeros; kNoClamp if there is none.
  typename A::Int twice_zero;
  typename A::Int beside;  ///< the largest exponent of a factor beside a zero one; kNoClamp if there is none
};

/// What a node's operands amount to before they are added.
template <class A>
struct Gathered {
  typename A::Bool nan, positive_infinity, negative_infinity, all_zero;
  typename A::Int largest_exponent;  ///< of those that are no zeros
  ZerosSeen<A> zeros;                ///< void where they are left out
};

/// A carried sum. Of zeros alone it is a zero like any; where it cancelled it has its exponent all the same.
template <class A>
struct CarriedSum {
  Addend<A> value;
  typename A::Bool of_zeros, nan, infinite;
  friend bool operator==(const CarriedSum&, const CarriedSum&) = default;
};
template <class A>
constexpr CarriedSum<A> mux(const A& a, typename A::Bool condition, const CarriedSum<A>& yes,
                            const CarriedSum<A>& no) {
  return {mux(a, condition, yes.value, no.value), a.mux(condition, yes.of_zeros, no.of_zeros),
          a.mux(condition, yes.nan, no.nan), a.mux(condition, yes.infinite, no.infinite)};
}

/// What is known of a node before any operand: which of the unit's adders it is, how many addends it has, and
/// how many of these are products.
struct NodeShape {
  int adder, addends, products;
  OperandBits bits;
  const FormatInfo& result;  ///< the format that its sum is rounded to, unless it is carried
  bool is_carried = false;
  CarriedOperands carried{};
  const OperandKind* kinds = nullptr;  ///< of its addends; none where all are aligned alike

  template <class Node>
  constexpr NodeShape(const PlanWidths& plan, const Node& node)
      : adder(node.adder),
        addends(static_cast<int>(node.operands)),
        products(node.products),
        bits(node.bits),
        result(node.result_of(plan)) {
    if constexpr (requires { node.kinds; }) {
      is_carried = node.is_carried;
      carried = node.carried;
      kinds = node.kinds.data();
    }
  }
  [[nodiscard]] constexpr bool has(OperandKind kind) const {
    return kinds != nullptr && std::find(kinds, kinds + addends, kind) != kinds + addends;
  }
};

/// F, of each kind of operands; none keeps all.
struct FractionBits {
  std::optional<int> product, carried, c;

  [[nodiscard]] constexpr std::optional<int> of(OperandKind kind) const {
    return kind == OperandKind::product ? product : kind == OperandKind::carried ? carried : c;
  }
  /// That of the sum.
  [[nodiscard]] constexpr std::optional<int> largest() const {
    return product && carried && c ? std::optional(std::max({*product, *carried, *c})) : std::nullopt;
  }
};

/// What becomes of bits below 2^(E - F).
enum class Loss : std::uint8_t {
  by_parameter,  ///< the adder's alignment rounding decides
  none,          ///< there are none
  sticky,        ///< of addends they are kept as one sticky bit; partial sums keep all bits
};

/// How a node aligns: the exponent E, the fraction bits F kept below it, and what becomes of the rest.
template <class A>
struct Alignment {
  typename A::Int exponent;
  Loss loss;
  int kept;                                  ///< F, the largest of all kinds'; void where there is no loss
  int width;                                 ///< bits of the accumulator
  std::optional<FractionBits> by_kind = {};  ///< where operands are not aligned alike
};

/// A sum, rounded: ±significand·2^(exponent - fraction_bits) with emin <= exponent, which may still be beyond
/// the format's largest. The significand has the format's precision, and its top bit is zero at emin only.
template <class A>
struct Rounded {
  typename A::Bool negative;
  typename A::Int exponent;
  typename A::Word significand;
};

/// d, or the fact that it is NaN (which pattern stands for NaN is not the datapath's business).
template <class A>
struct DotResult {
  typename A::Bool nan;
  typename A::Word pattern;
};

}  // namespace mmaprint
