#include "inference/derivation_check.h"

#include <algorithm>
#include <utility>

#include "inference/plain_form.h"
#include "inference/representative.h"
#include "model/alike_nodes.h"
#include "solver/by_nodes.h"
#include "solver/encoding.h"
#include "solver/idle_values.h"
#include "solver/subnormal_c.h"

namespace mmaprint {
namespace {

/// Thrown within a check alone.
struct DoesNotHold {
  std::string why;
};

bool is_same(const OperandFacts& x, const OperandFacts& y) {
  return x.zeros == y.zeros && x.no_subnormals == y.no_subnormals && x.inputs == y.inputs;
}

/// In which parameters two models of one skeleton differ.
std::vector<ParameterKey> differing(const ParameterValues& x, const ParameterValues& y) {
  std::vector<ParameterKey> all;
  for (const ParameterKey& key : all_keys(static_cast<int>(x.adders.size())))
    if (value_index(x, key) != value_index(y, key)) all.push_back(key);
  return all;
}

}  // namespace

struct DerivationChecker::Run {
  DerivationChecker& checker;
  HypothesisSet set;
  const Deadline& deadline;
  CheckedSteps checked{};
  std::size_t step = 0;

  const Space& space() const { return checker.space_; }
  const UnitModel& model() const { return checker.model_; }

  void all(const Derivation& derivation) {
    const ParameterValues target = nearest(set.box, model());
    const Plan plan(space().formats, space().k, space().skeleton(set));
    for (const SetStep& s : derivation.sets) {
      ++step;
      of_set(s, plan, target);
    }
    ++step;
    if (set.box.size() != 1) throw DoesNotHold{"more than one hypothesis is left"};
    UnitModel at =
        space().model(set.skeleton, set.box.lowest(), set.nan ? set.nan : constant_nan(model().nan));
    for (const ModelStep& s : derivation.models) {
      if (deadline.passed()) throw DeadlinePassed(std::string(deadline.reason()));
      if (s.left != at && s.right != at) throw DoesNotHold{"it does not begin where the one before ended"};
      of_models(s);
      at = s.left == at ? s.right : s.left;
      ++step;
    }
    if (at != model()) throw DoesNotHold{"the steps do not lead to the model"};
  }

  void of_set(const SetStep& s, const Plan& plan, const ParameterValues& target) {
    if (!s.parameter) {
      set.box = without_idle_values(plan, set.box, target);
      ++checked.theorems;
      return;
    }
    const ParameterKey key = *s.parameter;
    HypothesisSet fixed = set;
    fixed.box[key] = ValueSet::single(value_index(target, key));
    const Side left = Hypotheses{&space(), fixed};
    const Side right = Hypotheses{&space(), set, true};
    questions(left, right, s.by, key.parameter == Parameter::c_subnormals);
    set = std::move(fixed);
  }

  void of_models(const ModelStep& s) {
    if (const auto* by = std::get_if<ByQuestions>(&s.by)) {
      const bool is_about_c = skeleton_of(s.left) == skeleton_of(s.right) && s.left.nan == s.right.nan &&
                              differing(values_of(s.left), values_of(s.right)) ==
                                  std::vector{ParameterKey{Parameter::c_subnormals}};
      return questions(s.left, s.right, *by, is_about_c);
    }
    if (std::holds_alternative<BySameNodes>(s.by))
      return theorem(has_the_same_nodes(s.left, s.right),
                     "the models differ in more than which nodes are of one class");
    if (std::holds_alternative<ByOrder>(s.by))
      return theorem(differ_in_order_alone(s.left, s.right),
                     "the models differ in more than the order of operands, or it may matter");
    if (std::holds_alternative<ByPlainForm>(s.by))
      return theorem(have_the_same_plain_form(s.left, s.right), "the models have other plain forms");
    if (skeleton_of(s.left) != skeleton_of(s.right) || s.left.nan != s.right.nan)
      throw DoesNotHold{"bounds say nothing of models of different structure"};
    const Plan plan(space().formats, space().k, skeleton_of(s.left));
    const ParameterValues x = values_of(s.left), y = values_of(s.right);
    const auto keys = differing(x, y);
    if (const auto* by = std::get_if<ByClamp>(&s.by)) {
      const auto is_of_class = [&](const ParameterKey& key) {
        return key.of_class == by->of_class && (key.parameter == Parameter::alignment_fraction_bits ||
                                                key.parameter == Parameter::minimum_alignment_exponent);
      };
      if (!std::ranges::all_of(keys, is_of_class) || !are_clamped_alike(plan, x, y, by->of_class))
        throw DoesNotHold{"clamps and F do not leave the same last place everywhere"};
    } else {
      if (keys.size() != 1) throw DoesNotHold{"bounds speak of one parameter at a time"};
      if (!makes_no_difference(plan, x, y, keys[0])) {
        const std::string name = name_of(keys[0], static_cast<int>(x.adders.size()));
        throw DoesNotHold{"bounds do not show that " + name + " makes no difference"};
      }
    }
    ++checked.theorems;
  }

