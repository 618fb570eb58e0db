// Models and hypotheses against observations.
#include "inference/check.h"

#include <gtest/gtest.h>

#include <functional>
#include <set>

#include "device/catalogue.h"
#include "samples.h"
#include "support/random.h"

namespace mmaprint::check_test {
namespace {

using samples::complaint;
using Verdict = CheckResult::Verdict;

std::vector<ObservationRecord> records(const std::vector<Observation>& observations) {
  std::vector<ObservationRecord> all;
  for (const auto& o : observations) {
    ObservationRecord record;
    record.file = "seen.jsonl";
    record.line = all.size() + 1;
    record.instruction = samples::kName;
    record.formats = samples::kFp16ToFp32;
    record.input = o.input;
    record.d = o.d;
    all.push_back(std::move(record));
  }
  return all;
}

std::vector<ObservationRecord> from_unit(int count) {
  return records(samples::observations(samples::unit(), count, 5));
}

PartialModel hypothesis(const std::function<void(PartialFeatures&)>& state) {
  PartialModel model{std::string(samples::kName), 4, samples::kFp16ToFp32, {}};
  state(model.features);
  return model;
}

constexpr Pattern kOne = 0x3c00;

/// `products` times 1, then one of 2^-24 (as 2^-12 squared): lost at F = 23 beside a larger exponent.
Observation ones(int products, Pattern c) {
  DotInput in{{0, 0, 0, 0}, {0, 0, 0, 0}, c};
  for (std::size_t i = 0; i < static_cast<std::size_t>(products); ++i) in.a[i] = in.b[i] = kOne;
  return {in, evaluate(samples::unit(), in)};
}

TEST(Check, FindsAModelConsistentWithItsOwnResults) {
  const auto result = check(samples::unit(), from_unit(200), {});
  EXPECT_EQ(result.verdict, Verdict::consistent);
  EXPECT_GT(result.observations, 150U);  // some inputs are drawn twice
  EXPECT_TRUE(result.refuting.empty());
}

TEST(Check, CountsDuplicatesOnce) {
  auto twice = from_unit(10);
  const auto again = from_unit(10);
  twice.insert(twice.end(), again.begin(), again.end());
  EXPECT_EQ(check(samples::unit(), twice, {}).observations, 10U);
}

TEST(Check, ShowsTheDisagreementThatIsEasiestToFollow) {
  auto seen = samples::observations(samples::unit(), 50, 5);
  Observation hard = ones(3, 0x3f800001);
  Observation easy = ones(2, 0x3f800000);
  hard.d ^= 1;
  easy.d ^= 1;
  seen.push_back(hard);
  seen.push_back(easy);
  const auto result = check(samples::unit(), records(seen), {});
  EXPECT_EQ(result.verdict, Verdict::inconsistent);
  EXPECT_EQ(result.disagreeing, 2U);
  EXPECT_TRUE(result.smallest);
  ASSERT_EQ(result.refuting.size(), 1U);
  EXPECT_EQ(result.refuting.front().record.place(), "seen.jsonl:52");
  EXPECT_EQ(result.refuting.front().predicted, std::vector{easy.d ^ 1});
}

TEST(Check, NamesBothOfTwoContradictoryObservations) {
  auto seen = samples::observations(samples::unit(), 20, 5);
  seen.push_back(seen[7]);
  seen.back().d ^= 1;
  for (const AnyModel& model :
       {AnyModel(samples::unit()), AnyModel(hypothesis([](auto& f) { f.family = Family::pairwise; }))}) {
    const auto result = check(model, records(seen), {});
    EXPECT_EQ(result.verdict, Verdict::inconsistent);
    EXPECT_TRUE(result.contradictory);
    ASSERT_EQ(result.refuting.size(), 2U);
    EXPECT_EQ(result.refuting[0].record.line, 8U);
    EXPECT_EQ(result.refuting[1].record.line, 21U);
  }
}

TEST(Check, RefusesObservationsOfOtherFormatsOrK) {
  auto seen = from_unit(2);
  seen[1].formats.a = Format::bf16;
  EXPECT_EQ(complaint<BadInput>([&] { (void)check(samples::unit(), seen, {}); }),
            "seen.jsonl:2: formats: expected the model's, fp16,fp16,fp32,fp32, found bf16,fp16,fp32,fp32");
  seen = from_unit(2);
  seen[0].input.a.pop_back();
  EXPECT_EQ(complaint<BadInput>([&] { (void)check(samples::unit(), seen, {}); }),
            "seen.jsonl:1: a: expected 4 entries as the model has, found 3");
}

TEST(Check, FindsACompletionOfAHypothesis) {
  const auto seen = from_unit(60);
  const auto result = check(hypothesis([](auto& f) { f.fma_width = 4; }), seen, {});
  EXPECT_EQ(result.verdict, Verdict::consistent);
  ASSERT_TRUE(result.completion.has_value());
  EXPECT_EQ(check(*result.completion, seen, {}).verdict, Verdict::consistent);
}

TEST(Check, RefutesAHypothesisByASmallestSetOfObservations) {
  const auto seen = from_unit(60);
  const auto result = check(hypothesis([](auto& f) { f.family = Family::exact; }), seen, {});
  EXPECT_EQ(result.verdict, Verdict::inconsistent);
  EXPECT_TRUE(result.smallest);
  ASSERT_FALSE(result.refuting.empty());
  ASSERT_TRUE(result.completion.has_value());
  EXPECT_EQ(features_of(*result.completion).family, Family::exact);
  std::vector<ObservationRecord> few;
  for (const auto& r : result.refuting) {
    ASSERT_FALSE(r.predicted.empty());
    EXPECT_EQ(r.predicted.front(), evaluate(*result.completion, r.record.input));
    few.push_back(r.record);
  }
  // They suffice, and none can be spared.
  const auto exact = hypothesis([](auto& f) { f.family = Family::exact; });
  EXPECT_EQ(check(exact, few, {}).verdict, Verdict::inconsistent);
  for (std::size_t i = 0; i < few.size(); ++i) {
    auto fewer = few;
    fewer.erase(fewer.begin() + static_cast<std::ptrdiff_t>(i));
    EXPECT_EQ(check(exact, fewer, {}).verdict, Verdict::consistent);
  }
}

TEST(Check, SaysThatItDoesNotKnowOutsideTheSpace) {
  if (test::counts_are_reduced()) GTEST_SKIP() << test::kTakesMinutesThen;
  const auto tree = hypothesis([](auto& f) {
    f.family = Family::tree;
    f.template get<Parameter::alignment_fraction_bits>() = 12;  // not the unit's: fewer to refute
  });
  const auto result = check(tree, from_unit(60), {});
  EXPECT_EQ(result.verdict, Verdict::unknown);
  EXPECT_EQ(result.reason, "no tree of the space explains the observations, and there are others outside it");
}

TEST(Check, RefutesThePairwiseTree) {
  if (test::counts_are_reduced()) GTEST_SKIP() << test::kTakesMinutesThen;
  const auto pairwise = hypothesis([](auto& f) { f.family = Family::pairwise; });
  EXPECT_EQ(check(pairwise, from_unit(60), {}).verdict, Verdict::inconsistent);
}

TEST(Check, SaysHowMuchItHadReadWhenTheTimeWasUp) {
  const auto seen = from_unit(60);
  CheckOptions late;
  late.deadline = Deadline(0);
  for (const AnyModel& model :
       {AnyModel(samples::unit()), AnyModel(hypothesis([](auto& f) { f.fma_width = 4; }))}) {
    const auto result = check(model, seen, late);
    EXPECT_EQ(result.verdict, Verdict::unknown);
    EXPECT_EQ(result.reason, "time limit reached");
    EXPECT_GT(result.observations, 40U);
  }
}

TEST(Check, FindsAContradictionEvenWhenTheTimeIsUp) {
  auto seen = samples::observations(samples::unit(), 20, 5);
  seen.push_back(seen[7]);
  seen.back().d ^= 1;
  CheckOptions late;
  late.deadline = Deadline(0);
  const auto result = check(samples::unit(), records(seen), late);
  EXPECT_EQ(result.verdict, Verdict::inconsistent);
  EXPECT_TRUE(result.contradictory);
}

TEST(Check, KeepsWhereEachRecordStood) {
  CheckedRecords kept({std::string(samples::kName), 4, samples::kFp16ToFp32});
  std::set<Observation> seen;
  std::vector<ObservationRecord> distinct;
  for (const auto& record : from_unit(5000)) {
    kept.add(record);
    kept.add(record);
    if (seen.insert({record.input, *record.d}).second) distinct.push_back(record);
  }
  ASSERT_EQ(kept.size(), distinct.size());
  EXPECT_FALSE(kept.contradiction());
  for (std::size_t i = 0; i < distinct.size(); ++i) {
    const ObservationRecord record = kept.record(i);
    EXPECT_EQ(record.place(), distinct[i].place());
    EXPECT_EQ(record.instruction, distinct[i].instruction);
    EXPECT_EQ(record.input, distinct[i].input);
    EXPECT_EQ(record.d, distinct[i].d);
  }
}

}  // namespace
}  // namespace mmaprint::check_test
