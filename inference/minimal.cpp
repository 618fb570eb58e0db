#include "inference/minimal.h"

#include <algorithm>
#include <array>
#include <stdexcept>

#include "inference/equivalence.h"
#include "inference/input_walk.h"
#include "inference/inputs.h"
#include "inference/nan_inputs.h"
#include "inference/simplify.h"
#include "inference/term_choices.h"
#include "model/evaluator.h"
#include "model/value.h"
#include "solver/by_nodes.h"

namespace mmaprint {
namespace {

/// Steps of a question about all inputs, about a minute's.
constexpr std::int64_t kStepsAnywhere = 1'500'000;
/// Random inputs that are tried for any difference at all, and changes of one that was found.
constexpr int kByChance = 20'000;
constexpr int kChanges = 20'000;

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
    finite_ = !options_.specials;
    auto found = by_chance();
    if (!found) {
      auto answer = differs_somewhere();
      if (const auto* same = std::get_if<Equivalent>(&answer)) return but_for_nans(*same);
      if (std::holds_alternative<Unknown>(answer))
        return NotDecided{(late_.passed_now() ? std::string(options_.deadline.reason()) + ": " : "") +
                          "neither a difference nor a proof of equality within the limits"};
      found = std::move(std::get<Witness>(answer).input);
    }
    make_smaller(*found);
    // Of rules for NaN no solver knows.
    if (any_rule_ && is_nan(left_.formats.d, left_unit_(*found)) &&
        is_nan(left_.formats.d, right_unit_(*found)))
      return different(*found, 0, 0);
    Allowance for_products(in_steps(options_.steps_for_products, options_.deadline));
    Allowance for_bits(in_steps(options_.steps_for_bits, options_.deadline));
    const TermChoices choices(left_, right_);
    int least_products = fewest_products(*found, choices, for_products);
    int least_bits = fewest_bits(*found, choices, for_bits);
    // Left-out products are asked about as zeros times zeros, which others may be told from.
    if (zeros_differ(left_) || zeros_differ(right_)) least_products = least_bits = 0;
    return different(*found, least_products, least_bits);
  }

 private:
  [[nodiscard]] Different different(const DotInput& in, int least_products, int least_bits) const {
    return {in, left_unit_(in), right_unit_(in), products(in), bits_of(in), least_products, least_bits};
  }

