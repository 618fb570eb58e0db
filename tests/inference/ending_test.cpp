// Each way in which a run ends: what is told of it, and a unit that ends so.
#include "inference/ending.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "device/simulated.h"
#include "inference/identify.h"
#include "model/evaluator.h"
#include "samples.h"

namespace mmaprint::ending_test {
namespace {

using Verdict = IdentificationVerdict;

struct Told {
  Verdict verdict;
  std::string reason;
  bool confirmed;
  bool device_failed;
  friend bool operator==(const Told&, const Told&) = default;
};
Told told(const Ending& end) {
  return {verdict_of(end), reason_of(end), is_confirmed(end), device_failed(end)};
}

TEST(Ending, TellsWhatDocumentsAlwaysSaid) {
  using namespace ending;
  EXPECT_EQ(told(Unique{}), (Told{Verdict::unique, "", true, false}));
  EXPECT_EQ(told(ProvedAlike{}), (Told{Verdict::equivalent, "", true, false}));
  EXPECT_EQ(told(NothingExplains{}), (Told{Verdict::none, "", false, false}));
  EXPECT_EQ(told(NothingExplains{"it is gone"}), (Told{Verdict::none, "it is gone", false, true}));
  EXPECT_EQ(told(NotDeterministic{0, 1}), (Told{Verdict::none, "not deterministic", false, false}));
  EXPECT_EQ(told(TimeUp{}), (Told{Verdict::unknown, "time limit reached", false, false}));
  EXPECT_EQ(told(Interrupted{}), (Told{Verdict::unknown, "interrupted", false, false}));
  EXPECT_EQ(told(OutOfObservations{}), (Told{Verdict::unknown, "observation limit reached", false, false}));
  EXPECT_EQ(told(DeviceFailed{"it is gone"}), (Told{Verdict::unknown, "it is gone", false, true}));
  EXPECT_EQ(told(NotConfirmed{}),
            (Told{Verdict::unknown, "the device was not asked enough to confirm the model", false, false}));
  EXPECT_EQ(told(NobodyToAsk{}), (Told{Verdict::unknown, "the device can answer nothing more", true, false}));
  EXPECT_EQ(told(NanUnseen{}),
            (Told{Verdict::unknown, "no NaN result was observed, so its pattern is open", true, false}));
  EXPECT_EQ(told(DiffersInBulk{}),
            (Told{Verdict::unknown, "the device still differs from the model in bulk", false, false}));
  EXPECT_EQ(told(JournalFailed{true}), (Told{Verdict::unknown, "the journal can't be written", true, false}));
}

TEST(Ending, NamesWhatIsOpenAndWhetherTimeWasUp) {
  const std::string open = "some survivors are neither proved equal nor told apart";
  EXPECT_EQ(reason_of(ending::SomeOpen{}), open);
  EXPECT_EQ(reason_of(ending::SomeOpen{"structure, overflow"}), open + " in structure, overflow");
  EXPECT_EQ(reason_of(ending::SomeOpen{"overflow", true}), "time limit reached: " + open + " in overflow");
}

/// Answers as the unit of the small space does, but for what a script makes of it.
class Scripted final : public MatmulUnit {
 public:
  using Script = std::function<RunResult(std::vector<Pattern> results, std::size_t asked)>;
  explicit Scripted(Script script) : script_(std::move(script)) {}
  [[nodiscard]] std::string name() const override { return "scripted"; }
  [[nodiscard]] std::vector<InstructionInfo> instructions() const override { return {}; }
  [[nodiscard]] RunResult run(const Instruction& /*instruction*/, std::span<const DotInput> inputs) override {
    std::vector<Pattern> results;
    for (const DotInput& input : inputs) results.push_back(unit_(input));
    asked_ += inputs.size();
    return script_(std::move(results), asked_);
  }

