#include "solver/by_nodes.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <span>
#include <utility>

#include "base/parallel.h"
#include "model/alike_nodes.h"
#include "model/evaluator.h"
#include "model/pattern.h"
#include "model/plan.h"
#include "solver/earlier_zeros.h"
#include "solver/lifted_input.h"
#include "solver/node_question.h"
#include "solver/node_range.h"
#include "solver/race.h"
#include "solver/relays.h"

namespace mmaprint {
namespace {

struct EarlierResult {
  Format format;
  int adder;
  bool has_c;
  friend bool operator==(const EarlierResult&, const EarlierResult&) = default;
};

/// The node with its products and earlier nodes made anonymous, what its operands are multiples of, and of
/// the earlier results among them the formats, what rounds them and whether c is in them: nodes that agree in
/// these are one question.
struct ShapeOfNode {
  Node node;  ///< earlier nodes are kResult or kPart in it, as operands may not do in any order
  OperandBits bits;
  std::vector<EarlierResult> earlier;
  std::vector<ShapeOfNode> inner;  ///< nodes that are part of it: carried sums, and relays (solver/relays.h)
  std::vector<std::pair<int, int>> scales;  ///< of each product, by ScaleNumbers
  bool is_root = false;  ///< its results have to agree in zeros' signs, where others' need not
  friend bool operator==(const ShapeOfNode&, const ShapeOfNode&) = default;

  static constexpr int kResult = 0, kPart = 1;  ///< in `earlier`, in `inner`
};

/// Numbers scales in the order in which a node's products, and those of the sums that are carried to it, have
/// them: so that shapes tell which have one in common.
class ScaleNumbers {
 public:
  explicit ScaleNumbers(const ScaleWidths& scales) : scales_(scales) {}
  std::pair<int, int> of(const ProductLeaf& product) {
    return {number(scales_.a, seen_.first, product.index), number(scales_.b, seen_.second, product.index)};
  }

 private:
  static int number(const std::optional<PlannedScales>& scales, std::vector<int>& seen, int product) {
    if (!scales) return 0;
    const int scale = product / scales->per;
    const auto place = std::ranges::find(seen, scale);
    const auto n = static_cast<int>(place - seen.begin());
    if (place == seen.end()) seen.push_back(scale);
    return n;
  }
  const ScaleWidths& scales_;
  std::pair<std::vector<int>, std::vector<int>> seen_;
};

ShapeOfNode shape_of(const Side& side, const Tree& tree, const Plan& plan, std::size_t n,
                     ScaleNumbers& scales) {
  const std::vector<bool> relays = relays_to(side, plan, n), with_c = have_c(tree);
  ShapeOfNode shape{tree.nodes[n], plan.nodes[n].bits, {}, {}, {}, false};
  for (Leaf& leaf : shape.node.operands) {
    if (auto* product = std::get_if<ProductLeaf>(&leaf)) {
      shape.scales.push_back(scales.of(*product));
      product->index = 0;
    }
    auto* child = std::get_if<NodeLeaf>(&leaf);
    if (child == nullptr) continue;
    const auto earlier = static_cast<std::size_t>(child->node);
    const bool is_part = plan.nodes[earlier].is_carried || relays[earlier];
    child->node = is_part ? ShapeOfNode::kPart : ShapeOfNode::kResult;
    if (is_part)
      shape.inner.push_back(shape_of(side, tree, plan, earlier, scales));
    else
      shape.earlier.push_back({plan.nodes[earlier].result.id, plan.nodes[earlier].adder, with_c[earlier]});
  }
  return shape;
}

/// A node on both sides.
using Shapes = std::pair<ShapeOfNode, ShapeOfNode>;

/// By node; the root's is like no other.
std::vector<Shapes> shapes_of(const Side& left, const Side& right) {
  const std::pair trees{tree_of(left), tree_of(right)};
  const std::pair plans{plan_of(left), plan_of(right)};
  std::vector<Shapes> shapes;
  const auto shape = [](const Side& side, const Tree& tree, const Plan& plan, std::size_t n) {
    ScaleNumbers scales(plan.scales);
    return shape_of(side, tree, plan, n, scales);
  };
  for (std::size_t n = 0; n < trees.first.nodes.size(); ++n)
    shapes.emplace_back(shape(left, trees.first, plans.first, n),
                        shape(right, trees.second, plans.second, n));
  shapes.back().first.is_root = true;
  return shapes;
}

/// A witness on which the units differ, from one on which a node does.
std::optional<Witness> lifted(const Side& left, const Side& right, std::size_t node, Witness found) {
  auto input = lifted_input(left, model_of(left, found.left), model_of(right, found.right), node, found);
  if (!input) return std::nullopt;
  return Witness{*std::move(input), std::move(found.left), std::move(found.right)};
}

/// All nodes, with the same facts: equivalent, a witness of the units, or unknown. Of the nodes
/// of a shape that is not proved the last is tried as well: the most products come before it, and so most
/// results of earlier nodes occur. With several threads nodes are asked about side by side.
class NodesInTurn {
 public:
  NodesInTurn(const EquivalenceChecker& checker, const Side& left, const Side& right,
              const OperandFacts& facts, const Limits& limits)
      : checker_(checker),
        left_(left),
        right_(right),
        facts_(facts),
        allowance_(limits),
        plan_(plan_of(left)),
        shapes_(shapes_of(left, right)),
        is_done_(shapes_.size(), false) {}

