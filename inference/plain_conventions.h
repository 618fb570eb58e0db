// Conventions and conversions that cannot matter in a model (inference/plain_form.h): rules for signs of
// zeros that no result shows, for results that no sum can have, for subnormals that no operand is; exact
// conversions that move exponents where nothing is lost with either.
//
// All of them require a model whose nodes have a class each, and what is known of these nodes.
#pragma once

#include <span>

#include "inference/plain_form.h"
#include "model/container.h"

namespace mmaprint {

/// What is known of an operand that comes in, where it is finite and not zero.
struct ComputedOperand {
  int lowest_bit;        ///< it is a multiple of 2^this
  int lowest_exponent;   ///< with which it is computed: its own, or emin where it is subnormal
  int largest_exponent;  ///< the same
  bool may_be_subnormal;
  /// In a container, computed in the format `as`.
  ComputedOperand(const Container& from, const FormatInfo& as);
};

/// A class for each node, as facts are.
void give_every_node_a_class(UnitModel& model);

/// Has no kind of operand an alignment of its own?
[[nodiscard]] bool aligns_kinds_alike(const Adder& adder);
/// Where nothing is lost, whatever E is: how operands are aligned and when sums are normalised means nothing.
void align_by_default(Adder& adder);

void simplify_conventions(UnitModel& model, std::span<const NodeFacts> facts);
void simplify_paths(UnitModel& model, std::span<const NodeFacts> facts);

}  // namespace mmaprint