  void theorem(bool holds, const char* why_not) {
    if (!holds) throw DoesNotHold{why_not};
    ++checked.theorems;
  }

  /// `is_about_c`: the sides differ in what becomes of subnormal c, and in nothing else.
  void questions(const Side& left, const Side& right, const ByQuestions& by, bool is_about_c) {
    if (by.inputs != Inputs::all) require_subnormal_c(left, right, by.inputs, is_about_c);
    if (by.proved.empty()) throw DoesNotHold{"nothing was asked"};
    if (const auto* whole = std::get_if<UnitQuestion>(&by.proved[0].question)) {
      if (by.proved.size() != 1 || whole->where != Restriction{})
        throw DoesNotHold{"expected one question about the units, or one about each node"};
    } else {
      require_every_node(left, right, by);
    }
    for (const ProvedQuestion& q : by.proved) question(left, right, q);
  }

  /// Subnormal c alone can tell such sides apart.
  void require_subnormal_c(const Side& left, const Side& right, Inputs inputs, bool is_about_c) const {
    const Plan plan = plan_of(right);
    if (!is_about_c || !space().formats.c || plan.from_c.conversion)
      throw DoesNotHold{"other inputs than subnormal c may tell the sides apart"};
    if (inputs == Inputs::subnormal_c) return;
    const auto* flushes = std::get_if<UnitModel>(&left);
    const auto* keeps = std::get_if<UnitModel>(&right);
    if (flushes == nullptr || flushes->conventions.c_subnormals != Subnormals::flushed || keeps == nullptr ||
        keeps->conventions.c_subnormals != Subnormals::kept ||
        !loses_subnormal_c(plan, Box(values_of(*keeps))))
      throw DoesNotHold{"a subnormal c may count beside other operands"};
  }

  static void require_every_node(const Side& left, const Side& right, const ByQuestions& by) {
    std::vector<std::size_t> asked;
    const OperandFacts* facts = nullptr;
    for (const ProvedQuestion& q : by.proved) {
      const auto* node = std::get_if<NodeQuestion>(&q.question);
      if (node == nullptr || (facts != nullptr && !is_same(*facts, node->facts)))
        throw DoesNotHold{"expected the same to be taken for granted at each node"};
      facts = &node->facts;
      asked.push_back(node->node);
    }
    if (facts->inputs != by.inputs || !is_shown_by_nodes(left, right, *facts))
      throw DoesNotHold{"nodes do not show it with what is taken for granted of their operands"};
    if (asked != nodes_to_compare(left, right))
      throw DoesNotHold{"expected a question for each kind of node"};
  }

  std::optional<EncodedQuestion> encoded(const Side& left, const Side& right,
                                         const SolverQuestion& question) const {
    try {
      return encode(left, right, question, deadline);
    } catch (const WrongLemma& lemma) {
      throw DoesNotHold{short_name(question) + ": a lemma about products does not hold: " + lemma.what()};
    }
  }

  void question(const Side& left, const Side& right, const ProvedQuestion& q) {
    const std::string name = short_name(q.question);
    const auto formula = encoded(left, right, q.question);
    if (!formula) {
      if (q.refuted) throw DoesNotHold{name + ": expected no formula, as it vanishes while it is built"};
      ++checked.vanished;
      return;
    }
    if (!q.refuted) throw DoesNotHold{name + ": expected a formula and a proof, as it does not vanish"};
    if (q.refuted->cnf != formula->cnf)
      throw DoesNotHold{name + ": the formula is another than the stored one"};
    ++checked.refutations;
    if (checker.known_.contains(q.refuted.get())) return;
    const auto check = check_proof(q.refuted->proof, formula->clauses, deadline);
    if (std::holds_alternative<ProofUndecided>(check)) throw DeadlinePassed(std::string(deadline.reason()));
    if (const auto* broken = std::get_if<ProofBroken>(&check))
      throw DoesNotHold{name + ": the proof does not hold: " + broken->why};
    if (checker.other_)
      if (const std::string why = checker.other_(*q.refuted, deadline); !why.empty())
        throw DoesNotHold{name + ": " + why};
    checker.known_.insert(q.refuted.get());
  }
};

DerivationCheck DerivationChecker::check(HypothesisSet set, const Derivation& derivation,
                                         const Deadline& deadline) {
  Run run{*this, std::move(set), deadline};
  try {
    run.all(derivation);
  } catch (const DoesNotHold& found) {
    return StepFails{run.step, found.why};
  } catch (const DeadlinePassed&) {
    return CheckCutShort{};
  }
  return run.checked;
}

}  // namespace mmaprint