  Distinction operator()() {
    for (std::vector<std::size_t> nodes = next(); !nodes.empty(); nodes = next()) {
      std::vector<Answer> answers = asked(nodes);
      const auto first = std::ranges::min_element(answers, {}, &Answer::steps_to_witness);
      if (first->witness) return *std::move(first->witness);
      for (std::size_t i = 0; i < nodes.size(); ++i) take_in(nodes[i], std::move(answers[i].given));
    }
    if (is_open_) return Unknown{};
    return total_;
  }
  /// Of an answer that is unknown: did a node's results differ, on operands that may not occur?
  [[nodiscard]] bool more_facts_may_help() const { return differs_; }

 private:
  struct Answer {
    Distinction given = Unknown{};
    std::optional<Witness> witness{};  ///< of the units
    std::int64_t steps = 0;
    [[nodiscard]] std::int64_t steps_to_witness() const {
      return witness ? steps : std::numeric_limits<std::int64_t>::max();
    }
  };

  /// As many as there are threads, each of another shape; none where all is answered.
  std::vector<std::size_t> next() {
    const auto is_among = [&](const std::vector<Shapes>& some, std::size_t n) {
      return std::ranges::find(some, shapes_[n]) != some.end();
    };
    std::vector<std::size_t> nodes;
    for (std::size_t n = 0; n < shapes_.size() && std::cmp_less(nodes.size(), threads()); ++n) {
      if (plan_.nodes[n].is_carried) continue;  // a part of the node that it joins
      const auto later = std::span(shapes_).subspan(n + 1);
      const bool is_last = std::ranges::find(later, shapes_[n]) == later.end();
      if (is_among(proved_, n) || (!is_last && is_among(open_, n))) is_done_[n] = true;
      const auto is_alike = [&](std::size_t other) { return shapes_[other] == shapes_[n]; };
      if (!is_done_[n] && std::ranges::none_of(nodes, is_alike)) nodes.push_back(n);
    }
    return nodes;
  }
  [[nodiscard]] int threads() { return std::max(1, allowance_.rest().threads); }

