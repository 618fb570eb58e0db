#include "inference/minimal.h"

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>

#include "inference/input_size.h"
#include "inference/inputs.h"
#include "inference/nan_inputs.h"
#include "inference/simplify.h"
#include "model/evaluator.h"
#include "model/value.h"
#include "solver/by_nodes.h"

namespace mmaprint {
namespace {

/// Steps of a question about all inputs, about a minute's, and of one about some products, ten seconds'.
constexpr std::int64_t kStepsAnywhere = 1'500'000;
constexpr std::int64_t kStepsOfSome = 250'000;

class Descent {
 public:
  Descent(const UnitModel& left, const UnitModel& right, const MinimalOptions& options)
      : left_(left),
        right_(right),
        kinds_(product_kinds(left, right)),
        left_unit_(left),
        right_unit_(right),
        options_(options),
        late_(options.deadline),
        checker_(make_checker(options.solver, {options.queries, false})),
        any_rule_(std::holds_alternative<NanRule>(left.nan) || std::holds_alternative<NanRule>(right.nan)),
        told_apart_(!any_rule_ || (!std::holds_alternative<SeveralNans>(left.nan) &&
                                   !std::holds_alternative<SeveralNans>(right.nan))) {}

  MinimalDistinction operator()() {
    // Any difference at all, to bound the search; random inputs are quicker than a proof where they do.
    bool finite = !options_.specials;
    auto found = by_chance(finite);
    if (!found) {
      auto answer = differs_somewhere(finite);
      if (finite && std::holds_alternative<Equivalent>(answer)) {
        finite = false;
        answer = differs_somewhere(finite);
      }
      if (const auto* same = std::get_if<Equivalent>(&answer)) {
        found = other_nan();
        if (!found && nans_are_alike()) return SameEverywhere{same->clauses};
        if (!found)
          return NotDecided{
              "they differ in nothing but which NaN goes on, if in that: no input made for it shows a "
              "difference, and no solver is asked"};
        shrink(*found);
        return different(*found, false, false);
      }
      if (std::holds_alternative<Unknown>(answer))
        return NotDecided{(late_.passed_now() ? std::string(options_.deadline.reason()) + ": " : "") +
                          "neither a difference nor a proof of equality within the limits"};
      found = std::get<Witness>(answer).input;
    }
    finite_ = finite;
    shrink(*found);
    // Of rules for NaN no solver knows.
    if (any_rule_ && is_nan(left_.formats.d, left_unit_(*found)) &&
        is_nan(left_.formats.d, right_unit_(*found)))
      return different(*found, false, false);
    // Left-out products are asked about as zeros times zeros, which others may be told from.
    const bool zeros_are_alike = !zeros_differ(left_) && !zeros_differ(right_);
    const bool terms = fewer_products(*found) && zeros_are_alike;
    const bool bits = fewer_bits(*found) && zeros_are_alike;
    return different(*found, terms, bits);
  }

 private:
  [[nodiscard]] Different different(const DotInput& in, bool terms, bool bits) const {
    return {in, left_unit_(in), right_unit_(in), products(in), bits_of(in), terms, bits};
  }

  /// An input made to show which NaN goes on, on which it is another one.
  std::optional<DotInput> other_nan() {
    if (!any_rule_) return std::nullopt;
    std::optional<DotInput> best;
    for (const UnitModel* model : {&left_, &right_})
      for (DotInput& in : nan_inputs(*model))
        if (differ(in) && (!best || products(in) < products(*best))) best = std::move(in);
    return best;
  }
  /// Where nothing else differs: is it the same NaN, too?
  [[nodiscard]] bool nans_are_alike() const {
    return !any_rule_ || !told_apart_ ||
           (left_.nan == right_.nan && skeleton_of(left_) == skeleton_of(right_) &&
            left_.conventions == right_.conventions);
  }

  /// Do a zero product's factors matter?
  static bool zeros_differ(const UnitModel& model) {
    return std::ranges::any_of(model.adders, [](const Adder& adder) {
      return adder.zero_addends.kind() == ZeroAddends::Kind::factor_exponent;
    });
  }
  bool differ(const DotInput& in) const {
    const Pattern x = left_unit_(in), y = right_unit_(in);
    const Format d = left_.formats.d;
    return x != y && (told_apart_ || !is_nan(d, x) || !is_nan(d, y));
  }
  int products(const DotInput& in) const { return nonzero_products(left_.formats, kinds_, in); }
  int bits_of(const DotInput& in) const { return significand_bits(left_.formats, in); }

  Distinction ask(const Restriction& where, std::int64_t steps) const {
    return checker_->distinguish(left_, right_, where, in_steps(steps, options_.deadline));
  }

  Distinction differs_somewhere(bool finite) const {
    Restriction where;
    where.finite_inputs = finite;
    if (!finite) {
      // Equal node by node is the cheapest proof.
      auto by_nodes =
          compare_by_nodes(*checker_, left_, right_, in_steps(kStepsAnywhere / 3, options_.deadline));
      if (std::holds_alternative<Equivalent>(by_nodes)) return by_nodes;
    }
    return ask(where, kStepsAnywhere);
  }

