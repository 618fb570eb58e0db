#include "toy_units/trial.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <utility>

#include "inference/derivation_check.h"
#include "inference/edge_inputs.h"
#include "inference/equivalence.h"
#include "inference/equivalence_ledger.h"
#include "inference/plain_form.h"
#include "inference/proof_objects.h"
#include "model/alike_nodes.h"
#include "model/evaluator.h"
#include "model/json_reader.h"
#include "model/model_json.h"
#include "model/pattern.h"
#include "model/unit_json.h"
#include "solver/by_nodes.h"
#include "solver/idle_values.h"
#include "solver/subnormal_c.h"
#include "support/random.h"
#include "support/with_value.h"
#include "toy_units/truth.h"
#include "toy_units/variations.h"

namespace mmaprint::toys {
namespace {

constexpr std::int64_t kStepsOfQuestion = 60'000;
constexpr std::int64_t kStepsOfLedger = 60'000;

class Trial {
 public:
  Trial(std::uint64_t seed, int most_input_bits)
      : seed_(seed),
        random_(seed ^ 0x5bd1e995),
        pair_(toy_pair(seed, most_input_bits)),
        members_(pair_.members()),
        model_results_(results_of(pair_.model)) {
    for (const UnitModel& member : members_) member_results_.push_back(results_of(member));
    for (const Results& results : member_results_)
      truths_.push_back(compared(pair_.model, model_results_, results));
    result_.equal = truths_.front().equal;
    result_.equal_but_for_zeros = !result_.equal && truths_.front().equal_but_for_zeros;
  }

  TrialResult operator()(bool thorough) {
    specification();
    const auto checker = make_checker(Solver::cadical);
    whole(*checker, "whole unit");
    nodes(*checker);
    idle();
    subnormal_c();
    set(*checker);
    alike_nodes(*checker);
    plain_forms();
    edges();
    if (thorough) {
      whole(*make_checker(Solver::z3), "whole unit, Z3");
      ledger();
    }
    return std::move(result_);
  }

 private:
  [[nodiscard]] const UnitModel& model() const { return pair_.model; }
  [[nodiscard]] const UnitModel& other() const { return members_.front(); }
  [[nodiscard]] static Limits limits() {
    Limits all;
    all.steps = kStepsOfQuestion;
    return all;
  }

  void wrong(const std::string& method, const std::string& what) {
    ++result_.by_method[method].wrong;
    result_.wrong += "seed " + std::to_string(seed_) + ": " + method + ": " + what + "\n";
    result_.wrong += "  " + to_json(model().formats).dump() + "\n  " + unit_to_json(model()).dump() + "\n";
    for (const ParameterKey& key : pair_.set.box.keys())
      if (pair_.set.box[key] != ValueSet::single(value_index(values_of(model()), key))) {
        result_.wrong += "  " + name_of(key, pair_.set.box.classes()) + ":";
        for (const int v : pair_.set.box[key].values()) result_.wrong += " " + std::to_string(v);
        result_.wrong += " (the model has " + std::to_string(value_index(values_of(model()), key)) + ")\n";
      }
  }
  static std::string text(const DotInput& input) {
    std::string all;
    for (std::size_t i = 0; i < input.a.size(); ++i)
      all += " a" + std::to_string(input.a[i]) + " b" + std::to_string(input.b[i]);
    return all + " c" + std::to_string(input.c);
  }

  /// Counts an answer about the model and another unit that is, or is not, equal to it.
  void count(const std::string& method, const Distinction& answer, const Truth& truth, const UnitModel& its) {
    Tally& tally = result_.by_method[method];
    if (std::holds_alternative<Equivalent>(answer)) {
      if (truth.equal)
        ++tally.equal;
      else
        wrong(method, "equal, but not on" + text(input_at(model(), *truth.difference)));
    } else if (const auto* witness = std::get_if<Witness>(&answer)) {
      ++tally.different;
      if (evaluate(model(), witness->input) == evaluate(its, witness->input))
        wrong(method, "no difference on" + text(witness->input));
    } else {
      ++(truth.equal ? tally.unknown_of_equal : tally.unknown_of_different);
    }
  }

