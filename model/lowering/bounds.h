// What layers know of a node's sum before any operand: how large it can get. Generic over an algebra.
#pragma once

#include "model/inlining.h"
#include "model/policies.h"

namespace mmaprint {

/// What bounds a node's partial sums.
template <class A>
MMAPRINT_INLINE constexpr SumShape sum_shape(const A& a, const PlanWidths& plan, const NodeShape& node,
                                             int kept, Loss loss) {
  const int adder = node.adder;
  using Mode = AlignmentRounding;
  const auto never = [&](Mode mode) {
    return a.template always<Parameter::alignment_rounding>(adder, [mode](Mode m) { return m != mode; });
  };
  const bool normalised = a.template always<Parameter::product>(
      adder, [](ProductKind kind) { return kind == ProductKind::exact_normalised; });
  SumShape shape{node.products,
                 node.addends - node.products - node.carried.count,
                 kept,
                 normalised ? ProductKind::exact_normalised : ProductKind::exact_unnormalised,
                 Mode::truncate,
                 Normalisation::late,
                 plan.product_bound(),
                 node.carried.bounds,
                 node.carried.largest};
  const bool alike = policy::aligned_alike(a, node);
  if (!alike) shape.alignment_rounding = Mode::nearest_even;  // as some kind's own may be
  if (loss != Loss::by_parameter) return shape;
  // The one of the possible modes that lets sums grow most.
  for (const Mode mode : {Mode::floor, Mode::sticky, Mode::nearest_even})
    if (alike && !never(mode)) shape.alignment_rounding = mode;
  if (!a.template always<Parameter::normalisation>(adder,
                                                   [](Normalisation n) { return n == Normalisation::late; }))
    shape.normalisation = Normalisation::immediate;
  return shape;
}

/// Does no partial sum of that shape leave the range of the adder's carry bits, whichever it has?
template <class A>
MMAPRINT_INLINE constexpr bool never_wraps(const A& a, int adder, const SumShape& shape) {
  return a.template always<Parameter::extra_carry_bits>(
      adder, [&](std::optional<int> carry) { return !carry_can_wrap(carry, shape); });
}

}  // namespace mmaprint
