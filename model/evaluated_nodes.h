// All nodes of a unit on one input, to look into it: what goes into them and what they hand on.
#pragma once

#include "model/concrete.h"
#include "model/datapath.h"
#include "model/fixed_parameters.h"
#include "model/node_results.h"

namespace mmaprint {

/// Machine words that every unit's numbers fit.
using AnyWords = Concrete<Word128, FixedParameters>;

/// fn(algebra, operands, results of all nodes). The plan is the model's; without scales where `sa` and `sb`
/// are empty.
template <class Fn>
auto with_evaluated_nodes(const UnitModel& model, const Plan& plan, std::span<const Pattern> a,
                          std::span<const Pattern> b, Pattern c, std::span<const Pattern> sa,
                          std::span<const Pattern> sb, Fn&& fn) {
  FixedParameters source(model);
  const AnyWords algebra(source);
  const MachineOperands<AnyWords> in(algebra, plan, a.data(), b.data(), c);
  NodeResults<Operand<AnyWords>> results(plan.nodes.size());
  if (sa.empty() && sb.empty())
    Datapath::node_results(algebra, plan, in, results);
  else
    Datapath::node_results(algebra, plan, ScaledOperands(in, algebra, plan, sa, sb), results);
  return fn(algebra, in, results);
}

}  // namespace mmaprint
