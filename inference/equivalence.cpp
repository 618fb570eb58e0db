#include "inference/equivalence.h"

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>
#include <vector>

#include "inference/edge_inputs.h"
#include "inference/flushed_elsewhere.h"
#include "inference/idle_steps.h"
#include "inference/made_inputs.h"
#include "inference/neighbours.h"
#include "inference/nodes_first.h"
#include "inference/plain_form.h"
#include "inference/representative.h"
#include "model/alike_nodes.h"
#include "solver/by_nodes.h"
#include "solver/idle_values.h"
#include "solver/subnormal_c.h"

namespace mmaprint {
namespace {

class Steps {
 public:
  Steps(const EquivalenceChecker& checker, const UnitModel& model, const Space& space,
        const HypothesisSet& set, const Limits& limits, ComparedModels& known)
      : checker_(checker),
        model_(model),
        space_(space),
        set_(set),
        plan_(space.formats, space.k, space.skeleton(set)),
        total_(limits.steps),
        allowance_(limits),
        inputs_(space.k, limits.steps),
        known_(known) {}

  Comparison operator()() {
    const ParameterValues target = nearest(set_.box, model_);
    leave_one_of_idle_values(target);
    std::vector<ParameterKey> waiting;
    for (const ParameterKey& p : order_of_proof(set_.box.classes()))
      if (!set_.box[p].is_single()) waiting.push_back(p);
    // Which question is easy depends on what is already fixed: all get a little, and then more.
    for (std::int64_t steps = kFirst; !waiting.empty(); steps *= 4) {
      if (allowance_.used_up()) return OpenStep{set_, waiting.front()};
      if (auto made = by_made_inputs(target, waiting, steps)) return *std::move(made);
      if (auto found = beside_model(model_with(target), steps)) return *std::move(found);
      const std::int64_t before = allowance_.spent();
      const bool all_there_are = total_ && steps >= *total_;
      for (auto p = waiting.begin(); p != waiting.end();) {
        const Distinction answer = without(*p, target, steps);
        if (separation_) return *separation_;
        if (std::holds_alternative<Equivalent>(answer))
          p = waiting.erase(p);
        else
          ++p;
      }
      leave_one_of_idle_values(target);
      std::erase_if(waiting, [&](const ParameterKey& p) { return set_.box[p].is_single(); });
      // What cannot be asked with all that there is will not be.
      if (all_there_are && !waiting.empty() && allowance_.spent() == before)
        return OpenStep{set_, waiting.front()};
    }
    return with_single(model_with(target));
  }

 private:
  static constexpr std::int64_t kFirst = 3'500;

  void leave_one_of_idle_values(const ParameterValues& target) {
    Box left = without_idle_values(plan_, set_.box, target);
    if (left == set_.box) return;
    set_.box = std::move(left);
    derivation_.sets.push_back({std::nullopt});
  }

  /// Shrinks the set to its hypotheses that have the target's value of one parameter if nothing tells these
  /// from the others.
  Distinction without(const ParameterKey& p, const ParameterValues& target, std::int64_t steps) {
    HypothesisSet fixed = set_;
    fixed.box[p] = ValueSet::single(value_index(target, p));
    const Side left = Hypotheses{&space_, fixed};
    const Side right = Hypotheses{&space_, set_, true};
    const Inputs inputs = where_it_matters(p);
    auto answer = decided(left, right, steps, inputs);
    if (const auto* w = std::get_if<Witness>(&answer))
      separation_ = Separation{model_of(left, w->left), model_of(right, w->right), w->input};
    if (const auto* equal = std::get_if<Equivalent>(&answer)) {
      clauses_ += equal->clauses;
      set_ = fixed;
      derivation_.sets.push_back({p, {inputs, equal->proved}});
    }
    return answer;
  }

  /// The inputs on which hypotheses can differ that are the same but for one parameter.
  [[nodiscard]] Inputs where_it_matters(const ParameterKey& p) const {
    const bool is_of_c =
        p.parameter == Parameter::c_subnormals && space_.formats.c && !plan_.from_c.conversion;
    return is_of_c ? Inputs::subnormal_c : Inputs::all;
  }