  std::optional<DotInput> by_chance(bool finite) {
    InputGenerator inputs(left_.k, left_.formats, 1);
    const auto ordinary = [&](const DotInput& in) {
      const auto special = [](Format f, Pattern p) { return is_nan(f, p) || is_infinite(f, p); };
      return !(left_.formats.c && special(*left_.formats.c, in.c)) &&
             std::ranges::none_of(in.a, [&](Pattern p) { return special(left_.formats.a, p); }) &&
             std::ranges::none_of(in.b, [&](Pattern p) { return special(left_.formats.b, p); });
    };
    std::optional<DotInput> best;
    for (int i = 0; i < 20000 && !late_.passed(); ++i) {
      auto in = inputs.next();
      if ((finite && !ordinary(in)) || !differ(in)) continue;
      if (!best || std::pair(products(in), bits_of(in)) < std::pair(products(*best), bits_of(*best)))
        best = std::move(in);
    }
    return best;
  }

  /// Without the solver: what can be left out one at a time is.
  void shrink(DotInput& in) {
    in = simplified(left_.formats, in,
                    [&](std::span<const DotInput> simpler) -> std::optional<std::vector<bool>> {
                      if (late_.passed()) return std::nullopt;
                      std::vector<bool> shown;
                      for (const DotInput& one : simpler) shown.push_back(differ(one));
                      return shown;
                    });
  }

  /// Choices of `count` positions, one of each kind: positions are alike if both trees add them at the same
  /// nodes.
  std::vector<std::vector<bool>> choices(int count) {
    std::map<std::pair<int, int>, std::vector<std::size_t>> alike;
    const auto node_of = [](const Tree& tree, int product) {
      for (std::size_t n = 0; n < tree.nodes.size(); ++n)
        if (std::ranges::find(tree.nodes[n].operands, Leaf{ProductLeaf{product}}) !=
            tree.nodes[n].operands.end())
          return static_cast<int>(n);
      return -1;
    };
    // Immediate normalisation makes the order within a node matter: then no two positions are alike.
    const auto ordered = [](const UnitModel& m) {
      return std::ranges::any_of(m.adders,
                                 [](const Adder& a) { return a.normalisation == Normalisation::immediate; });
    };
    const bool any_order = !ordered(left_) && !ordered(right_);
    for (int k = 0; k < left_.k; ++k)
      alike[any_order ? std::pair(node_of(left_.tree, k), node_of(right_.tree, k)) : std::pair(k, k)]
          .push_back(static_cast<std::size_t>(k));
    std::vector<std::vector<bool>> all{std::vector<bool>(static_cast<std::size_t>(left_.k), false)};
    std::vector<std::pair<std::vector<bool>, int>> partial{{all.front(), count}};
    for (const auto& [key, positions] : alike) {
      std::vector<std::pair<std::vector<bool>, int>> next;
      for (const auto& [chosen, rest] : partial) {
        if (late_.passed()) return {};
        for (int take = 0; take <= std::min(rest, static_cast<int>(positions.size())); ++take) {
          auto more = chosen;
          for (int i = 0; i < take; ++i) more[positions[static_cast<std::size_t>(i)]] = true;
          next.emplace_back(std::move(more), rest - take);
        }
      }
      partial = std::move(next);
    }
    all.clear();
    for (auto& [chosen, rest] : partial)
      if (rest == 0) all.push_back(std::move(chosen));
    return all;
  }

  /// True if it is proved that fewer products than `found` has at the end do not do.
  bool fewer_products(DotInput& found) {
    for (int n = 0; n < products(found); ++n) {
      const auto all = choices(n);
      if (late_.passed_now()) return false;
      for (const auto& chosen : all) {
        Restriction where;
        where.finite_inputs = finite_;
        where.products = chosen;
        const auto answer = ask(where, kStepsOfSome);
        if (const auto* w = std::get_if<Witness>(&answer)) {
          found = w->input;
          shrink(found);
          return true;
        }
        if (std::holds_alternative<Unknown>(answer)) return false;
      }
    }
    return true;
  }

  /// True if it is proved that no input with as many products has fewer set fraction bits than `found` at the
  /// end.
  bool fewer_bits(DotInput& found) {
    int low = 0;  // bits not yet excluded
    const auto all = choices(products(found));
    while (low < bits_of(found)) {
      if (late_.passed_now()) return false;
      const int middle = low + (bits_of(found) - low) / 2;
      bool excluded = true;
      for (const auto& chosen : all) {
        Restriction where;
        where.finite_inputs = finite_;
        where.products = chosen;
        where.at_most_fraction_bits = middle;
        const auto answer = ask(where, kStepsOfSome);
        if (const auto* w = std::get_if<Witness>(&answer)) {
          found = w->input;
          shrink(found);
          excluded = false;
          break;
        }
        if (std::holds_alternative<Unknown>(answer)) return false;
      }
      if (excluded) low = middle + 1;
    }
    return true;
  }

  const UnitModel& left_;
  const UnitModel& right_;
  ProductKinds kinds_;
  Evaluator left_unit_, right_unit_;
  const MinimalOptions& options_;
  Checkpoint late_;
  std::unique_ptr<EquivalenceChecker> checker_;
  bool finite_ = true;
  bool any_rule_;    ///< says which NaN a result is
  bool told_apart_;  ///< are NaN results?
};

}  // namespace

MinimalDistinction smallest_difference(const UnitModel& left, const UnitModel& right,
                                       const MinimalOptions& options) {
  if (left.k != right.k || !(left.formats == right.formats))
    throw std::invalid_argument("models to distinguish must have the same K and formats");
  return Descent(left, right, options)();
}

}  // namespace mmaprint
