// First the results that the node takes are made, each by operands of its own below that node; the evaluator
// says which way of cutting a number into summands gives it. Then the difference is followed to the root: a
// node that rounds it away, as it has fewer bits, is given what cancels the result of one side, and only the
// difference is left of the other one's.
#include "solver/lifted_input.h"

#include <algorithm>
#include <utility>

#include "model/evaluator.h"
#include "model/pattern.h"
#include "model/results_of_nodes.h"
#include "model/zero_input.h"
#include "solver/relays.h"
#include "solver/summands.h"

namespace mmaprint {
namespace {

class Lifting {
 public:
  Lifting(const Side& left, const UnitModel& x, const UnitModel& y, std::size_t node)
      : x_(x),
        y_(y),
        plan_x_(plan_with(x)),
        plan_y_(plan_with(y)),
        tree_(x.tree),
        node_(node),
        summands_(x, plan_x_),
        relays_(relays_to(left, plan_x_, node)) {}

  std::optional<DotInput> operator()(const Witness& found) {
    DotInput input = zero_input(x_.k);
    input.sa = found.input.sa;
    input.sb = found.input.sb;
    take(tree_.nodes[node_], found, input);
    return followed_to_root(std::move(input));
  }

 private:
  static Plan plan_with(const UnitModel& unit) { return {unit.formats, unit.k, skeleton_of(unit)}; }

  /// What the node adds, itself, by carried sums or by relays.
  void take(const Node& node, const Witness& found, DotInput& input) {
    for (const Leaf& leaf : node.operands)
      if (const auto* product = std::get_if<ProductLeaf>(&leaf)) {
        const auto k = static_cast<std::size_t>(product->index);
        input.a[k] = found.input.a[k];
        input.b[k] = found.input.b[k];
      } else if (std::holds_alternative<CLeaf>(leaf)) {
        input.c = found.input.c;
      } else if (const auto* earlier = std::get_if<NodeLeaf>(&leaf)) {
        const auto n = static_cast<std::size_t>(earlier->node);
        if (tree_.nodes[n].result.is_carried() || relays_[n])
          take(tree_.nodes[n], found, input);
        else
          give(n, found.earlier[n], input);
      }
  }

  /// Operands below a node that make its result, if there are such.
  void give(std::size_t n, Pattern result, DotInput& input) const {
    const auto sum = dyadic(plan_x_.nodes[n].result.id, result);
    if (!sum || (sum->number == 0 && result == 0)) return;
    if (sum->number == 0) return give_minus_zero(n, result, input);
    const auto gives_it = [&](const DotInput& tried) {
      return results_of_nodes(x_, plan_x_, tried)[n] == result;
    };
    DotInput nearly = input;
    for (const Cut& cut : kCuts) {
      DotInput tried = input;
      if (summands_.add(*sum, n, std::nullopt, cut, tried).number == 0) nearly = tried;
      if (!gives_it(tried)) continue;
      input = std::move(tried);
      return;
    }
    // The smallest numbers are differences. Where the node's own products make none, an earlier one's may.
    for (std::size_t below = n + 1; below-- > 0;)
      if (DotInput tried = input; is_below(below, n) &&
                                  cancel_to(*sum, x_.formats, tree_.nodes[below], n, tried) &&
                                  gives_it(tried)) {
        input = std::move(tried);
        return;
      }
    input = std::move(nearly);
  }
  /// A sum of such zeros, or one that is flushed: what two numbers leave that are as small as results may be.
  void give_minus_zero(std::size_t n, Pattern result, DotInput& input) const {
    const auto gives_it = [&](const DotInput& tried) {
      return results_of_nodes(x_, plan_x_, tried)[n] == result;
    };
    for (const bool of_factors_below_zero : {false, true}) {
      DotInput zeros = input;
      for (std::size_t k = 0; k < zeros.a.size(); ++k)
        if (is_product_below(k, n)) make_minus_zero(k, of_factors_below_zero, zeros);
      if (!gives_it(zeros)) continue;
      input = std::move(zeros);
      return;
    }
    const int least = plan_x_.nodes[n].result.emin();
    for (int bits = 1; bits < plan_x_.a.fraction_bits + 1; ++bits)
      for (const Cut& cut : kCuts) {
        DotInput tried = input;
        const std::int64_t one = std::int64_t{1} << bits;
        if (summands_.add_pair({-one - 1, least - bits}, {one, least - bits}, n, cut, tried) &&
            gives_it(tried)) {
          input = std::move(tried);
          return;
        }
      }
  }
  /// Of a -0, or of +0 and a factor below zero where units read every zero as +0.
  void make_minus_zero(std::size_t k, bool of_factor_below_zero, DotInput& input) const {
    input.a[k] = zero_pattern(info(x_.formats.a), !of_factor_below_zero);
    if (of_factor_below_zero) input.b[k] = floating_pattern(info(x_.formats.b), true, 0, 0);
  }
  /// The operand of a node, if it can be.
  void make_minus_zero(const Leaf& operand, DotInput& input) const {
    if (const auto* product = std::get_if<ProductLeaf>(&operand))
      make_minus_zero(static_cast<std::size_t>(product->index), true, input);
    else if (std::holds_alternative<CLeaf>(operand) && x_.formats.c)
      input.c = zero_pattern(info(*x_.formats.c), true);
    else if (const auto* earlier = std::get_if<NodeLeaf>(&operand)) {
      const auto n = static_cast<std::size_t>(earlier->node);
      give_minus_zero(n, zero_pattern(plan_x_.nodes[n].result, true), input);
    }
  }
  [[nodiscard]] bool is_product_below(std::size_t k, std::size_t n) const {
    return std::ranges::any_of(tree_.nodes[n].operands, [&](const Leaf& leaf) {
      const auto* product = std::get_if<ProductLeaf>(&leaf);
      const auto* earlier = std::get_if<NodeLeaf>(&leaf);
      return (product != nullptr && std::cmp_equal(product->index, k)) ||
             (earlier != nullptr && is_product_below(k, static_cast<std::size_t>(earlier->node)));
    });
  }
  /// Is a node the other, or does its result go into that?
  [[nodiscard]] bool is_below(std::size_t n, std::size_t of) const {
    return n == of || std::ranges::any_of(tree_.nodes[of].operands, [&](const Leaf& leaf) {
             const auto* earlier = std::get_if<NodeLeaf>(&leaf);
             return earlier != nullptr && is_below(n, static_cast<std::size_t>(earlier->node));
           });
  }