  /// Inputs that are made for it may show at a price far below a formula's that the target and one that has
  /// another value differ: the nearest values first, as what tells these apart tells most others, too.
  std::optional<Separation> by_made_inputs(const ParameterValues& target,
                                           const std::vector<ParameterKey>& waiting, std::int64_t steps) {
    const UnitModel model = model_with(target);
    std::vector<UnitModel> others;
    for (const ParameterValues& other : neighbours_of(target, set_.box, waiting))
      others.push_back(model_with(other));
    const std::int64_t inputs = inputs_.of_each(others.size(), steps);
    // What the set's hypotheses have in common may differ from the model already.
    if (auto input = made_difference(model, inputs_.of_set(steps))) return separated(model, *input);
    const int threads = allowance_.rest().threads;
    auto found = difference_at_ties(model, others, inputs, made_ + 1, threads, allowance_.deadline());
    made_ += others.size() + kMostParts;
    if (!found) return std::nullopt;
    return Separation{model, others[found->other], std::move(found->input)};
  }
  /// Two models may be told apart by a short question where the set's are long.
  std::optional<Separation> beside_model(const UnitModel& nearest, std::int64_t steps) {
    if (steps < kLeastForUnit || nearest == model_ || !is_walked(nearest)) return std::nullopt;
    const Distinction answer = decided(model_, nearest, steps / 4);
    if (const auto* w = std::get_if<Witness>(&answer)) return separated(nearest, w->input);
    return std::nullopt;
  }
  [[nodiscard]] UnitModel model_with(const ParameterValues& values) const {
    return space_.model(set_.skeleton, values, set_.nan ? set_.nan : constant_nan(model_.nan));
  }

  /// What is left of the set is one hypothesis. Where its nodes add the same as the model's, their parameters
  /// become the model's one after the other, by way of hypotheses that need not have survived.
  Comparison with_single(const UnitModel& survivor) {
    at_ = survivor;
    if (const UnitModel ordered = ordered_as(survivor, model_); ordered != survivor)
      go_on_to(ordered, {survivor, ordered, ByOrder{}});
    lose_nothing();
    take_plain_form();
    if (is_walked(*at_)) {
      take_common_classes();
      if (goal_) take_idle_steps(values_of(*goal_));
      arrive_if_same();
    }
    // Other sets come this far, too.
    const UnitModel begun = *at_;
    derivation_.models = std::exchange(steps_, {});
    if (auto known = known_.equal(begun, model_)) return proved(*std::move(known));
    const std::int64_t left = allowance_.rest().steps.value_or(std::numeric_limits<std::int64_t>::max());
    if (known_.is_given_up(model_, begun, left)) return OpenStep{set_, std::nullopt};
    if (auto input = made_difference(begun, inputs_.of_pair(left))) return separated(survivor, *input);
    const std::int64_t before = clauses_;
    if (goal_) {
      walk_to_model(survivor);
      if (!separation_) arrive_if_same();
    }
    if (separation_) return *separation_;
    ComparedModels::Known rest;
    if (auto known = known_.equal(*at_, model_)) {
      rest = *std::move(known);
    } else if (auto other = last_step(survivor)) {
      if (std::holds_alternative<OpenStep>(*other)) known_.give_up(model_, begun, left);
      return *std::move(other);
    }
    known_.add_equal(model_, steps_, clauses_ - before);
    std::ranges::move(steps_, std::back_inserter(derivation_.models));
    return proved(std::move(rest));
  }
  /// The last question, about all that is left; nullopt where it leads to the model.
  std::optional<Comparison> last_step(const UnitModel& survivor) {
    const UnitModel last = goal_ ? *goal_ : model_;
    auto answer = decided(last, *at_, kLeastForUnit);
    if (std::holds_alternative<Unknown>(answer)) {
      if (is_told_apart(survivor, true)) return *separation_;
      answer = decided(last, *at_, std::nullopt);
    }
    if (const auto* witness = std::get_if<Witness>(&answer)) return separated(survivor, witness->input);
    auto equal = questions_of(answer, Inputs::all);
    if (!equal) return OpenStep{set_, std::nullopt};
    go_on_to(last, {last, *at_, *std::move(equal)});
    arrive_if_same();
    return std::nullopt;
  }
  [[nodiscard]] EquivalentSet proved(ComparedModels::Known known) {
    std::ranges::move(known.steps, std::back_inserter(derivation_.models));
    end_at(derivation_, model_with(nearest(set_.box, model_)), model_);
    return {clauses_ + known.clauses, std::move(derivation_)};
  }
  [[nodiscard]] Separation separated(const UnitModel& survivor, const DotInput& input) const {
    return {model_, survivor, input};
  }
  /// What separates the model from one that computes as the survivor does.
  [[nodiscard]] std::optional<DotInput> made_difference(const UnitModel& other, std::int64_t inputs) {
    // Its classes may be those that are on the way.
    const UnitModel& model = goal_ ? *goal_ : model_;
    const UnitModel* like = has_the_tree_of(model, other) ? &model : known_.alike(model_, other);
    if (like != nullptr) return difference_at_ties(*like, other, inputs, ++made_, allowance_.deadline());
    const auto both = with_common_classes(model, other);
    if (!both) return difference_of_scaled_sums(model, other, inputs, ++made_, allowance_.deadline());
    return difference_at_ties(both->first, both->second, inputs, ++made_, allowance_.deadline());
  }
  /// By made inputs, very many of them once.
  [[nodiscard]] bool is_told_apart(const UnitModel& survivor, bool at_last) {
    if (at_last && std::exchange(searched_, true)) return false;
    const std::int64_t inputs = at_last ? inputs_.at_last() : inputs_.before_last();
    if (auto input = made_difference(*at_, inputs)) separation_ = separated(survivor, *input);
    return separation_.has_value();
  }

