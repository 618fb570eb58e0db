// Units whose NaN results follow a rule: found, confirmed, told from others; and some that follow none.
#include <gtest/gtest.h>

#include <algorithm>

#include "device/simulated.h"
#include "forgery.h"
#include "inference/assumption.h"
#include "inference/characterise.h"
#include "inference/check.h"
#include "inference/minimal.h"
#include "inference/mutant.h"
#include "inference/nan_fit.h"
#include "inference/nan_inputs.h"
#include "model/evaluator.h"
#include "model/pattern.h"
#include "support/random.h"

namespace mmaprint::nan_rule_test {
namespace {

using enum Format;

UnitModel fp64_chain(const NanBehaviour& nan) {
  UnitModel model = chain_model("dot4", 4, {fp64, fp64, fp64, fp64}, {{{0}, {1}, {2}, {3}}, CEnters::first},
                                {exact_adder(fp64, Rounding::nearest_even), {}, {}}, std::nullopt);
  model.nan = nan;
  return model;
}
UnitModel fp32_block(const NanBehaviour& nan) {
  Adder block = exact_adder(fp32, Rounding::toward_zero);
  block.alignment_fraction_bits = 24;
  UnitModel model = chain_model("dot4", 4, {fp16, fp16, fp32, fp32}, {{{0, 1}, {2, 3}}, CEnters::first},
                                {block, {}, {}}, std::nullopt);
  model.nan = nan;
  return model;
}

/// Answers as a model does, but for NaN results.
class Unit final : public MatmulUnit {
 public:
  using Nan = std::function<Pattern(const DotInput&, Pattern)>;
  Unit(const UnitModel& model, Nan nan) : unit_("hidden", "hidden", {model}), nan_(std::move(nan)) {}
  [[nodiscard]] std::string name() const override { return unit_.name(); }
  [[nodiscard]] std::string description() const override { return unit_.description(); }
  [[nodiscard]] std::vector<InstructionInfo> instructions() const override { return unit_.instructions(); }
  [[nodiscard]] RunResult run(const Instruction& instruction, std::span<const DotInput> inputs) override {
    RunResult result = unit_.run(instruction, inputs);
    if (auto* all = std::get_if<std::vector<Pattern>>(&result))
      for (std::size_t i = 0; i < inputs.size(); ++i)
        if (is_nan(instruction.formats.d, (*all)[i])) (*all)[i] = nan_(inputs[i], (*all)[i]);
    return result;
  }