  /// Each gets the same share of what is left, and one is left for what comes later. A witness makes those
  /// needless that take more steps: they stop, and count for as many as it took.
  std::vector<Answer> asked(const std::vector<std::size_t>& nodes) {
    Limits each = allowance_.rest();
    const auto later = std::span(shapes_).subspan(nodes.back() + 1);
    const bool has_later = std::ranges::any_of(later, [&](const Shapes& shape) {
      return std::ranges::none_of(nodes, [&](std::size_t n) { return shapes_[n] == shape; });
    });
    const auto shares = static_cast<std::int64_t>(nodes.size() + (has_later ? 1 : 0));
    const auto at_once = static_cast<int>(nodes.size());
    if (each.seconds && has_later) *each.seconds /= 2;
    if (each.steps) *each.steps = (*each.steps + shares - 1) / shares;
    each.threads = std::max(1, threads() / at_once);
    Race race;
    std::vector<Answer> answers(nodes.size());
    in_parallel(nodes.size(), at_once, [&](std::size_t i) {
      Limits own = each;
      own.spent = &answers[i].steps;
      own.racing = {&race};
      answers[i].given = checker_.compare_node(left_, right_, nodes[i], facts_, own);
      if (const auto* witness = std::get_if<Witness>(&answers[i].given))
        answers[i].witness = lifted(left_, right_, nodes[i], *witness);
      if (answers[i].witness) race.decided(answers[i].steps);
    });
    const std::int64_t most = std::ranges::min(answers, {}, &Answer::steps_to_witness).steps_to_witness();
    for (const Answer& answer : answers) *each.spent += std::min(answer.steps, most);
    return answers;
  }

  /// What is no witness of the units.
  void take_in(std::size_t node, Distinction&& given) {
    is_done_[node] = true;
    if (auto* equal = std::get_if<Equivalent>(&given)) {
      total_.clauses += equal->clauses;
      std::ranges::move(equal->proved, std::back_inserter(total_.proved));
      proved_.push_back(shapes_[node]);
      return;
    }
    open_.push_back(shapes_[node]);
    is_open_ = true;
    differs_ = differs_ || std::holds_alternative<Witness>(given);
  }

  const EquivalenceChecker& checker_;
  const Side& left_;
  const Side& right_;
  const OperandFacts& facts_;
  Allowance allowance_;
  Plan plan_;
  std::vector<Shapes> shapes_;
  std::vector<bool> is_done_;
  std::vector<Shapes> proved_, open_;
  Equivalent total_;  ///< of those that are proved
  bool is_open_ = false, differs_ = false;
};

}  // namespace

Distinction compare_by_nodes(const EquivalenceChecker& checker, const Side& left, const Side& right,
                             const Limits& limits, Inputs inputs) {
  Allowance allowance(limits);
  using enum EarlierZeros;
  constexpr OperandFacts kFacts[] = {
      {same, false},           {positive, false}, {any, false},     {left_positive, false},
      {right_positive, false}, {same, true},      {positive, true}, {any, true}};
  for (OperandFacts facts : kFacts) {
    facts.inputs = inputs;
    if (!is_shown_by_nodes(left, right, facts)) continue;
    NodesInTurn nodes(checker, left, right, facts, allowance.rest());
    auto answer = nodes();
    if (!std::holds_alternative<Unknown>(answer) || !nodes.more_facts_may_help()) return answer;
    if (tree_of(left).nodes.size() == 1) break;
  }
  return Unknown{};
}

std::vector<std::size_t> nodes_to_compare(const Side& left, const Side& right) {
  const Plan plan = plan_of(left);
  const std::vector<Shapes> shapes = shapes_of(left, right);
  std::vector<std::size_t> nodes;
  for (std::size_t n = 0; n < shapes.size(); ++n) {
    const bool is_known =
        std::ranges::any_of(nodes, [&](std::size_t earlier) { return shapes[earlier] == shapes[n]; });
    if (!plan.nodes[n].is_carried && !is_known) nodes.push_back(n);
  }
  return nodes;
}

bool is_shown_by_nodes(const Side& left, const Side& right, const OperandFacts& facts) {
  if (!add_the_same(skeleton_of(left), skeleton_of(right)) || info(formats_of(left).d).is_integer())
    return false;
  if (facts.inputs == Inputs::subnormal_c_alone && !zero_products_are_alike(left, right)) return false;
  return !zeros_may_differ(facts.zeros) || zeros_matter_among_zeros_only(left, right);
}

}  // namespace mmaprint
