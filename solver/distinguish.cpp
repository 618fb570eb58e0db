#include "solver/distinguish.h"

#include <algorithm>
#include <chrono>
#include <stdexcept>

#include "solver/aig_engine.h"
#include "solver/z3_engine.h"

namespace mmaprint {
namespace {

Tree tree_of(const Side& side) {
  if (const auto* model = std::get_if<UnitModel>(&side)) return model->tree;
  const auto& hypotheses = std::get<Hypotheses>(side);
  return mmaprint::tree_of(hypotheses.space->chains[static_cast<std::size_t>(hypotheses.set.chain)]);
}

/// The node with its products and earlier nodes made anonymous: nodes of one shape are one question.
Node shape(Node node) {
  for (Leaf& leaf : node.operands) {
    if (auto* product = std::get_if<ProductLeaf>(&leaf)) product->index = 0;
    if (auto* child = std::get_if<NodeLeaf>(&leaf)) child->node = 0;
  }
  return node;
}

}  // namespace

Distinction compare_by_nodes(const Engine& engine, const Side& left, const Side& right,
                             const Limits& limits) {
  const auto began = std::chrono::steady_clock::now();
  const Tree tree = tree_of(left);
  if (tree_of(right) != tree) return Unknown{};
  std::vector<Node> proved;
  Equivalent total;
  for (std::size_t n = 0; n < tree.nodes.size(); ++n) {
    const Node node = shape(tree.nodes[n]);
    if (std::ranges::find(proved, node) != proved.end()) continue;
    Limits rest = limits;
    if (rest.seconds)
      *rest.seconds -= std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    const auto answer = engine.compare_node(left, right, n, rest);
    const auto* equal = std::get_if<Equivalent>(&answer);
    if (equal == nullptr) return Unknown{};
    total.clauses += equal->clauses;
    proved.push_back(node);
  }
  return total;
}

std::unique_ptr<Engine> make_engine(Solver solver) {
  switch (solver) {
    case Solver::cadical:
      return make_aig_engine();
    case Solver::z3:
      return make_z3_engine();
  }
  throw std::invalid_argument("no such solver");
}

}  // namespace mmaprint
