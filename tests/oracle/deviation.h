// Named points at which a unit may depart from the definition. Each sees what a step has made and may change
// it; none is set by default, and then the oracle computes as docs/semantics.md says.
#pragma once

#include <functional>
#include <vector>

#include "oracle/addend.h"

namespace mmaprint::oracle {

enum class Role : std::uint8_t { a, b, c };
using Addends = std::vector<Addend>;

/// What a node's addends become multiples of: 2^unit, with `exponent` the node's E.
struct Grid {
  long exponent = 0;
  long unit = 0;
  Rounding rounding = Rounding::toward_zero;  ///< of the alignment
};

struct Deviation {
  /// An operand, decoded and flushed; index 0 for c.
  std::function<void(Role, int index, Addend& x)> operand;
  /// A product, which knows its index (`from`).
  std::function<void(const Addend& a, const Addend& b, Addend& product)> product;
  /// The parameters that a node computes with.
  std::function<void(int node, Adder&, Conventions&)> parameters;
  /// All addends of a node, before anything else.
  std::function<void(int node, Addends&)> addends;
  /// A node's E.
  std::function<void(int node, const Addends&, long& exponent)> alignment_exponent;
  /// A nonzero addend as a multiple of the grid's unit.
  std::function<void(int node, const Addend&, const Grid&, mpz_class& aligned)> aligned;
  /// units / 2^shift as an integer, in place of the rounding of a node's sum. Called with shift > 0.
  std::function<mpz_class(int node, const mpz_class& units, long shift, Rounding)> rounded;
  /// What overflow does, where a rounded sum is too large; `leading` is the unrounded sum's exponent.
  std::function<void(int node, long leading, bool negative, Overflow&)> overflow;
  /// A node's result, whatever decided it.
  std::function<void(int node, const Addends&, Addend& result)> result;

  /// Of integer units: an operand.
  std::function<void(Role, int index, mpz_class& x)> integer_operand;
  /// A product.
  std::function<void(int index, mpz_class& product)> integer_product;
  /// The sum of a node's products, before c or an earlier node's result joins.
  std::function<void(int node, mpz_class& products)> integer_products;
  /// A node's exact sum, before it wraps or saturates.
  std::function<void(int node, mpz_class& sum)> integer_sum;
};

}  // namespace mmaprint::oracle
