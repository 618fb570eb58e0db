// Steps by which sets were proved equal to a model: checked without a solver, and refused once anything about
// them is otherwise.
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "chained_sets.h"
#include "derivations.h"
#include "device/simulated.h"
#include "inference/derivation_check.h"
#include "inference/equivalence.h"
#include "inference/proof_objects.h"
#include "model/alike_nodes.h"
#include "model/json_reader.h"
#include "random_units/random_unit.h"
#include "samples.h"
#include "solver/drat.h"

namespace mmaprint::derivation_test {
namespace {

using derivations::problem;
using derivations::read_back;
using samples::Additions;
using samples::Chained;
using samples::flushing_pair;
using enum Parameter;

/// A set, and why it computes as the model does.
struct Proved {
  Chained unit;
  Derivation derivation;
};

Proved proved(Chained unit) {
  auto answer = unit.compared();
  EXPECT_TRUE(std::holds_alternative<EquivalentSet>(answer));
  if (auto* equal = std::get_if<EquivalentSet>(&answer)) return {unit, std::move(equal->derivation)};
  return {unit, {}};
}

std::string problem(const Proved& p, CheckedSteps* checked = nullptr) {
  return problem(p.unit.space, p.unit.model, p.unit.set, p.derivation, checked);
}

/// Carry bits that wrap only beyond what blocks of so few products reach, and signs of zeros: formulas.
Chained with_formulas() {
  Chained unit(CEnters::first);
  unit.set.box[zero_cancelled] = ValueSet::range(0, 1);
  unit.set.box[zero_rounded] = ValueSet::range(0, 1);
  unit.set.box[minimum_alignment_exponent] = ValueSet::range(0, ClampDomain::index(-132));
  unit.set.box[extra_carry_bits] = ValueSet::range(3, CarryDomain::kSize - 1);
  return unit;
}

ByQuestions* first_questions(Derivation& derivation) {
  for (SetStep& step : derivation.sets)
    if (step.parameter) return &step.by;
  for (ModelStep& step : derivation.models)
    if (auto* by = std::get_if<ByQuestions>(&step.by)) return by;
  return nullptr;
}
/// The first question that has a formula.
ProvedQuestion* first_refuted(Derivation& derivation) {
  const auto among = [](ByQuestions& by) -> ProvedQuestion* {
    for (ProvedQuestion& q : by.proved)
      if (q.refuted) return &q;
    return nullptr;
  };
  for (SetStep& step : derivation.sets)
    if (auto* found = among(step.by)) return found;
  for (ModelStep& step : derivation.models)
    if (auto* by = std::get_if<ByQuestions>(&step.by))
      if (auto* found = among(*by)) return found;
  return nullptr;
}

TEST(Derivation, HoldsOfEverySetThatIsProvedAndIsReadBackAsItWas) {
  std::vector<Chained> units{Chained(CEnters::first), with_formulas(), flushing_pair(CEnters::first),
                             flushing_pair(CEnters::last)};
  Additions additions;
  additions.set.box[alignment_rounding] = ValueSet::single(static_cast<int>(AlignmentRounding::sticky));
  additions.set.box[alignment_fraction_bits] = ValueSet::single(36);
  additions.set.box[extra_carry_bits] = ValueSet::range(2, CarryDomain::kSize - 1);
  units.push_back(additions);
  std::size_t refutations = 0;
  for (const Chained& unit : units) {
    const Proved p = proved(unit);
    CheckedSteps checked;
    EXPECT_EQ(problem(p, &checked), "");
    refutations += checked.refutations;
    const Derivation read = read_back(p.unit.space, p.unit.model, p.unit.set, p.derivation);
    EXPECT_EQ(problem({p.unit, read}), "");
  }
  EXPECT_GT(refutations, 0U) << "no formula at all";
}

TEST(Derivation, HoldsOfEverySurvivorThatIsProvedOnRandomInputs) {
  test::Random random(test::starting_seed(9'400));
  std::size_t sets = 0;
  for (long i = test::count(2); i > 0; --i) {
    const UnitModel hidden =
        test::random_unit(random, test::counts_are_reduced() ? 2 : 4, samples::kFp16ToFp32);
    const Space space = default_space(hidden.instruction, hidden.k, hidden.formats);
    SimulatedUnit device("sim:random", "drawn", {hidden});
    IdentifyOptions options;
    options.keeps_proofs = true;
    options.proof_steps = 60'000;
    options.seconds = 60;
    const auto found = identify(space, space.whole(), device, {hidden.instruction, hidden.k, hidden.formats},
                                {}, options, {});
    for (const SurvivorClass& survivor : found.survivors) {
      ASSERT_EQ(survivor.derivation != nullptr, survivor.standing == SurvivorClass::Standing::proved);
      if (!survivor.derivation) continue;
      ++sets;
      const Derivation read = read_back(space, *found.model, survivor.set, *survivor.derivation);
      ASSERT_EQ(problem(space, *found.model, survivor.set, read), "");
    }
  }
  EXPECT_GT(sets, 0U);
}

TEST(Derivation, FailsForAnotherModelOrSet) {
  Proved p = proved(with_formulas());
  Proved other = p;
  other.unit.model.conventions.zero_sign.all_zero =
      p.unit.model.conventions.zero_sign.all_zero == ZeroSign::positive ? ZeroSign::follow
                                                                        : ZeroSign::positive;
  EXPECT_NE(problem(other), "");
  Proved wider = p;
  wider.unit.set.box[alignment_fraction_bits].insert(p.unit.set.box[alignment_fraction_bits].last() + 1);
  EXPECT_NE(problem(wider), "");
  Proved elsewhere = p;
  elsewhere.unit.set.box[block_rounding] = ValueSet::single(static_cast<int>(Rounding::nearest_even));
  EXPECT_NE(problem(elsewhere), "");
}

TEST(Derivation, FailsWithoutAnyOfItsSteps) {
  for (const Chained& unit : {with_formulas(), flushing_pair(CEnters::first)}) {
    const Proved p = proved(unit);
    for (std::size_t i = 0; i < p.derivation.sets.size(); ++i) {
      Proved less = p;
      less.derivation.sets.erase(less.derivation.sets.begin() + static_cast<std::ptrdiff_t>(i));
      EXPECT_NE(problem(less), "") << i;
    }
    for (std::size_t i = 0; i < p.derivation.models.size(); ++i) {
      Proved less = p;
      less.derivation.models.erase(less.derivation.models.begin() + static_cast<std::ptrdiff_t>(i));
      EXPECT_NE(problem(less), "") << i;
    }
  }
}

TEST(Derivation, FailsWhereAFormulaOrItsProofIsAnother) {
  const Proved p = proved(flushing_pair(CEnters::first));
  const auto changed = [&](const std::function<void(RefutedFormula&)>& change) {
    Proved other = p;
    ProvedQuestion* question = first_refuted(other.derivation);
    if (question == nullptr) return std::string("no formula");
    auto refuted = std::make_shared<RefutedFormula>(*question->refuted);
    change(*refuted);
    question->refuted = refuted;
    return problem(other);
  };
  const auto says = [](const std::string& found, const std::string& part) {
    EXPECT_NE(found.find(part), std::string::npos) << found;
  };
  says(changed([](RefutedFormula& r) { r.cnf += "1 0\n"; }), "the formula is another than the stored one");
  says(changed([](RefutedFormula& r) { r.cnf.insert(0, "c true\n"); }), "the formula is another");
  says(changed([](RefutedFormula& r) { r.proof.clear(); }), "it does not end in a conflict");
  says(changed([](RefutedFormula& r) { r.proof.resize(r.proof.size() / 2); }), "the proof does not hold");
  says(changed([](RefutedFormula& r) {
         r.proof.clear();
         append_drat(r.proof, true, {});
       }),
       "step 1 does not follow by unit propagation");
  Proved none = p;
  first_refuted(none.derivation)->refuted = nullptr;
  says(problem(none), "expected a formula and a proof, as it does not vanish");
}

TEST(Derivation, FailsWhereQuestionsAreOthers) {
  const Proved p = proved(flushing_pair(CEnters::first));
  const auto changed = [&](const std::function<void(ByQuestions&)>& change) {
    Proved other = p;
    ByQuestions* by = first_questions(other.derivation);
    if (by == nullptr) return std::string("nothing is asked");
    change(*by);
    return problem(other);
  };
  EXPECT_NE(changed([](ByQuestions& by) { by.proved.pop_back(); }), "");
  EXPECT_NE(changed([](ByQuestions& by) { by.proved.clear(); }), "");
  EXPECT_NE(changed([](ByQuestions& by) { by.proved.push_back(by.proved.front()); }), "");
  EXPECT_NE(changed([](ByQuestions& by) { by.proved = {{UnitQuestion{}, by.proved[0].refuted}}; }), "");
  EXPECT_NE(changed([](ByQuestions& by) {
              Restriction powers;
              powers.b_power_of_two = true;
              by.proved = {{UnitQuestion{powers}, by.proved[0].refuted}};
            }),
            "");
  const auto of_first_node = [&](const std::function<void(NodeQuestion&)>& change) {
    return changed([&](ByQuestions& by) { change(std::get<NodeQuestion>(by.proved[0].question)); });
  };
  EXPECT_NE(of_first_node([](NodeQuestion& q) { q.node = 3; }), "");
  EXPECT_NE(of_first_node([](NodeQuestion& q) { q.node = 1'000; }), "");
  EXPECT_NE(of_first_node([](NodeQuestion& q) { q.facts.no_subnormals = !q.facts.no_subnormals; }), "");
  EXPECT_NE(of_first_node([](NodeQuestion& q) {
              q.facts.inputs = q.facts.inputs == Inputs::all ? Inputs::subnormal_c_alone : Inputs::all;
            }),
            "");
}

TEST(Derivation, FailsWhereAnArgumentIsNamedThatDoesNotApply) {
  const Proved p = proved(flushing_pair(CEnters::last));
  for (std::size_t i = 0; i < p.derivation.models.size(); ++i) {
    const auto* by = std::get_if<ByQuestions>(&p.derivation.models[i].by);
    if (by == nullptr) continue;
    Proved idle = p;
    idle.derivation.models[i].by = ByIdleValues{};
    EXPECT_NE(problem(idle).find("bounds do not show that"), std::string::npos) << problem(idle);
    Proved clamped = p;
    clamped.derivation.models[i].by = ByClamp{0};
    EXPECT_NE(problem(clamped).find("clamps and F"), std::string::npos) << problem(clamped);
    if (by->inputs != Inputs::all) continue;
    Proved about_c = p;
    std::get<ByQuestions>(about_c.derivation.models[i].by).inputs = Inputs::subnormal_c;
    EXPECT_NE(problem(about_c), "");
  }
  // That of idle values one is left changes nothing where none are idle.
  Chained unit(CEnters::first);
  unit.set.box[block_rounding] = ValueSet::range(0, 1);
  const Proved nothing{unit, {{SetStep{std::nullopt}}, {}}};
  EXPECT_EQ(problem(nothing), "step 2: more than one hypothesis is left");
}

TEST(Derivation, IsAskedAboutByAnotherCheckerToo) {
  const Proved p = proved(flushing_pair(CEnters::first));
  std::size_t asked = 0;
  DerivationChecker checker(p.unit.space, p.unit.model, [&](const RefutedFormula&, const Deadline&) {
    ++asked;
    return std::string("another checker does not think so");
  });
  const auto check = checker.check(p.unit.set, p.derivation, {});
  ASSERT_TRUE(std::holds_alternative<StepFails>(check));
  EXPECT_TRUE(std::get<StepFails>(check).why.ends_with("another checker does not think so"));
  EXPECT_EQ(asked, 1U);
}

}  // namespace
}  // namespace mmaprint::derivation_test
