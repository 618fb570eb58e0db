// How sets stand: what is proved, what is open, what is told apart, and what is forgotten when sets change.
#include "inference/equivalence_ledger.h"

#include <gtest/gtest.h>

#include "inference/representative.h"
#include "model/evaluator.h"
#include "samples.h"
#include "support/random.h"

namespace mmaprint::equivalence_ledger_test {
namespace {

using enum Parameter;
using Standing = SurvivorClass::Standing;

constexpr int kUnobservableClamp = -290;

/// The small space's first chain, the sample unit alone in it.
struct Sample {
  Space space = samples::small_space();
  UnitModel model = samples::unit();
  HypothesisSet set{0, Box(values_of(model)), constant_nan(model.nan)};
  Experiments experiments{space, 1};

  [[nodiscard]] EquivalenceLedger ledger(std::int64_t steps = kProofSteps) const {
    RareSearch rare;
    rare.inputs = 1 << 13;
    return {space, Solver::cadical, steps, rare};
  }
};

TEST(EquivalenceLedger, SaysOpenOfWhatItWasNeverAskedAbout) {
  const Sample s;
  const EquivalenceLedger ledger = s.ledger();
  EXPECT_FALSE(ledger.is_noted(s.set));
  EXPECT_EQ(ledger.of(s.set).standing, Standing::open);
  EXPECT_EQ(ledger.of(s.set).set.box, s.set.box);
  EXPECT_EQ(ledger.steps(), 0);
}

TEST(EquivalenceLedger, ProvesWhatNoInputShows) {
  Sample s;
  s.set.box[minimum_alignment_exponent].insert(ClampDomain::index(kUnobservableClamp));
  EquivalenceLedger ledger = s.ledger();
  EXPECT_FALSE(ledger.among_neighbours(s.model, {s.set}, s.experiments, Deadline()));
  EXPECT_FALSE(ledger.prove(s.model, {s.set}, Deadline()));
  EXPECT_TRUE(ledger.is_noted(s.set));
  EXPECT_EQ(ledger.of(s.set).standing, Standing::proved);
  EXPECT_TRUE(ledger.of(s.set).question.empty());
}

TEST(EquivalenceLedger, FindsAnInputOnWhichANeighbourDiffers) {
  Sample s;
  s.set.box[alignment_fraction_bits] = ValueSet::range(23, 24);
  EquivalenceLedger ledger = s.ledger();
  const auto input = ledger.among_neighbours(s.model, {s.set}, s.experiments, Deadline());
  ASSERT_TRUE(input);
  UnitModel other = s.model;
  other.adders.front().alignment_fraction_bits = 24;
  EXPECT_NE(evaluate(s.model, *input), evaluate(other, *input));
  EXPECT_FALSE(ledger.is_noted(s.set));
}

TEST(EquivalenceLedger, FindsAnInputOnWhichAMemberDiffersThatIsNoNeighbour) {
  if (test::counts_are_reduced()) GTEST_SKIP() << test::kTakesMinutesThen;
  // Another structure: no parameter of the representative's leads there.
  Sample s;
  HypothesisSet other = s.set;
  other.skeleton = 1;
  EquivalenceLedger ledger = s.ledger();
  const auto input = ledger.prove(s.model, {other}, Deadline());
  ASSERT_TRUE(input);
  const UnitModel member = s.space.model(1, other.box.lowest(), other.nan);
  EXPECT_NE(evaluate(s.model, *input), evaluate(member, *input));
}

TEST(EquivalenceLedger, ForgetsSetsThatAreNoMoreAndKeepsTheOthers) {
  Sample s;
  HypothesisSet shrunk = s.set;
  s.set.box[minimum_alignment_exponent].insert(ClampDomain::index(kUnobservableClamp));
  EquivalenceLedger ledger = s.ledger();
  ASSERT_FALSE(ledger.prove(s.model, {s.set, shrunk}, Deadline()));
  ASSERT_TRUE(ledger.is_noted(s.set));
  ASSERT_TRUE(ledger.is_noted(shrunk));
  ledger.keep({shrunk});
  EXPECT_FALSE(ledger.is_noted(s.set));
  EXPECT_TRUE(ledger.is_noted(shrunk));
  ledger.clear();
  EXPECT_FALSE(ledger.is_noted(shrunk));
}

TEST(EquivalenceLedger, NotesNothingOnceTheTimeIsUp) {
  const Sample s;
  EquivalenceLedger ledger = s.ledger();
  EXPECT_FALSE(ledger.prove(s.model, {s.set}, Deadline(0)));
  EXPECT_FALSE(ledger.is_noted(s.set));
}

TEST(EquivalenceLedger, TakesTheSameStepsForTheSameQuestions) {
  const auto steps = [] {
    Sample s;
    UnitModel other = s.model;
    other.adders[0].alignment_rounding = s.model.adders[0].alignment_rounding == AlignmentRounding::truncate
                                             ? AlignmentRounding::nearest_even
                                             : AlignmentRounding::truncate;
    EquivalenceLedger ledger = s.ledger();
    const auto answers = ledger.compare({{&s.model, &other}}, 100'000, 1, Deadline());
    const auto* witness = std::get_if<Witness>(&answers.front());
    return std::pair(ledger.steps(), witness != nullptr ? std::optional(witness->input) : std::nullopt);
  };
  const auto first = steps();
  EXPECT_GT(first.first, 0);
  EXPECT_TRUE(first.second);
  EXPECT_EQ(steps(), first);
}

/// Says that units differ where they don't.
class FindsDifferencesEverywhere final : public EquivalenceChecker {
 public:
  [[nodiscard]] std::string_view name() const override { return "faulty"; }
  [[nodiscard]] Distinction distinguish(const Side& left, const Side& right, const Restriction& /*where*/,
                                        const Limits& /*limits*/) const override {
    const auto n = static_cast<std::size_t>(products_of(left));
    return Witness{{std::vector<Pattern>(n, 0), std::vector<Pattern>(n, 0), 0}, member(left), member(right)};
  }
  [[nodiscard]] Distinction compare_node(const Side& left, const Side& right, std::size_t /*node*/,
                                         const OperandFacts& /*facts*/, const Limits& limits) const override {
    return distinguish(left, right, {}, limits);
  }

 private:
  static std::optional<ParameterValues> member(const Side& side) {
    const auto* hypotheses = std::get_if<Hypotheses>(&side);
    return hypotheses != nullptr ? std::optional(hypotheses->set.box.lowest()) : std::nullopt;
  }
};

TEST(EquivalenceLedger, TakesNoDifferenceForOneThatTheEvaluatorDoesNotSee) {
  const Sample s;
  HypothesisSet other = s.set;
  other.skeleton = 1;  // which needs the checker
  EquivalenceLedger ledger(s.space, std::make_unique<FindsDifferencesEverywhere>(), kProofSteps,
                           RareSearch{});
  EXPECT_THROW((void)ledger.prove(s.model, {other}, Deadline()), std::logic_error);
  EXPECT_FALSE(ledger.is_noted(other));
}

}  // namespace
}  // namespace mmaprint::equivalence_ledger_test
