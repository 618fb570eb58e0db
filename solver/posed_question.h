// A question over a backend: its words, and what is asserted. Included by the checkers alone.
#pragma once

#include <utility>
#include <vector>

#include "solver/node_question.h"

namespace mmaprint {

template <class G>
struct PosedQuestion {
  DifferenceQuestion<G> of;
  /// All of them together, in this order; none where the difference vanished while it was built.
  std::vector<typename G::Bool> asserted;
  /// A solution is one of the question's. (Of products that are free it need not be.)
  bool is_exact = true;
};

/// Requires gates that can leave products open where the question does, and that nothing was built over.
/// Throws WrongLemma where a lemma is about a product that there is not.
template <class G>
PosedQuestion<G> pose(G& g, const Side& left, const Side& right, const SolverQuestion& question) {
  const auto* node = std::get_if<NodeQuestion>(&question);
  if constexpr (requires { g.free_products(); })
    if (formula_of(question).products == Products::free) g.free_products();
  PosedQuestion<G> posed{node != nullptr
                             ? node_question(g, left, right, node->node, node->facts)
                             : difference_question(g, left, right, std::get<UnitQuestion>(question).where),
                         {},
                         true};
  if (g.known(posed.of.goal) == std::optional(false)) return posed;
  posed.asserted.push_back(posed.of.goal);
  if constexpr (requires { g.free_products(); }) {
    if (!g.free_products_made().empty()) {
      posed.asserted.push_back(g.facts_of_products());
      posed.is_exact = false;
    }
    for (const ProductLemma& lemma : formula_of(question).lemmas) {
      if (lemma.product >= g.free_products_made().size()) throw WrongLemma("there is no such product");
      posed.asserted.push_back(g.said_by(lemma));
    }
  }
  return posed;
}

}  // namespace mmaprint
