// The addends of a single node in the question about it.
#pragma once

#include <type_traits>

#include "solver/miter.h"

namespace mmaprint {

/// May a node take c for a zero where it lies far below the others?
[[nodiscard]] bool may_drop_c(const Side& side);

/// What a side's node after those of `in.earlier` sees of its operands: gives look(algebra, node, addends,
/// seen).
template <class G, class Look>
auto look_at_addends(G& g, const Side& side, const Evaluated<G>& evaluated, const InputWords<G>& in,
                     const Look& look) {
  const Plan plan = plan_of(side);
  const auto with = [&](auto& source) {
    using A = Symbolic<G, std::remove_reference_t<decltype(source)>>;
    const A a(g, source);
    const PlannedNode& node = plan.nodes[in.earlier->size()];
    Row<Operand<A>> results(in.earlier->size());
    for (const auto& pattern : *in.earlier)
      results.push_back(decode(a, plan.nodes[results.size()].result, pattern));
    Row<Addend<A>> addends(node.operands);
    const auto seen = with_operands<A>(a, plan, in, [&](const auto& operands) {
      return Datapath::gather(a, plan, node, operands, std::span<const Operand<A>>(results.all()), addends);
    });
    return look(a, NodeShape(plan, node), addends.all(), seen);
  };
  if (evaluated.source) return with(*evaluated.source);
  const FixedParameters fixed(std::get<UnitModel>(side));
  return with(fixed);
}

/// The largest exponent among the nonzero addends of that node.
template <class G>
typename SymbolicCore<G>::Int largest_exponent(G& g, const Side& side, const Evaluated<G>& evaluated,
                                               const InputWords<G>& in) {
  return look_at_addends(g, side, evaluated, in, [](const auto&, const auto&, const auto&, const auto& seen) {
    return seen.largest_exponent;
  });
}

/// Are all operands of that node zeros, and is their sum -0 then?
template <class G>
struct AmongZeros {
  typename G::Bool all, negative;
};
template <class G>
AmongZeros<G> among_zeros(G& g, const Side& side, const Evaluated<G>& evaluated, const InputWords<G>& in) {
  return look_at_addends(
      g, side, evaluated, in, [](const auto& a, const auto& node, const auto& addends, const auto& seen) {
        const auto special = a.any(seen.nan, seen.positive_infinity, seen.negative_infinity);
        return AmongZeros<G>{a.all(seen.all_zero, a.no(special)),
                             Datapath::zero_result(a, node, addends).negative};
      });
}

}  // namespace mmaprint