  /// What is taken for the truth is the evaluator's word.
  void specification() {
    for (const auto& [unit, results] :
         {std::pair(&model(), &model_results_), {&other(), &member_results_.front()}})
      for (int i = 0; i < 60; ++i) {
        const std::size_t number = random_.bits() % results->size();
        const DotInput input = input_at(model(), number);
        if (by_specification(*unit, input) != (*results)[number])
          return wrong("evaluator", "on" + text(input) + "\n  " + unit_to_json(*unit).dump());
      }
    ++result_.by_method["evaluator"].equal;
  }

  void whole(const EquivalenceChecker& checker, const std::string& method) {
    count(method, checker.distinguish(model(), other(), {}, limits()), truths_.front(), other());
  }

  /// Node by node, on all inputs and on those with a subnormal c.
  void nodes(const EquivalenceChecker& checker) {
    count("node by node", compare_by_nodes(checker, model(), other(), limits()), truths_.front(), other());
    if (!model().formats.c || random_.chance(1, 2)) return;
    const FormatInfo& c = info(*model().formats.c);
    const auto is_small = [&](const DotInput& in) {
      const ValueClass its = classify(c, in.c);
      return its == ValueClass::subnormal || its == ValueClass::zero;
    };
    const auto products_are_zero = [&](const DotInput& in) {
      for (std::size_t k = 0; k < in.a.size(); ++k)
        if (!is_zero(info(model().formats.a), in.a[k]) && !is_zero(info(model().formats.b), in.b[k]))
          return false;
      return is_small(in);
    };
    count("node by node, c subnormal",
          compare_by_nodes(checker, model(), other(), limits(), Inputs::subnormal_c),
          compared(model(), model_results_, member_results_.front(), is_small), other());
    if (model().tree.nodes.size() > 1) return;
    count("node by node, c subnormal alone",
          compare_by_nodes(checker, model(), other(), limits(), Inputs::subnormal_c_alone),
          compared(model(), model_results_, member_results_.front(), products_are_zero), other());
  }

  // ---- Bounds.

  /// Values of a parameter that are said to be idle, beside all else that the set has.
  void idle() {
    const Plan plan(model().formats, model().k, skeleton_of(model()));
    int left = 6;
    const auto keys = pair_.set.box.keys();
    const std::size_t first = random_.bits() % keys.size();
    for (std::size_t i = 0; i < keys.size() && left > 0; ++i) {
      const ParameterKey key = keys[(first + i) % keys.size()];
      Box box = pair_.set.box;
      for (const int value : telling_values(key, model()))
        if (is_legal(test::with_value(other(), key, value))) box[key].insert(value);
      const auto idle = idle_values(plan, box, key).values();
      if (idle.size() < 2) continue;
      --left;
      const UnitModel& member = members_[random_.bits() % members_.size()];
      const UnitModel x = test::with_value(member, key, random_.pick(std::span<const int>(idle)));
      const UnitModel y = test::with_value(member, key, random_.pick(std::span<const int>(idle)));
      if (x == y || !is_legal(x) || !is_legal(y)) continue;
      const std::string method = "idle " + std::string(info(key.parameter).name);
      const Truth truth = compared(x, results_of(x), results_of(y));
      if (truth.equal)
        ++result_.by_method[method].equal;
      else
        wrong(method, "values " + std::to_string(value_index(values_of(x), key)) + " and " +
                          std::to_string(value_index(values_of(y), key)) + " of class " +
                          std::to_string(key.of_class) + " differ on" +
                          text(input_at(model(), *truth.difference)) + "\n  " + unit_to_json(x).dump());
    }
    shrunk(plan);
  }
  /// Every hypothesis of the set computes as one that is left.
  void shrunk(const Plan& plan) {
    ToyPair rest = pair_;
    rest.set.box = without_idle_values(plan, pair_.set.box, values_of(model()));
    if (rest.set.box == pair_.set.box) return;
    std::vector<Results> left;
    for (const UnitModel& member : rest.members()) left.push_back(results_of(member));
    for (std::size_t i = 0; i < members_.size(); ++i)
      if (std::ranges::find(left, member_results_[i]) == left.end())
        return wrong("without idle values", "member " + std::to_string(i) + " is not represented");
    ++result_.by_method["without idle values"].equal;
  }