 private:
  SimulatedUnit unit_;
  Nan nan_;
};

/// Searched among units that differ from this one in a few things.
Characterisation characterised(const UnitModel& hidden, MatmulUnit& unit,
                               std::vector<Observation> known = {}) {
  const Instruction instruction{hidden.instruction, hidden.k, hidden.formats};
  PartialFeatures stated;
  stated.get<Parameter::alignment_fraction_bits>() = hidden.adders.front().alignment_fraction_bits;
  stated.get<Parameter::normalisation>() = Normalisation::late;
  stated.get<Parameter::product>() = ProductKind::exact_unnormalised;
  CharacteriseOptions options;
  options.identify.threads = 2;
  options.identify.proof_steps = 20'000;
  options.identify.seconds = 600;
  return characterise(search_for(hidden.instruction, hidden.k, hidden.formats, stated), unit, instruction,
                      std::move(known), options, {});
}
Characterisation characterised(const UnitModel& hidden) {
  SimulatedUnit unit("hidden", "hidden", {hidden});
  return characterised(hidden, unit);
}

bool is_about_nan(const std::string& name) { return name.find("NaN") != std::string::npos; }

void expect_same_nans(const UnitModel& model, const UnitModel& hidden) {
  for (const DotInput& in : nan_inputs(hidden)) ASSERT_EQ(evaluate(model, in), evaluate(hidden, in));
}

void expect_found(const UnitModel& hidden) {
  const Characterisation found = characterised(hidden);
  ASSERT_TRUE(found.result.model);
  EXPECT_TRUE(found.result.confirmed()) << found.result.reason();
  ASSERT_TRUE(std::holds_alternative<NanRule>(found.result.model->nan))
      << in_words(found.result.model->nan, hidden.formats.d);
  expect_same_nans(*found.result.model, hidden);
  for (const Observation& o : found.result.observations)
    ASSERT_EQ(evaluate(*found.result.model, o.input), o.d);
  const auto& told = found.result.confirmation.mutants;
  EXPECT_TRUE(std::ranges::none_of(told.open, is_about_nan));
}

TEST(NanFit, FindsTheRulesOfAnFp64ChainOfFmas) {
  if (test::counts_are_reduced()) GTEST_SKIP() << test::kTakesMinutesThen;
  expect_found(fp64_chain(NanRule{.generated = 0xfff8000000000000}));
  // As a Hopper has it.
  expect_found(fp64_chain(NanRule{.sum = NanRule::Sum::between,
                                  .factors = NanRule::Factors::b_first,
                                  .invalid = NanRule::Invalid::last,
                                  .generated = 0xfff8000000000000}));
}

TEST(NanFit, IsRepeatedWhereACertificateIsVerified) {
  const UnitModel hidden = fp32_block(NanRule{.generated = 0x7fffffff});
  Characterisation found = characterised(hidden);
  ASSERT_TRUE(found.result.model);
  const samples::Folder folder;
  Temporaries temporaries;
  const auto verified = [&] {
    write_certificate(folder / "c", found.search, found.result, {"0.1.0", "sim:sample", 1}, Solver::cadical,
                      temporaries);
    return verify_certificate(folder / "c", {});
  };
  const Verification as_found = verified();
  EXPECT_TRUE(as_found.failures.empty()) << samples::failures(as_found);
  std::erase_if(found.result.observations, [](const Observation& o) { return is_nan(fp32, o.d); });
  std::get<NanRule>(found.result.model->nan).factors = NanRule::Factors::b_first;
  EXPECT_NE(samples::failures(verified()).find("model.json: unit.nan: expected the one rule"),
            std::string::npos);
}

TEST(NanFit, FindsTheRuleOfAnFp32UnitOfBlocks) {
  expect_found(fp32_block(NanRule{.sum = NanRule::Sum::last,
                                  .products = NanRule::Products::descending,
                                  .factors = NanRule::Factors::b_first,
                                  .signalling = NanRule::Signalling::first,
                                  .generated = 0xffc00000}));
}

/// The search for numbers left out: any rule, from what it is asked.
TEST(NanFit, TellsAnyRuleFromAllOthers) {
  for (UnitModel model : {fp64_chain(SeveralNans{}), fp32_block(SeveralNans{})}) {
    const Pattern generated = sign_pattern(info(model.formats.d)) | canonical_nan(model.formats.d);
    for (std::size_t i = 0; const NanRule& rule : all_nan_rules(generated)) {
      if (test::counts_are_reduced() && i++ % 8 != 0) continue;
      model.nan = rule;
      const Evaluator hidden(model);
      UnitModel searched = model;
      searched.nan = SeveralNans{};
      std::vector<Observation> seen;
      for (const DotInput& in : {nan_inputs(model)[0], nan_inputs(model)[1]})
        seen.push_back({in, hidden(in)});
      int asked = 0;
      const auto fitted = fitted_nan_rule(searched, seen, [&](const DotInput& in) {
        ++asked;
        return std::optional(hidden(in));
      });
      ASSERT_TRUE(fitted.rule) << in_words(model.nan, model.formats.d);
      EXPECT_LE(asked, 20);
      searched.nan = *fitted.rule;
      expect_same_nans(searched, model);
    }
  }
}

TEST(NanFit, SaysNothingOfPatternsThatNoRuleExplains) {
  if (test::counts_are_reduced()) GTEST_SKIP() << test::kTakesMinutesThen;
  const UnitModel hidden = fp32_block(Pattern{0x7fffffff});
  Unit zoo(hidden, [](const DotInput& in, Pattern) {
    Pattern mixed = in.c;
    for (const Pattern p : in.a) mixed = mixed * 31 + p;
    for (const Pattern p : in.b) mixed = mixed * 31 + p;
    return 0x7fc00000U | (mixed % 97);
  });
  const Characterisation found = characterised(hidden, zoo);
  ASSERT_TRUE(found.result.model);
  EXPECT_TRUE(found.result.confirmed()) << found.result.reason();
  EXPECT_EQ(found.result.model->nan, NanBehaviour(SeveralNans{}));
}

TEST(NanFit, IsUndoneByAnAnswerThatTheRuleDoesNotGive) {
  if (test::counts_are_reduced()) GTEST_SKIP() << test::kTakesMinutesThen;
  const NanRule rule{.generated = 0xffc00000};
  const UnitModel hidden = fp32_block(rule);
  // Otherwise where three factors of a are NaN.
  Unit odd(hidden, [](const DotInput& in, Pattern d) {
    const auto nans = std::ranges::count_if(in.a, [](Pattern p) { return is_nan(fp16, p); });
    return nans >= 3 ? 0x7fffffffU : d;
  });
  const Characterisation found = characterised(hidden, odd);
  ASSERT_TRUE(found.result.model);
  EXPECT_EQ(found.result.model->nan, NanBehaviour(SeveralNans{}));
}

TEST(NanFit, AsksNothingWhereOnePatternStandsForAll) {
  const UnitModel hidden = fp32_block(Pattern{0x7fffffff});
  const Characterisation found = characterised(hidden);
  ASSERT_TRUE(found.result.model);
  EXPECT_EQ(found.result.model->nan, NanBehaviour(Pattern{0x7fffffff}));
  const auto nans = std::ranges::count_if(found.result.observations,
                                          [](const Observation& o) { return is_nan(fp32, o.d); });
  EXPECT_LE(nans, 3);
}

TEST(NanFit, FindsTheRuleAgainInWhatWasRecorded) {
  if (test::counts_are_reduced()) GTEST_SKIP() << test::kTakesMinutesThen;
  const UnitModel hidden = fp64_chain(NanRule{.generated = 0xfff8000000000000});
  const Characterisation first = characterised(hidden);
  ASSERT_TRUE(first.result.model);
  UnitModel numbers = *first.result.model;
  numbers.nan = SeveralNans{};
  const FittedNans again = fitted_nan_rule(numbers, first.result.observations, nullptr);
  ASSERT_TRUE(again.rule);
  EXPECT_EQ(first.result.model->nan, NanBehaviour(*again.rule));
  EXPECT_FALSE(fitted_nan_rule(numbers, std::span(first.result.observations).first(3), nullptr).rule);
}

TEST(Distinguish, FindsAnInputThatTellsTwoRulesApart) {
  if (test::counts_are_reduced()) GTEST_SKIP() << test::kTakesMinutesThen;
  for (const NanRule& rule : all_nan_rules(0xfff8000000000000)) {
    const UnitModel left = fp64_chain(NanRule{.generated = 0xfff8000000000000});
    const UnitModel right = fp64_chain(rule);
    const auto answer = smallest_difference(left, right, {});
    const bool differ = std::ranges::any_of(
        nan_inputs(left), [&](const DotInput& in) { return evaluate(left, in) != evaluate(right, in); });
    if (rule == std::get<NanRule>(left.nan)) {
      EXPECT_TRUE(std::holds_alternative<SameEverywhere>(answer));
    } else if (!differ) {
      EXPECT_TRUE(std::holds_alternative<NotDecided>(answer));
    } else {
      ASSERT_TRUE(std::holds_alternative<Different>(answer));
      const auto& found = std::get<Different>(answer);
      EXPECT_NE(found.left, found.right);
      EXPECT_FALSE(found.terms_minimal() || found.bits_minimal()) << "no solver was asked";
    }
  }
  const auto constant = smallest_difference(fp64_chain(NanRule{.generated = 0xfff8000000000000}),
                                            fp64_chain(Pattern{0xfff8000000000000}), {});
  EXPECT_TRUE(std::holds_alternative<Different>(constant));
  const auto several = smallest_difference(fp64_chain(NanRule{.generated = 0xfff8000000000000}),
                                           fp64_chain(SeveralNans{}), {});
  EXPECT_TRUE(std::holds_alternative<SameEverywhere>(several)) << "several patterns are not told apart";
}

TEST(Check, IsExactAboutWhichNanARuleGives) {
  const UnitModel model = fp64_chain(NanRule{.generated = 0xfff8000000000000});
  DotInput in = nan_inputs(model).front();
  const Pattern d = evaluate(model, in);
  const auto verdict = [&](Pattern seen) {
    ObservationRecord record;
    record.instruction = "dot4";
    record.formats = model.formats;
    record.input = in;
    record.d = seen;
    return check(model, std::vector{record}, {}).verdict;
  };
  EXPECT_EQ(verdict(d), CheckResult::Verdict::consistent);
  EXPECT_EQ(verdict(d ^ 1), CheckResult::Verdict::inconsistent);
}

TEST(Assumption, OfARuleIsThatThereAreSeveralPatterns) {
  PartialFeatures stated;
  stated.nan = NanRule{.generated = 0x7fffffff};
  EXPECT_EQ(search_for("dot4", 4, {fp16, fp16, fp32, fp32}, stated).space.nan_results, NanResults::several);
  EXPECT_THROW((void)check(PartialModel{"dot4", 4, {fp16, fp16, fp32, fp32}, stated},
                           std::vector<ObservationRecord>{}, {}),
               BadInput);
}

TEST(Mutants, OfARuleDifferFromItWhereTheirExamplesSay) {
  const UnitModel model = fp64_chain(NanRule{.generated = 0xfff8000000000000});
  const Evaluator unit(model);
  std::size_t rules = 0;
  for (const Mutant& mutant : mutants_of(Original(model), kMostMutants, 1)) {
    if (!mutant.aim.example || !is_about_nan(mutant.name)) continue;
    ++rules;
    const Pattern d = unit(*mutant.aim.example);
    EXPECT_NE(mutant.answer(*mutant.aim.example, d), d) << mutant.name;
  }
  EXPECT_GE(rules, 5U);
}

}  // namespace
}  // namespace mmaprint::nan_rule_test