  /// Of units whose results are the same, unless both are NaN.
  MinimalDistinction but_for_nans(const Equivalent& same) {
    auto found = other_nan();
    if (found) {
      shrink(*found);
      return different(*found, 0, 0);
    }
    if (nans_are_alike()) return SameEverywhere{same.clauses};
    return NotDecided{
        "they differ in nothing but which NaN goes on, if in that: no input made for it shows a difference, "
        "and no solver is asked"};
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

  /// What the comparison says that identifications end with; nullopt where it stays open. It goes by plain
  /// forms, bounds, made inputs and nodes before it asks about all at once.
  std::optional<Distinction> as_identified() {
    if (any_rule_) return node_by_node();
    const Space space{
        right_.instruction, right_.k, right_.formats, {skeleton_of(right_)}, Box(classes_of(right_.tree))};
    const HypothesisSet right{0, Box(values_of(right_)), constant_nan(right_.nan)};
    auto answer =
        compare_with_set(*checker_, left_, space, right, in_steps(kStepsAnywhere / 2, options_.deadline));
    if (const auto* alike = std::get_if<EquivalentSet>(&answer)) return Equivalent{alike->clauses};
    auto* apart = std::get_if<Separation>(&answer);
    const bool counts =
        apart != nullptr && differ(apart->input) && (!finite_ || all_finite(left_.formats, apart->input));
    return counts ? std::optional(Witness{std::move(apart->input), {}, {}}) : std::nullopt;
  }
  /// Equal node by node is the cheapest proof.
  std::optional<Distinction> node_by_node() {
    auto answer = compare_by_nodes(*checker_, left_, right_, in_steps(kStepsAnywhere / 3, options_.deadline));
    return std::holds_alternative<Equivalent>(answer) ? std::optional(std::move(answer)) : std::nullopt;
  }

  /// Among finite inputs, unless special ones are wanted or nothing finite differs.
  Distinction differs_somewhere() {
    if (auto known = as_identified()) return *std::move(known);
    for (;; finite_ = false) {
      Restriction where;
      where.finite_inputs = finite_;
      auto answer = checker_->distinguish(left_, right_, where, in_steps(kStepsAnywhere, options_.deadline));
      if (!finite_ || !std::holds_alternative<Equivalent>(answer)) return answer;
    }
  }

  std::optional<DotInput> by_chance() {
    constexpr std::array kFamilies{InputFamily::any, InputFamily::few_addends, InputFamily::any,
                                   InputFamily::edges};
    InputGenerator inputs(left_.k, left_.formats, 1);
    std::optional<DotInput> best;
    InputSize size{};
    for (std::size_t i = 0; i < kByChance && !late_.passed(); ++i) {
      auto in = inputs.next(kFamilies[i % kFamilies.size()]);
      if ((finite_ && !all_finite(left_.formats, in)) || !differ(in)) continue;
      const InputSize its = size_of(left_.formats, kinds_, in);
      if (best && its >= size) continue;
      size = its;
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

  /// The smallest that is found near by without the solver.
  void make_smaller(DotInput& in) {
    shrink(in);
    const auto shows = [&](const DotInput& other) {
      return !late_.passed() && (!finite_ || all_finite(left_.formats, other)) && differ(other);
    };
    in = smaller_by_walk(left_.formats, kinds_, std::move(in), shows, kChanges, ++walks_);
    shrink(in);
  }

  /// Is there a difference among inputs of these questions, and of so few digits? The first of the answers
  /// that is not "no".
  Distinction among(const std::vector<TermQuestion>& questions, std::optional<int> most_bits,
                    Allowance& allowance, std::int64_t share) {
    for (const TermQuestion& question : questions) {
      Restriction where;
      where.finite_inputs = finite_;
      where.products = question.products;
      where.at_most_fraction_bits = most_bits;
      auto answer = checker_->distinguish(question.left, question.right, where,
                                          allowance.rest((left_of(allowance) + share - 1) / share));
      if (!std::holds_alternative<Equivalent>(answer)) return answer;
    }
    return Equivalent{};
  }
  static std::int64_t left_of(Allowance& allowance) { return allowance.rest().steps.value_or(0); }

  /// So many products are needed at least, as far as that is proved; `found` has fewer at the end if fewer
  /// do.
  int fewest_products(DotInput& found, const TermChoices& choices, Allowance& allowance) {
    for (int n = 0; n < products(found); ++n) {
      const auto questions = choices.questions(n);
      if (!questions) return n;
      const auto answer = among(*questions, std::nullopt, allowance, 1);
      if (const auto* w = std::get_if<Witness>(&answer)) {
        found = confirmed(*w);
        make_smaller(found);
        return std::min(n, products(found));
      }
      if (std::holds_alternative<Unknown>(answer)) return n;
    }
    return products(found);
  }

  /// The same of set digits, with as many products.
  int fewest_bits(DotInput& found, const TermChoices& choices, Allowance& allowance) {
    const auto questions = choices.questions(products(found));
    if (!questions) return 0;
    int least = 0, open = bits_of(found);  // a difference has so many at least; with so many nothing is known
    bool is_decided = true;                // all that was asked
    while (least < open) {
      // Twice as many each time, as fewer digits are easier to refute; and half the way back once that was
      // too hard.
      const int most = is_decided ? std::min(2 * least, open - 1) : least + (open - 1 - least) / 2;
      const auto answer = among(*questions, most, allowance, 2);
      if (const auto* w = std::get_if<Witness>(&answer)) {
        found = confirmed(*w);
        make_smaller(found);
        open = bits_of(found);
      } else if (std::holds_alternative<Equivalent>(answer)) {
        least = most + 1;
      } else {
        open = most;
        is_decided = false;
      }
    }
    return least;
  }
  /// What the solver found for units without nodes that have nothing to do is a difference of the models.
  DotInput confirmed(const Witness& witness) const {
    if (!differ(witness.input))
      throw std::logic_error("internal error: a difference that the evaluator does not confirm");
    return witness.input;
  }

  const UnitModel& left_;
  const UnitModel& right_;
  ProductKinds kinds_;
  Evaluator left_unit_, right_unit_;
  const MinimalOptions& options_;
  Checkpoint late_;
  std::unique_ptr<EquivalenceChecker> checker_;
  bool finite_ = true;  ///< are only finite inputs looked at?
  std::uint64_t walks_ = 0;
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