  /// Does c count as nothing beside products that are not zero?
  void subnormal_c() {
    if (!model().formats.c || model().tree.nodes.size() > 1) return;
    const Plan plan(model().formats, model().k, skeleton_of(model()));
    for (std::size_t m = 0; m < members_.size(); ++m) {
      if (!loses_subnormal_c(plan, Box(values_of(members_[m])))) continue;
      const FormatInfo &a = info(model().formats.a), &b = info(model().formats.b),
                       &c = info(*model().formats.c);
      const bool kept = members_[m].conventions.input_subnormals == Subnormals::kept;
      const auto is_number = [&](const FormatInfo& f, Pattern p) {
        const ValueClass its = classify(f, p);
        return its == ValueClass::normal || (kept && its == ValueClass::subnormal);
      };
      Tally& tally = result_.by_method["subnormal c lost"];
      bool lost = true;
      for (std::size_t i = 0; lost && i < member_results_[m].size(); ++i) {
        DotInput in = input_at(model(), i);
        if (classify(c, in.c) != ValueClass::subnormal || plan.from_a.conversion || plan.from_b.conversion)
          continue;
        bool some = false;
        for (std::size_t k = 0; k < in.a.size(); ++k)
          some = some || (is_number(a, in.a[k]) && is_number(b, in.b[k]));
        if (!some) continue;
        in.c = zero_pattern(c, is_negative(c, in.c));
        lost = evaluate(members_[m], in) == member_results_[m][i];
        if (!lost) wrong("subnormal c lost", "not on" + text(input_at(model(), i)));
      }
      if (lost) ++tally.equal;
    }
  }

  // ---- Sets.

  [[nodiscard]] Truth of_all() const {
    for (const Truth& truth : truths_)
      if (!truth.equal) return truth;
    return {};
  }
  [[nodiscard]] bool is_member(const UnitModel& unit) const {
    return unit == model() || std::ranges::find(members_, unit) != members_.end();
  }

  void set(const EquivalenceChecker& checker) {
    const std::string method = "set";
    const Comparison answer = compare_with_set(checker, model(), pair_.space, pair_.set, limits());
    Tally& tally = result_.by_method[method];
    const Truth truth = of_all();
    if (std::holds_alternative<EquivalentSet>(answer)) {
      if (truth.equal)
        ++tally.equal;
      else
        wrong(method, "equal, but not on" + text(input_at(model(), *truth.difference)));
    } else if (const auto* found = std::get_if<Separation>(&answer)) {
      ++tally.different;
      if (evaluate(found->left, found->input) == evaluate(found->right, found->input))
        wrong(method, "no difference on" + text(found->input));
      else if (!is_member(found->left) || !is_member(found->right))
        wrong(method, "told apart what are no members: " + unit_to_json(found->left).dump() + " and " +
                          unit_to_json(found->right).dump());
    } else {
      ++(truth.equal ? tally.unknown_of_equal : tally.unknown_of_different);
    }
  }

  // ---- Other trees.

  void alike_nodes(const EquivalenceChecker& checker) {
    const UnitModel alike = regrouped(random_, random_.chance(1, 2) ? other() : model());
    if (!is_legal(alike) || !add_the_same(skeleton_of(model()), skeleton_of(alike))) return;
    const Truth truth = compared(model(), model_results_, results_of(alike));
    count("nodes that add the same", compare_by_nodes(checker, model(), alike, limits()), truth, alike);
    count("nodes that add the same, turned round", compare_by_nodes(checker, alike, model(), limits()), truth,
          alike);
    set_of(alike, truth);
    UnitModel reordered = alike;
    for (Node& node : reordered.tree.nodes) std::ranges::reverse(node.operands);
    if (is_legal(reordered)) set_of(reordered, compared(model(), model_results_, results_of(reordered)));
  }
  /// As the one hypothesis of a set, with a proof that is read back and checked.
  void set_of(const UnitModel& alike, const Truth& truth) {
    const std::string method = "set of another skeleton";
    const Space space{alike.instruction, alike.k, alike.formats, {skeleton_of(alike)}, Box(1)};
    const HypothesisSet set{0, Box(values_of(alike)), canonical_nan(alike.formats.d)};
    const auto keeps_proofs = make_checker(Solver::cadical, {nullptr, true});
    const Comparison answer = compare_with_set(*keeps_proofs, model(), space, set, limits());
    Tally& tally = result_.by_method[method];
    if (const auto* equal = std::get_if<EquivalentSet>(&answer)) {
      if (!truth.equal)
        return wrong(method, "equal, but not on" + text(input_at(model(), *truth.difference)));
      ++tally.equal;
      StoredQuestions questions;
      const Json json = steps_to_json(space, set, model(), equal->derivation, questions);
      const Derivation read = steps_from_json(
          JsonReader(json), space, set, model(),
          [&](const JsonReader& number) { return questions.all().at(number.json().get<std::size_t>() - 1); });
      const auto check = DerivationChecker(space, model()).check(set, read, {});
      if (const auto* fails = std::get_if<StepFails>(&check))
        wrong(method, "step " + std::to_string(fails->step) + ": " + fails->why + "\n" + json.dump() + "\n" +
                          unit_to_json(alike).dump());
    } else if (const auto* found = std::get_if<Separation>(&answer)) {
      ++tally.different;
      if (evaluate(found->left, found->input) == evaluate(found->right, found->input))
        wrong(method, "no difference on" + text(found->input));
    } else {
      ++(truth.equal ? tally.unknown_of_equal : tally.unknown_of_different);
    }
  }