  struct Both {
    std::vector<Pattern> x, y;
    [[nodiscard]] bool differ(std::size_t n) const { return x[n] != y[n]; }
  };
  [[nodiscard]] Both results(const DotInput& input) const {
    return {results_of_nodes(x_, plan_x_, input), results_of_nodes(y_, plan_y_, input)};
  }
  /// The node that takes a result, and as which of its operands.
  [[nodiscard]] std::pair<std::size_t, std::size_t> taker_of(std::size_t n) const {
    for (std::size_t later = n + 1; later < tree_.nodes.size(); ++later) {
      const auto& operands = tree_.nodes[later].operands;
      const auto place = std::ranges::find(operands, Leaf(NodeLeaf{static_cast<int>(n)}));
      if (place != operands.end()) return {later, static_cast<std::size_t>(place - operands.begin())};
    }
    return {n, 0};
  }

  /// As far as the results differ, with other operands of later nodes where they have to.
  [[nodiscard]] std::optional<DotInput> followed_to_root(DotInput input) const {
    Both now = results(input);
    for (std::size_t n = node_; now.differ(n);) {
      const auto [later, place] = taker_of(n);
      if (later == n) break;
      if (!now.differ(later) && !tree_.nodes[later].result.is_carried())
        if (auto shown_there = shown_at(later, place, {now.x[n], now.y[n]}, n, input)) {
          input = *std::move(shown_there);
          now = results(input);
        }
      n = later;
    }
    return shown(input);
  }
  /// With other operands of that node, on which its results differ.
  [[nodiscard]] std::optional<DotInput> shown_at(std::size_t later, std::size_t place,
                                                 std::initializer_list<Pattern> operands, std::size_t from,
                                                 const DotInput& input) const {
    auto made = cancelled_at(later, place, operands, from, input);
    return made ? made : beside_minus_zeros(later, place, operands, from, input);
  }
  /// With what cancels one of the results that its operand may be.
  [[nodiscard]] std::optional<DotInput> cancelled_at(std::size_t later, std::size_t place,
                                                     std::initializer_list<Pattern> operands,
                                                     std::size_t from, const DotInput& input) const {
    for (const Pattern operand : operands)
      for (const Cut& cut : kCuts) {
        auto sum = dyadic(plan_x_.nodes[from].result.id, operand);
        if (!sum || sum->number == 0) break;
        sum->number = -sum->number;
        DotInput tried = input;
        if (summands_.add(*sum, later, place, cut, tried).number == 0 && results(tried).differ(later))
          return tried;
      }
    return std::nullopt;
  }

  /// With -0 for all else that it adds: the sum of zeros has the sign of the one that differs then.
  [[nodiscard]] std::optional<DotInput> beside_minus_zeros(std::size_t later, std::size_t place,
                                                           std::initializer_list<Pattern> operands,
                                                           std::size_t from, const DotInput& input) const {
    for (const Pattern operand : operands)
      if (const auto sum = dyadic(plan_x_.nodes[from].result.id, operand); !sum || sum->number != 0)
        return std::nullopt;
    DotInput tried = input;
    const auto& all = tree_.nodes[later].operands;
    for (std::size_t i = 0; i < all.size(); ++i)
      if (i != place) make_minus_zero(all[i], tried);
    if (!results(tried).differ(later)) return std::nullopt;
    return tried;
  }

  /// This input, or with zeros of the other sign where it has +0, as what a node says of a zero's sign is
  /// lost where a +0 is added to that.
  [[nodiscard]] std::optional<DotInput> shown(const DotInput& found) const {
    const Evaluator x(x_), y(y_);
    const Pattern zero_of_a = zero_pattern(info(x_.formats.a), true);
    const Pattern zero_of_c = x_.formats.c && found.c == 0 ? zero_pattern(info(*x_.formats.c), true) : 0;
    for (const bool products : {false, true})
      for (const bool c : {false, true}) {
        DotInput input = found;
        for (std::size_t k = 0; products && k < found.a.size(); ++k)
          if (found.a[k] == 0 && found.b[k] == 0) input.a[k] = zero_of_a;
        if (c) input.c |= zero_of_c;
        if (x(input) != y(input)) return input;
      }
    return std::nullopt;
  }

  const UnitModel& x_;
  const UnitModel& y_;
  Plan plan_x_, plan_y_;
  const Tree& tree_;
  std::size_t node_;
  Summands summands_;
  std::vector<bool> relays_;
};

}  // namespace

std::optional<DotInput> lifted_input(const Side& left, const UnitModel& x, const UnitModel& y,
                                     std::size_t node, const Witness& found) {
  return Lifting(left, x, y, node)(found);
}

}  // namespace mmaprint