 private:
  Evaluator unit_{samples::unit()};
  Script script_;
  std::size_t asked_ = 0;
};

RunResult as_they_are(std::vector<Pattern> results, std::size_t /*asked*/) { return results; }

Identification run(const Space& space, Subject subject, std::vector<Observation> known = {},
                   const IdentifyOptions& options = {}, const IdentifyHooks& hooks = {}) {
  return identify(space, space.whole(), subject, {std::string(samples::kName), 4, samples::kFp16ToFp32},
                  std::move(known), options, hooks);
}

template <class Expected>
void expect_end(const Identification& found) {
  EXPECT_TRUE(std::holds_alternative<Expected>(found.end)) << found.end.index() << " " << found.reason();
}

TEST(Identification, EndsUniqueWhereOneHypothesisIsLeft) {
  Space space = samples::small_space();
  space.skeletons.resize(1);
  space.box[Parameter::minimum_alignment_exponent] = ValueSet::single(0);
  space.box[Parameter::alignment_rounding] = ValueSet::single(0);
  Scripted unit(as_they_are);
  expect_end<ending::Unique>(run(space, unit));
}

TEST(Identification, EndsProvedAlikeWhereAClampIsLeftThatNoInputShows) {
  Scripted unit(as_they_are);
  expect_end<ending::ProvedAlike>(run(samples::small_space(), unit));
}

TEST(Identification, EndsInNothingExplainsForAUnitOfAnotherSpace) {
  SimulatedUnit unit("stranger", "stranger", {samples::stranger()});
  const Identification found = run(samples::small_space(), unit);
  expect_end<ending::NothingExplains>(found);
  EXPECT_FALSE(found.conflict.empty());
}

TEST(Identification, EndsNotDeterministicWithTheTwoObservations) {
  Scripted unit([](std::vector<Pattern> results, std::size_t asked) {
    if (asked > 9'800)
      for (Pattern& d : results) d ^= (d & 0x7f800000U) == 0x7f800000U ? 0U : 1U;
    return results;
  });
  const Identification found = run(samples::small_space(), unit);
  expect_end<ending::NotDeterministic>(found);
  ASSERT_EQ(found.conflict.size(), 2U);
  const Observation &x = found.observations[found.conflict[0]], &y = found.observations[found.conflict[1]];
  EXPECT_EQ(x.input, y.input);
  EXPECT_NE(x.d, y.d);
}

TEST(Identification, EndsWhenTimeIsUpBeforeAnythingIsAsked) {
  Scripted unit(as_they_are);
  IdentifyOptions options;
  options.seconds = 0;
  const Identification found = run(samples::small_space(), unit, {}, options);
  expect_end<ending::TimeUp>(found);
  EXPECT_EQ(found.device_calls, 0U);
  EXPECT_TRUE(found.model);
}

TEST(Identification, EndsInterruptedWhenItIsToldToStop) {
  Scripted unit(as_they_are);
  std::stop_source source;
  IdentifyHooks hooks;
  hooks.stop = source.get_token();
  hooks.observed = [&](const Observation&) { source.request_stop(); };
  const Identification found = run(samples::small_space(), unit, {}, {}, hooks);
  expect_end<ending::Interrupted>(found);
  EXPECT_EQ(found.observations.size(), 1U);
}

TEST(Identification, EndsOutOfObservationsAtTheLimit) {
  Scripted unit(as_they_are);
  IdentifyOptions options;
  options.most_observations = 2;
  const Identification found = run(samples::small_space(), unit, {}, options);
  expect_end<ending::OutOfObservations>(found);
  EXPECT_EQ(found.observations.size(), 2U);
}

TEST(Identification, EndsWithTheDevicesFailureInAnyState) {
  for (const std::size_t last : {0U, 1U, 3U, 500U, 9'500U}) {
    Scripted unit([&](std::vector<Pattern> results, std::size_t asked) -> RunResult {
      if (asked > last) return DeviceFailure{"it is gone"};
      return results;
    });
    const Identification found = run(samples::small_space(), unit);
    expect_end<ending::DeviceFailed>(found);
    EXPECT_EQ(found.reason(), "it is gone") << last;
    EXPECT_TRUE(found.model) << last;
  }
}

TEST(Identification, EndsNotConfirmedWhereADeviceAnswersNothingInTimeAndThereIsTime) {
  Scripted unit([](std::vector<Pattern> results, std::size_t) -> RunResult {
    if (results.size() > 1) return DeviceInterrupted{};
    return results;
  });
  const Identification found = run(samples::small_space(), unit);
  expect_end<ending::NotConfirmed>(found);
  EXPECT_FALSE(found.confirmed());
}

TEST(Identification, OfARecordingEndsWithNobodyToAskWhereAnInputWouldTell) {
  const auto few = samples::observations(samples::unit(), 2, 1);
  const Identification found = run(samples::small_space(), Recorded{}, few);
  expect_end<ending::NobodyToAsk>(found);
  EXPECT_EQ(found.device_calls, 0U);
  EXPECT_TRUE(std::ranges::any_of(found.survivors, [](const SurvivorClass& s) {
    return s.standing == SurvivorClass::Standing::undecided && s.witness;
  }));
}

TEST(Identification, OfARecordingThatSufficesIsAsOfAUnit) {
  const auto many = samples::observations(samples::unit(), 4'000, 1);
  const Identification found = run(samples::small_space(), Recorded{}, many);
  expect_end<ending::ProvedAlike>(found);
  EXPECT_EQ(found.observations.size(), many.size());
  EXPECT_EQ(found.device_calls, 0U);
}

TEST(Identification, OfAPartOfARecordingEndsOutOfObservations) {
  const auto many = samples::observations(samples::unit(), 100, 1);
  expect_end<ending::OutOfObservations>(run(samples::small_space(), Recorded{false}, many));
}

TEST(Identification, OfARecordingWithoutNanLeavesItsPatternOpen) {
  auto many = samples::observations(samples::unit(), 4'000, 1);
  std::erase_if(many, [](const Observation& o) { return is_nan(Format::fp32, o.d); });
  const Identification found = run(samples::small_space(), Recorded{}, many);
  expect_end<ending::NanUnseen>(found);
  EXPECT_TRUE(found.confirmed());
}

TEST(Identification, EndsWithSomeOpenWhereProofsMayTakeNoSteps) {
  // Results are subnormal for a subnormal c alone, so that flushing either comes to the same; but that takes
  // a proof.
  UnitModel hidden = samples::unit();
  hidden.conventions.c_subnormals = Subnormals::flushed;
  hidden.conventions.zero_sign = {ZeroSign::positive, ZeroSign::positive, ZeroSign::positive,
                                  ZeroSign::positive};
  SimulatedUnit unit("flushing", "flushes c", {hidden});
  Space space = samples::small_space();
  for (const Parameter p : {Parameter::zero_all_zero, Parameter::zero_rounded, Parameter::zero_flushed})
    space.box[p] = ValueSet::single(static_cast<int>(ZeroSign::positive));
  for (const Parameter p : {Parameter::c_subnormals, Parameter::output_subnormals})
    space.box[p] = ValueSet::range(0, 1);
  IdentifyOptions options;
  options.proof_steps = 0;
  const Identification found = run(space, unit, {}, options);
  expect_end<ending::SomeOpen>(found);
  EXPECT_TRUE(found.confirmed());
  EXPECT_NE(found.reason().find("_subnormals"), std::string::npos) << found.reason();
}

}  // namespace
}  // namespace mmaprint::ending_test
