// One's own model against a device: what is found out, and what the device is asked.
#include "inference/confirm_model.h"

#include <gtest/gtest.h>

#include <functional>
#include <map>

#include "device/simulated.h"
#include "inference/mutant_specials.h"
#include "inference/mutant_trial.h"
#include "inference/node_operands.h"
#include "model/value.h"
#include "mutant_units.h"
#include "support/random.h"

namespace mmaprint::confirm_model_test {
namespace {

using test::all_mutants;
using test::FunctionUnit;
using test::model;
using test::MutantUnit;
using test::two_nodes;

/// The unit departs from the model as the deviation says, of product k alone, which is an operand of node 0
/// as the last class.
ModelConfirmation confirmed_of(const UnitModel& m, int k, const mutants::How& how,
                               bool where_subnormal = false) {
  UnitModel split = mutants::with_own_class(m, 0);
  const auto& operands = split.tree.nodes[0].operands;
  const auto place = std::ranges::find(operands, Leaf(ProductLeaf{k})) - operands.begin();
  const DeviatingEvaluator deviating(split, {static_cast<int>(split.adders.size()) - 1,
                                             deviation::OfOperand{static_cast<std::size_t>(place), how}});
  const Evaluator evaluator(m);
  FunctionUnit unit([&](const DotInput& in) {
    const auto i = static_cast<std::size_t>(k);
    const auto is_subnormal = [](Format f, Pattern p) { return classify(f, p) == ValueClass::subnormal; };
    const bool deviates =
        !where_subnormal || is_subnormal(m.formats.a, in.a[i]) || is_subnormal(m.formats.b, in.b[i]);
    return deviates ? deviating(in) : evaluator(in);
  });
  return confirm_model(m, unit, {m.instruction, m.k, m.formats}, {}, {}, {});
}

TEST(ConfirmModel, StopsAtTheMostObservations) {
  const UnitModel m = two_nodes(Format::fp32, Rounding::toward_zero);
  SimulatedUnit unit("sim", "sim", {m});
  IdentifyOptions options;
  options.most_observations = 100;
  const ModelConfirmation found = confirm_model(m, unit, {m.instruction, m.k, m.formats}, {}, options, {});
  EXPECT_EQ(found.verdict, AgreementVerdict::unknown);
  EXPECT_FALSE(found.reason.empty());
  EXPECT_LE(found.confirmation.inputs, 100U);
  EXPECT_GT(found.confirmation.inputs, 0U);
}

TEST(ConfirmModel, AgreesWithTheRightModelAndSaysHowItsMutantsStand) {
  const UnitModel m = two_nodes(Format::fp32, Rounding::toward_zero);
  SimulatedUnit unit("sim", "sim", {m});
  const ModelConfirmation found = confirm_model(m, unit, {m.instruction, m.k, m.formats}, {}, {}, {});
  EXPECT_EQ(found.verdict, AgreementVerdict::match);
  EXPECT_EQ(found.confirmation.repeated, 250U);
  EXPECT_LE(found.confirmation.inputs, kMostDeviceInputs);
  const MutantCounts& counts = found.confirmation.mutants.counts;
  EXPECT_GT(counts.killed, 100U);
  EXPECT_LE(counts.open() * 12, counts.mutants);
}

TEST(ConfirmModel, ShowsWhatDiffersAndNamesTheMutantThatTheDeviceIs) {
  const UnitModel m = two_nodes(Format::fp32, Rounding::toward_zero);
  Mutants all = all_mutants(m);
  for (const char* name : {"F one less for product 3", "subnormals flushed at b1",
                           "infinities of both signs give the first one"}) {
    SCOPED_TRACE(name);
    const auto mutant = std::ranges::find(all, name, &Mutant::name);
    ASSERT_NE(mutant, all.end());
    MutantUnit unit(m, *mutant);
    std::vector<Observation> observed;
    IdentifyHooks hooks;
    hooks.observed = [&](const Observation& o) { observed.push_back(o); };
    const ModelConfirmation found = confirm_model(m, unit, {m.instruction, m.k, m.formats}, {}, {}, hooks);
    EXPECT_EQ(found.verdict, AgreementVerdict::mismatch);
    ASSERT_EQ(found.seen.size(), 1U);
    EXPECT_EQ(observed, found.seen);
    EXPECT_EQ(unit.answer(found.seen.front().input), found.seen.front().d);
    EXPECT_NE(evaluate(m, found.seen.front().input), found.seen.front().d);
    EXPECT_NE(std::ranges::find(found.answers_like, name), found.answers_like.end());
    // What is known already ends it at once.
    const ModelConfirmation again = confirm_model(m, unit, {m.instruction, m.k, m.formats}, observed, {}, {});
    EXPECT_EQ(again.seen, observed);
  }
}

TEST(ConfirmModel, FindsAProductWhoseExponentIsAnotherWhereAFactorIsSubnormal) {
  if (test::counts_are_reduced()) GTEST_SKIP() << test::kTakesMinutesThen;
  using deviation::MovedWhereSubnormal;
  using enum MovedWhereSubnormal::What;
  for (const auto& [unit, k] : {std::pair("t4", 3), std::pair("a100", 5), std::pair("h100", 13)}) {
    const UnitModel m = model(unit, k == 3 ? "mma.m16n8k8.f32.f16.f16.f32" : "mma.m16n8k16.f32.f16.f16.f32");
    SCOPED_TRACE(unit);
    for (const mutants::How& how :
         {mutants::How(MovedWhereSubnormal{factor_a, -1}), mutants::How(MovedWhereSubnormal{factor_b, -1}),
          mutants::How(MovedWhereSubnormal{factor_b, 1}),
          mutants::How(deviation::ProductAs{ProductKind::exact_normalised})}) {
      const ModelConfirmation found = confirmed_of(m, k, how, true);
      EXPECT_EQ(found.verdict, AgreementVerdict::mismatch) << how.index();
      if (std::holds_alternative<MovedWhereSubnormal>(how)) {
        EXPECT_FALSE(found.answers_like.empty());
      }
    }
  }
}

TEST(ConfirmModel, FindsAProductThatIsTakenForAnInfinityWhereAnotherCancelsIt) {
  if (test::counts_are_reduced()) GTEST_SKIP() << test::kTakesMinutesThen;
  const UnitModel m = model("a100", "mma.m16n8k16.f16.f16.f16.f16");
  for (const int exponent : {16, 31}) {
    const ModelConfirmation found = confirmed_of(m, 5, deviation::InfiniteFrom{exponent});
    EXPECT_EQ(found.verdict, AgreementVerdict::mismatch) << exponent;
    EXPECT_FALSE(found.answers_like.empty());
  }
}

TEST(ConfirmModel, FindsAZeroProductWithTheSignOfOneFactor) {
  // FP16 factors: sums that begin from products and c keep the sign of zeros.
  const UnitModel m = two_nodes(Format::fp32, Rounding::toward_zero);
  ASSERT_EQ(m.conventions.zero_sign.all_zero, ZeroSign::follow);
  const Evaluator evaluator(m);
  FunctionUnit unit([&](const DotInput& in) {
    DotInput changed = in;
    if (in.a[2] == 0x8000) changed.b[2] &= 0x7fffU;
    return evaluator(changed);
  });
  const ModelConfirmation found = confirm_model(m, unit, {m.instruction, m.k, m.formats}, {}, {}, {});
  EXPECT_EQ(found.verdict, AgreementVerdict::mismatch);
}

TEST(ConfirmModel, FindsWhatOperandsDoToEachOtherAtOnePairOfPlacesAlone) {
  const UnitModel m = two_nodes(Format::fp32, Rounding::toward_zero);
  const mutants::SpecialOperands of(m.formats);
  const FormatInfo f = info(m.formats.a);
  const std::size_t x = 1, y = static_cast<std::size_t>(m.k) - 2, c = static_cast<std::size_t>(m.k);
  const auto drop = [](DotInput& in, std::size_t k) { mutants::SpecialOperands::drop(in, k); };
  using Change = std::function<void(DotInput&)>;
  const std::map<std::string, Change> changes{
      {"an infinite product hides a NaN",
       [&](DotInput& in) {
         if (of.nan_addend(in, x) && of.infinite_addend(in, y)) drop(in, x);
       }},
      {"a NaN in c hidden",
       [&](DotInput& in) {
         if (of.nan_addend(in, c) && of.infinite_addend(in, x)) in.c = 0;
       }},
      {"an infinite c hides a NaN",
       [&](DotInput& in) {
         if (of.nan_addend(in, y) && of.infinite_addend(in, c)) drop(in, y);
       }},
      {"zero times infinity is zero",
       [&](DotInput& in) {
         if (of.zero_times_infinity(in, y)) drop(in, y);
       }},
      {"zero times infinity is hidden",
       [&](DotInput& in) {
         if (of.zero_times_infinity(in, y) && of.infinite_addend(in, x)) drop(in, y);
       }},
      {"products that cancel are left out",
       [&](DotInput& in) {
         if ((in.a[x] ^ in.a[y]) == sign_pattern(f) && in.b[x] == in.b[y]) drop(in, x), drop(in, y);
       }},
      {"equal negative factors have a negative product", [&](DotInput& in) {
         if (in.a[x] == in.b[x] && (in.a[x] & sign_pattern(f)) != 0) in.b[x] = negated(f, in.b[x]);
       }}};
  const Evaluator evaluator(m);
  for (const auto& [name, change] : changes) {
    FunctionUnit unit([&, &apply = change](const DotInput& in) {
      DotInput changed = in;
      apply(changed);
      return evaluator(changed);
    });
    const ModelConfirmation found = confirm_model(m, unit, {m.instruction, m.k, m.formats}, {}, {}, {});
    EXPECT_EQ(found.verdict, AgreementVerdict::mismatch) << name;
  }
}

TEST(ConfirmModel, FindsThatSubnormalsAreKeptAtOnePlaceOrInOneRole) {
  UnitModel m = two_nodes(Format::fp32, Rounding::toward_zero);
  UnitModel keeping = m;
  m.conventions.input_subnormals = Subnormals::flushed;
  keeping.conventions.input_subnormals = Subnormals::kept;
  const Evaluator evaluator(keeping);
  const FormatInfo f = info(m.formats.a);
  const auto flush = [&](Pattern& p) {
    if (classify(f, p) == ValueClass::subnormal) p &= sign_pattern(f);
  };
  for (const bool everywhere : {true, false}) {
    FunctionUnit unit([&](const DotInput& in) {
      DotInput changed = in;
      for (std::size_t k = 0; k < in.a.size(); ++k) {
        if (!everywhere && k != 2) flush(changed.a[k]);
        flush(changed.b[k]);
      }
      return evaluator(changed);
    });
    const ModelConfirmation found = confirm_model(m, unit, {m.instruction, m.k, m.formats}, {}, {}, {});
    EXPECT_EQ(found.verdict, AgreementVerdict::mismatch);
    EXPECT_EQ(std::ranges::count(found.answers_like, "subnormals kept at a2"), everywhere ? 0 : 1);
  }
}

TEST(ConfirmModel, DoesNotKnowWhereTheTimeIsUp) {
  const UnitModel m = two_nodes(Format::fp32, Rounding::toward_zero);
  SimulatedUnit unit("sim", "sim", {m});
  IdentifyOptions options;
  options.seconds = 0;
  const ModelConfirmation found = confirm_model(m, unit, {m.instruction, m.k, m.formats}, {}, options, {});
  EXPECT_EQ(found.verdict, AgreementVerdict::unknown);
  EXPECT_EQ(found.reason, "time limit reached");
}

}  // namespace
}  // namespace mmaprint::confirm_model_test
