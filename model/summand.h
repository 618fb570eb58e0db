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
};

/// A product of two operands, with what makes it special.
template <class A>
struct Product {
  Addend<A> value;
  typename A::Bool nan, infinite;
};

/// What a node's operands amount to before they are added.
template <class A>
struct Gathered {
  typename A::Bool nan, positive_infinity, negative_infinity, all_zero;
  typename A::Int largest_exponent;
};

/// What is known of a node before any operand: which of the unit's adders it is, how many addends it has, and
/// how many of these are products.
struct NodeShape {
  int adder, addends, products;
  OperandBits bits;
  const FormatInfo& result;  ///< the format that its sum is rounded to

  template <class Node>
  constexpr NodeShape(const PlanWidths& plan, const Node& node)
      : adder(node.adder),
        addends(static_cast<int>(node.operands)),
        products(node.products),
        bits(node.bits),
        result(node.result_of(plan)) {}
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
  int kept;   ///< F; void where there is no loss
  int width;  ///< bits of the accumulator
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
