#include "solver/distinguish.h"

#include <algorithm>
#include <chrono>
#include <stdexcept>

#include "model/plan.h"
#include "solver/aig_engine.h"
#include "solver/z3_engine.h"

namespace mmaprint {
namespace {

/// The node with its products and earlier nodes made anonymous, and what its operands are multiples of: nodes
/// that agree in these are one question.
struct NodeShape {
  Node node;
  int lowest_bit;
  friend bool operator==(const NodeShape&, const NodeShape&) = default;
};
NodeShape shape_of(Node node, const PlannedNode& planned) {
  for (Leaf& leaf : node.operands) {
    if (auto* product = std::get_if<ProductLeaf>(&leaf)) product->index = 0;
    if (auto* child = std::get_if<NodeLeaf>(&leaf)) child->node = 0;
  }
  return {std::move(node), planned.lowest_bit};
}

}  // namespace

const OperandFormats& formats_of(const Side& side) {
  if (const auto* model = std::get_if<UnitModel>(&side)) return model->formats;
  return std::get<Hypotheses>(side).space->formats;
}

int products_of(const Side& side) {
  if (const auto* model = std::get_if<UnitModel>(&side)) return model->k;
  return std::get<Hypotheses>(side).space->k;
}

Tree tree_of(const Side& side) {
  if (const auto* model = std::get_if<UnitModel>(&side)) return model->tree;
  const auto& hypotheses = std::get<Hypotheses>(side);
  return tree_of(hypotheses.space->chains[static_cast<std::size_t>(hypotheses.set.chain)]);
}

UnitModel model_of(const Side& side, const std::optional<ParameterValues>& chosen) {
  if (const auto* model = std::get_if<UnitModel>(&side)) return *model;
  const auto& hypotheses = std::get<Hypotheses>(side);
  return hypotheses.space->model(hypotheses.set.chain, chosen.value(), hypotheses.set.nan);
}

namespace {

/// All nodes, with the same facts.
Distinction compare_nodes(const Engine& engine, const Side& left, const Side& right,
                          const EarlierResults& facts, const Limits& limits) {
  const auto began = std::chrono::steady_clock::now();
  const Tree tree = tree_of(left);
  const Plan plan(formats_of(left), products_of(left), tree);
  std::vector<NodeShape> proved;
  Equivalent total;
  for (std::size_t n = 0; n < tree.nodes.size(); ++n) {
    const NodeShape shape = shape_of(tree.nodes[n], plan.nodes[n]);
    if (std::ranges::find(proved, shape) != proved.end()) continue;
    Limits rest = limits;
    if (rest.seconds)
      *rest.seconds -= std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    auto answer = engine.compare_node(left, right, n, facts, rest);
    const auto* equal = std::get_if<Equivalent>(&answer);
    if (equal == nullptr) return answer;
    total.clauses += equal->clauses;
    proved.push_back(shape);
  }
  return total;
}

}  // namespace

Distinction compare_by_nodes(const Engine& engine, const Side& left, const Side& right,
                             const Limits& limits) {
  const auto began = std::chrono::steady_clock::now();
  if (tree_of(right) != tree_of(left) || info(formats_of(left).d).is_integer()) return Unknown{};
  constexpr EarlierResults kFacts[] = {{false, false}, {false, true}, {true, false}, {true, true}};
  for (const EarlierResults& facts : kFacts) {
    Limits rest = limits;
    if (rest.seconds)
      *rest.seconds -= std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    auto answer = compare_nodes(engine, left, right, facts, rest);
    if (!std::holds_alternative<Witness>(answer)) return answer;
    const auto& witness = std::get<Witness>(answer);
    if (evaluate(model_of(left, witness.left), witness.input) !=
        evaluate(model_of(right, witness.right), witness.input))
      return answer;
    if (tree_of(left).nodes.size() == 1) break;
  }
  return Unknown{};
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
