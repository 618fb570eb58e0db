// What can happen at the nodes of any hypothesis of a set, from the operands' ranges and the parameters
// alone.
//
// An abstract interpretation: each node's operands are bounded by the largest magnitude that they can have
// and by the power of two that all of them are multiples of, and alignment, sum, carries and rounding are
// followed on these bounds, exactly, in big integers, with whatever the set's parameters make worst. Where no
// node can overflow, give a subnormal or round a sum to zero, the parameters that say what becomes of it do
// not matter, which needs no formula; and the formulas that are built know the ranges of the results.
#pragma once

#include <optional>
#include <vector>

#include "model/hypotheses.h"
#include "model/plan.h"

namespace mmaprint {

/// Of a node's results, those of every hypothesis of a set.
struct NodeBounds {
  int lowest_bit;        ///< a finite result is a multiple of 2^this
  int largest_exponent;  ///< a finite result is less than 2^(this + 1)
  bool overflows;        ///< may a sum of finite operands round beyond the largest number?
  bool is_subnormal;     ///< may a sum that is not zero lie below the smallest normal number?
  bool vanishes;         ///< may such a sum round to zero?
};

/// By the nodes' indices. nullopt where this is not worked out: for integers, and where some node carries its
/// sum on, aligns its kinds of operands by rules of their own or may count zeros among what decides E.
[[nodiscard]] std::optional<std::vector<NodeBounds>> node_bounds(const Plan& plan, const Box& box);

/// Does every hypothesis of the set give the same results whichever of its values this parameter has, as what
/// the parameter is about cannot happen? `false` says nothing.
[[nodiscard]] bool never_matters(const Plan& plan, const Box& box, const ParameterKey& key);

}  // namespace mmaprint