  /// Can a way lead from this model to the one that is compared with?
  [[nodiscard]] bool is_walked(const UnitModel& from) const {
    return from.nan == end_.nan && add_the_same(skeleton_of(from), skeleton_of(end_));
  }
  /// Where other nodes add, or others from +0, those that matter may be the same; and those that don't may
  /// differ in several parameters at once.
  void take_plain_form() {
    auto there = plain_unit(model_);
    const bool is_smaller = there && there->tree.nodes.size() < model_.tree.nodes.size();
    if (!there || (!is_smaller && have_the_same_operands(skeleton_of(*at_), skeleton_of(model_)))) return;
    const auto here = plain_unit(*at_);
    if (!here || !add_the_same(skeleton_of(*here), skeleton_of(*there))) return;
    if (*here != *at_) go_on_to(*here, {*at_, *here, ByPlainForm{}});
    end_ = *std::move(there);
  }
  /// From here on nodes are of one class where they are in both models; the goal is the compared one so.
  void take_common_classes() {
    const NodeClasses classes = common_classes(at_->tree, end_.tree);
    const auto here = with_classes(*at_, classes);
    auto goal = with_classes(end_, classes);
    if (!here || !goal || std::cmp_greater(goal->adders.size(), kMostClasses)) return;
    if (*here != *at_) go_on_to(*here, {*at_, *here, BySameNodes{}});
    plan_ = Plan(space_.formats, space_.k, skeleton_of(*here));
    goal_ = *std::move(goal);
  }
  /// The model itself, where nothing but the names of classes is other.
  void arrive_if_same() {
    if (goal_ && *at_ != end_ && has_the_same_nodes(*at_, end_)) go_on_to(end_, {*at_, end_, BySameNodes{}});
    if (*at_ == end_ && end_ != model_) go_on_to(model_, {end_, model_, ByPlainForm{}});
  }
  [[nodiscard]] UnitModel on_the_way(const ParameterValues& values) const {
    UnitModel model = *at_;
    model.adders = values.adders;
    model.conventions = values.conventions;
    return model;
  }
  [[nodiscard]] std::vector<ParameterKey> differences() const {
    return differences_between(values_of(*at_), values_of(*goal_));
  }
  /// How many parameters are left to a last question, which is about all of them and the structure.
  [[nodiscard]] std::size_t left_to_the_last() const { return goal_->tree == at_->tree ? 1 : 0; }
  void go_on_to(const UnitModel& next, ModelStep step) {
    at_ = next;
    steps_.push_back(std::move(step));
  }
  /// Where other nodes add, those that round once what they add exactly have a plainer form than those that
  /// align to as many bits as come to the same.
  void lose_nothing() {
    if (is_walked(*at_)) return;
    ParameterValues exact = values_of(*at_);
    for (Adder& adder : exact.adders) {
      adder.alignment_fraction_bits.reset();
      adder.minimum_alignment_exponent.reset();
    }
    take_idle_steps(exact);
  }
  /// As near to these values as bounds alone show that nothing changes.
  void take_idle_steps(const ParameterValues& goal) {
    for (const ModelStep& step : idle_steps(*at_, goal)) go_on_to(step.right, step);
  }