  /// Of the units, and of such as have more nodes that may round nothing.
  void plain_forms() {
    const UnitModel passing_on = with_last_node(random_, random_.chance(1, 2) ? other() : model());
    for (const UnitModel& unit :
         {model(), other(), with_wide_nodes(random_, model()), with_wide_nodes(random_, passing_on)}) {
      if (!is_legal(unit)) continue;
      const UnitModel plain = plain_form(unit);
      if (plain == unit) continue;
      const Truth truth = compared(unit, results_of(unit), results_of(plain));
      if (!truth.equal)
        return wrong("plain form", "differs on" + text(input_at(unit, *truth.difference)) + "\n  " +
                                       unit_to_json(unit).dump() + "\n  " + unit_to_json(plain).dump());
      const bool fewer = plain.tree.nodes.size() < unit.tree.nodes.size();
      const bool once =
          fewer && unit.adders.size() > 1 && unit.adders[unit.adders.size() - 2].rounding == Rounding::odd;
      ++result_
            .by_method[once    ? "plain form, rounded once"
                       : fewer ? "plain form, fewer nodes"
                               : "plain form"]
            .equal;
    }
    if (is_legal(passing_on)) set_of(passing_on, compared(model(), model_results_, results_of(passing_on)));
  }
  void edges() {
    if (const auto input = difference_at_edges(model(), other(), seed_)) {
      ++result_.by_method["made inputs"].different;
      if (evaluate(model(), *input) == evaluate(other(), *input))
        wrong("made inputs", "no difference on" + text(*input));
    } else {
      Tally& tally = result_.by_method["made inputs"];
      ++(truths_.front().equal ? tally.unknown_of_equal : tally.unknown_of_different);
    }
  }

  void ledger() {
    RareSearch rare;
    rare.seed = seed_;
    rare.inputs = 1 << 10;
    EquivalenceLedger all(pair_.space, Solver::cadical, kStepsOfLedger, rare);
    const auto input = all.prove(model(), {pair_.set}, Deadline());
    const Truth truth = of_all();
    Tally& tally = result_.by_method["ledger"];
    const bool proved = all.of(pair_.set).standing == SurvivorClass::Standing::proved;
    if (proved && !truth.equal)
      wrong("ledger", "proved, but not on" + text(input_at(model(), *truth.difference)));
    else if (proved)
      ++tally.equal;
    else if (input) {
      ++tally.different;
      const Pattern d = evaluate(model(), *input);
      if (std::ranges::all_of(members_, [&](const UnitModel& x) { return evaluate(x, *input) == d; }))
        wrong("ledger", "no difference on" + text(*input));
    } else {
      ++(truth.equal ? tally.unknown_of_equal : tally.unknown_of_different);
    }
  }

  std::uint64_t seed_;
  test::Random random_;
  ToyPair pair_;
  std::vector<UnitModel> members_;
  Results model_results_;
  std::vector<Results> member_results_;
  std::vector<Truth> truths_;  ///< of each member
  TrialResult result_;
};

}  // namespace

void add(Tallies& to, const Tallies& more) {
  for (const auto& [method, tally] : more) {
    Tally& its = to[method];
    its.equal += tally.equal;
    its.different += tally.different;
    its.unknown_of_equal += tally.unknown_of_equal;
    its.unknown_of_different += tally.unknown_of_different;
    its.wrong += tally.wrong;
  }
}

TrialResult try_pair(std::uint64_t seed, int most_input_bits, bool thorough) {
  return Trial(seed, most_input_bits)(thorough);
}

}  // namespace mmaprint::toys