  /// As near to the model as steps lead that change nothing. A step that does change something is a
  /// separation only where the model and the survivor that was set out from differ there, too.
  void walk_to_model(const UnitModel& first) {
    const ParameterValues goal = values_of(*goal_);
    for (std::int64_t steps = kFirst; differences().size() > left_to_the_last() && !allowance_.used_up();
         steps *= 4) {
      if (steps > kFirst && is_told_apart(first, steps > kLeastForUnit)) return;
      const std::int64_t before = allowance_.spent();
      const ParameterValues now = values_of(*at_);
      if (!model_.paths.c && space_.formats.c && flushes_elsewhere(now, goal))
        takes_pair(on_the_way(now), on_the_way(flushed_as(now, goal)), steps);
      while (takes_a_step(goal, first, steps) && differences().size() > left_to_the_last() &&
             !known_.equal(*at_, model_)) {
      }
      if (separation_ || known_.equal(*at_, model_)) return;
      if (steps > kLeastForUnit || (total_ && steps >= *total_ && allowance_.spent() == before)) return;
    }
  }
  /// Takes those of the steps that lead there and change nothing; false where none is left.
  [[nodiscard]] bool takes_a_step(const ParameterValues& goal, const UnitModel& first, std::int64_t steps) {
    bool taken = false;
    for (const ParameterKey& p : differences()) {
      if (separation_) return false;
      const ParameterValues now = values_of(*at_);
      ParameterValues next = now;
      set_value(next, p, value_index(goal, p));
      ModelStep step{on_the_way(now), on_the_way(next), ByIdleValues{}};
      if (!is_legal(step.right)) continue;  // documents hold no others
      if (!makes_no_difference(plan_, now, goal, p)) {
        auto equal = equal_step(step.left, step.right, first, steps);
        if (!equal) continue;
        step.by = *std::move(equal);
      }
      go_on_to(on_the_way(next), std::move(step));
      taken = true;
    }
    return taken;
  }
  /// Do two models compute alike that are so, and differ in these two parameters only? The one that flushes c
  /// computes as one that flushes results, too; as the other does then where c is not subnormal, or counts as
  /// nothing; and the rest is asked about.
  void takes_pair(const UnitModel& x, const UnitModel& y, std::int64_t steps) {
    const bool c_first = x.conventions.c_subnormals == Subnormals::flushed;
    const UnitModel& flushes_c = c_first ? x : y;
    const UnitModel& flushes_results = c_first ? y : x;
    UnitModel both = flushes_c;
    both.conventions.output_subnormals = Subnormals::flushed;
    ModelStep of_results{flushes_c, both, ByIdleValues{}};
    if (!makes_no_difference(plan_, values_of(flushes_c), values_of(both), {Parameter::output_subnormals})) {
      auto equal = questions_of(decided(flushes_c, both, steps), Inputs::all);
      if (!equal) return;
      of_results.by = *std::move(equal);
    }
    const bool lost = loses_subnormal_c(plan_, Box(values_of(flushes_results)));
    const Inputs inputs = lost ? Inputs::subnormal_c_alone : Inputs::subnormal_c;
    auto equal = questions_of(
        compare_by_nodes(checker_, both, flushes_results, allowance_.rest(steps), inputs), inputs);
    if (!equal) return;
    ModelStep of_c{both, flushes_results, *std::move(equal)};
    if (!c_first) std::swap(of_results, of_c);
    go_on_to(both, std::move(of_results));
    go_on_to(y, std::move(of_c));
  }
  /// What an answer that they are equal rests on; nullopt for others.
  [[nodiscard]] std::optional<ByQuestions> questions_of(const Distinction& answer, Inputs inputs) {
    const auto* equal = std::get_if<Equivalent>(&answer);
    if (equal == nullptr) return std::nullopt;
    clauses_ += equal->clauses;
    return ByQuestions{inputs, equal->proved};
  }
  [[nodiscard]] std::optional<ByQuestions> equal_step(const UnitModel& x, const UnitModel& y,
                                                      const UnitModel& first, std::int64_t steps) {
    const auto answer = decided(x, y, steps);
    const auto* witness = std::get_if<Witness>(&answer);
    if (witness != nullptr && evaluate(model_, witness->input) != evaluate(first, witness->input))
      separation_ = Separation{model_, first, witness->input};
    return questions_of(answer, Inputs::all);
  }

  [[nodiscard]] Distinction decided(const Side& left, const Side& right, std::optional<std::int64_t> most,
                                    Inputs inputs = Inputs::all) {
    return nodes_first(checker_, left, right, allowance_, most, inputs);
  }

  const EquivalenceChecker& checker_;
  const UnitModel& model_;
  const Space& space_;
  HypothesisSet set_;
  Plan plan_;
  std::optional<std::int64_t> total_;  ///< steps
  Allowance allowance_;
  MadeInputs inputs_;
  std::optional<Separation> separation_;
  std::int64_t clauses_ = 0;
  std::uint64_t made_ = 0;  ///< searches among made inputs
  bool searched_ = false;   ///< for what tells the last hypothesis from the model
  ComparedModels& known_;
  Derivation derivation_;
  std::vector<ModelStep> steps_;     ///< from model to model, all of which compute alike
  std::optional<UnitModel> at_;      ///< where they have led, from the set's last hypothesis toward the model
  UnitModel end_ = model_;           ///< or its plain form
  std::optional<UnitModel> goal_{};  ///< that, with classes as they are on the way
};

}  // namespace

Comparison compare_with_set(const EquivalenceChecker& checker, const UnitModel& model, const Space& space,
                            const HypothesisSet& set, const Limits& limits, ComparedModels& known) {
  return Steps(checker, model, space, set, limits, known)();
}

Comparison compare_with_set(const EquivalenceChecker& checker, const UnitModel& model, const Space& space,
                            const HypothesisSet& set, const Limits& limits) {
  ComparedModels known;
  return compare_with_set(checker, model, space, set, limits, known);
}

}  // namespace mmaprint
