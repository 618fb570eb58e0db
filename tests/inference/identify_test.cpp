// The loop against units whose parameters it does not know: catalogued ones, random ones, and ones that lie.
#include "inference/identify.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "device/catalogue.h"
#include "device/simulated.h"
#include "inference/by_need.h"
#include "inference/representative.h"
#include "model/evaluator.h"
#include "model/features.h"
#include "random_units/random_unit.h"

namespace mmaprint::identify_test {
namespace {

Identification identified(MatmulUnit& unit, const Instruction& instruction, std::uint64_t seed,
                          std::int64_t proof_steps) {
  const Space space = default_space(instruction.name, instruction.k, instruction.formats);
  IdentifyOptions options;
  options.seed = seed;
  options.threads = 2;
  options.proof_steps = proof_steps;
  options.most_observations = 60;
  options.seconds = 600;  // machines may be slow or busy
  options.confirming_inputs = 65'536;
  return identify(space, space.whole(), unit, instruction, {}, options, {});
}

Identification identified(const UnitModel& hidden, std::uint64_t seed = 1,
                          std::int64_t proof_steps = 150'000) {
  SimulatedUnit unit("hidden", "hidden", {hidden});
  return identified(unit, {hidden.instruction, hidden.k, hidden.formats}, seed, proof_steps);
}

void expect_proved_and_equal(std::string_view device, std::string_view instruction) {
  SCOPED_TRACE(std::string(device) + " " + std::string(instruction));
  const auto hidden = catalogued_model(device, instruction);
  ASSERT_TRUE(hidden);
  const Identification found = identified(*hidden);
  ASSERT_TRUE(found.model);
  EXPECT_TRUE(found.verdict() == Identification::Verdict::equivalent ||
              found.verdict() == Identification::Verdict::unique)
      << found.reason();
  EXPECT_LE(found.observations.size(), 40U);
  EXPECT_EQ(test::disagreements(*hidden, *found.model, static_cast<int>(test::count(1'000'000)), 7), 0);
  const Features expected = features_of(*hidden);
  const Features seen = features_of(*found.model);
  EXPECT_EQ(seen.blocks, expected.blocks);
  EXPECT_EQ(seen.get<Parameter::alignment_fraction_bits>(),
            expected.get<Parameter::alignment_fraction_bits>());
  EXPECT_EQ(seen.get<Parameter::alignment_rounding>(), expected.get<Parameter::alignment_rounding>());
  EXPECT_EQ(seen.get<Parameter::block_rounding>(), expected.get<Parameter::block_rounding>());
  EXPECT_EQ(seen.get<Parameter::output_fraction_bits>(), expected.get<Parameter::output_fraction_bits>());
}

TEST(Identify, FindsAV100) { expect_proved_and_equal("v100", "mma.m8n8k4.f32.f16.f16.f32"); }
TEST(Identify, FindsAT4WithTwoBlocks) {
  if (test::counts_are_reduced()) GTEST_SKIP() << test::kTakesMinutesThen;
  expect_proved_and_equal("t4", "mma.m16n8k8.f16.f16.f16.f16");
}
TEST(Identify, FindsAnA100) { expect_proved_and_equal("a100", "mma.m16n8k8.f32.f16.f16.f32"); }
TEST(Identify, FindsAnA100WithFp16Results) {
  if (test::counts_are_reduced()) GTEST_SKIP() << test::kTakesMinutesThen;
  expect_proved_and_equal("a100", "mma.m16n8k16.f16.f16.f16.f16");
}
TEST(Identify, FindsAnA100OnTf32) {
  if (test::counts_are_reduced()) GTEST_SKIP() << test::kTakesMinutesThen;
  expect_proved_and_equal("a100", "mma.m16n8k8.f32.tf32.tf32.f32");
}

TEST(Identify, FindsThatAChainOfFmasOverflowsByTheDirectionOfItsRounding) {
  if (test::counts_are_reduced()) GTEST_SKIP() << test::kTakesMinutesThen;
  for (const Rounding rounding : {Rounding::down, Rounding::up}) {
    auto hidden = catalogued_model("a100", "mma.m8n8k4.f64.f64.f64.f64");
    ASSERT_TRUE(hidden);
    for (Adder& adder : hidden->adders) adder.rounding = rounding;
    hidden->conventions.overflow = Overflow::by_direction;
    const Identification found = identified(*hidden);
    EXPECT_TRUE(found.verdict() == Identification::Verdict::equivalent ||
                found.verdict() == Identification::Verdict::unique)
        << found.reason();
    ASSERT_TRUE(found.model);
    EXPECT_EQ(found.model->adders.front().rounding, rounding);
    EXPECT_EQ(found.model->conventions.overflow, Overflow::by_direction);
    EXPECT_EQ(test::disagreements(*hidden, *found.model, static_cast<int>(test::count(100'000)), 7), 0);
  }
}

TEST(Identify, AsksForOverflowByDirectionWhereInstructionsNameOneAlone) {
  const auto holds = [](int k, Format d) {
    const Space space = default_space("any", k, {Format::fp16, Format::fp16, d, d});
    return space.box[Parameter::overflow].contains(static_cast<int>(Overflow::by_direction));
  };
  EXPECT_TRUE(holds(4, Format::fp64));
  EXPECT_FALSE(holds(4, Format::fp32));
  EXPECT_FALSE(holds(4, Format::fp16));
  // Processors' FMA and dot-product instructions.
  for (const int k : {1, 2})
    for (const Format d : {Format::fp16, Format::fp32, Format::fp64}) EXPECT_TRUE(holds(k, d));
}

TEST(Identify, FindsUnitsDrawnFromTheWholeSpaceOnRandomInputs) {
  if (test::counts_are_reduced()) GTEST_SKIP() << test::kTakesMinutesThen;
  const auto first = test::starting_seed(1);
  const auto units = static_cast<std::uint64_t>(std::min(20L, test::count(4)));
  for (std::uint64_t seed = first; seed < first + units; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    test::Random random(seed);
    const UnitModel hidden = test::random_unit(random);
    // Not every proof ends in this time; the model has to agree all the same.
    const Identification found = identified(hidden, seed, 22'500);
    ASSERT_TRUE(found.model) << found.reason();
    EXPECT_NE(found.verdict(), Identification::Verdict::none);
    EXPECT_EQ(test::disagreements(hidden, *found.model, static_cast<int>(test::count(100'000)), seed), 0);
  }
}

TEST(Identify, LeavesNothingOfASpaceThatLacksTheUnit) {
  if (test::counts_are_reduced()) GTEST_SKIP() << test::kTakesMinutesThen;
  const auto hidden = catalogued_model("v100", "mma.m8n8k4.f32.f16.f16.f32");
  ASSERT_TRUE(hidden);
  ASSERT_EQ(hidden->adders.front().alignment_fraction_bits, 23);
  const Space space = default_space(hidden->instruction, hidden->k, hidden->formats);
  VersionSpace start = space.whole();
  for (HypothesisSet& set : start)
    set.box[Parameter::alignment_fraction_bits] = ValueSet::single(AlignmentBitsDomain::index(24));
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    SCOPED_TRACE("seed " + std::to_string(seed));
    SimulatedUnit unit("hidden", "hidden", {*hidden});
    IdentifyOptions options;
    options.seed = seed;
    options.threads = 2;
    const Identification found =
        identify(space, start, unit, {hidden->instruction, hidden->k, hidden->formats}, {}, options, {});
    EXPECT_EQ(found.verdict(), Identification::Verdict::none);
    EXPECT_EQ(found.confirmation.inputs, 0U);
    EXPECT_FALSE(found.conflict.empty());
  }
}

/// Multiplies as asked but adds one unit in the last place to large results: no model of the space does.
class OffByOne final : public MatmulUnit {
 public:
  explicit OffByOne(UnitModel model) : inner_("inner", "inner", {std::move(model)}) {}
  [[nodiscard]] std::string name() const override { return "off by one"; }
  [[nodiscard]] std::vector<InstructionInfo> instructions() const override { return inner_.instructions(); }
  [[nodiscard]] RunResult run(const Instruction& instruction, std::span<const DotInput> inputs) override {
    RunResult result = inner_.run(instruction, inputs);
    for (Pattern& d : std::get<std::vector<Pattern>>(result))
      if ((d & 0x7fffffffU) > 0x3f800000U && (d & 0x7f800000U) != 0x7f800000U) ++d;
    return result;
  }

 private:
  SimulatedUnit inner_;
};

TEST(Identify, SaysNoneWithASmallConflictForAUnitOutsideTheSpace) {
  const auto model = catalogued_model("v100", "mma.m8n8k4.f32.f16.f16.f32");
  ASSERT_TRUE(model);
  OffByOne unit(*model);
  const Identification found = identified(unit, {model->instruction, model->k, model->formats}, 3, 300'000);
  EXPECT_EQ(found.verdict(), Identification::Verdict::none);
  EXPECT_FALSE(found.conflict.empty());
  EXPECT_LE(found.conflict.size(), found.observations.size());
  ASSERT_TRUE(found.model);
  EXPECT_GT(found.explained, 0U);
}

/// Fails after a few answers.
class Dying final : public MatmulUnit {
 public:
  explicit Dying(UnitModel model) : inner_("inner", "inner", {std::move(model)}) {}
  [[nodiscard]] std::string name() const override { return "dying"; }
  [[nodiscard]] std::vector<InstructionInfo> instructions() const override { return inner_.instructions(); }
  [[nodiscard]] RunResult run(const Instruction& instruction, std::span<const DotInput> inputs) override {
    if (++runs_ > 4) return DeviceFailure{"the device is gone"};
    return inner_.run(instruction, inputs);
  }

 private:
  SimulatedUnit inner_;
  int runs_ = 0;
};

TEST(Identify, ReportsWhatIsEstablishedWhenTheDeviceFails) {
  const auto model = catalogued_model("v100", "mma.m8n8k4.f32.f16.f16.f32");
  ASSERT_TRUE(model);
  Dying unit(*model);
  const Identification found = identified(unit, {model->instruction, model->k, model->formats}, 3, 300'000);
  EXPECT_TRUE(found.device_failed());
  EXPECT_EQ(found.verdict(), Identification::Verdict::unknown);
  EXPECT_EQ(found.reason(), "the device is gone");
  EXPECT_EQ(found.observations.size(), 4U);
  EXPECT_TRUE(found.model);
}

/// Answers single inputs, and fails when it is asked for many at once.
class NoBatches final : public MatmulUnit {
 public:
  explicit NoBatches(UnitModel model) : inner_("inner", "inner", {std::move(model)}) {}
  [[nodiscard]] std::string name() const override { return "no batches"; }
  [[nodiscard]] std::vector<InstructionInfo> instructions() const override { return inner_.instructions(); }
  [[nodiscard]] RunResult run(const Instruction& instruction, std::span<const DotInput> inputs) override {
    if (inputs.size() > 1) return DeviceFailure{"the device is gone"};
    return inner_.run(instruction, inputs);
  }

 private:
  SimulatedUnit inner_;
};

TEST(Identify, IsNotSureOfAModelThatTheDeviceDidNotConfirm) {
  const auto model = catalogued_model("v100", "mma.m8n8k4.f32.f16.f16.f32");
  ASSERT_TRUE(model);
  NoBatches unit(*model);
  const Identification found = identified(unit, {model->instruction, model->k, model->formats}, 3, 300'000);
  EXPECT_TRUE(found.device_failed());
  EXPECT_EQ(found.verdict(), Identification::Verdict::unknown);
  EXPECT_EQ(found.reason(), "the device is gone");
  ASSERT_TRUE(found.model);
  EXPECT_EQ(test::disagreements(*model, *found.model, 10'000, 7), 0);
}

TEST(Identify, GoesOnFromEarlierObservationsWithoutAskingThemAgain) {
  if (test::counts_are_reduced()) GTEST_SKIP() << test::kTakesMinutesThen;
  const auto model = catalogued_model("v100", "mma.m8n8k4.f32.f16.f16.f32");
  ASSERT_TRUE(model);
  const Identification first = identified(*model);
  const Instruction instruction{model->instruction, model->k, model->formats};
  const Space space = default_space(instruction.name, instruction.k, instruction.formats);
  SimulatedUnit unit("hidden", "hidden", {*model});
  IdentifyOptions options;
  options.confirming_inputs = 0;
  const Identification again =
      identify(space, space.whole(), unit, instruction, first.observations, options, {});
  EXPECT_EQ(again.verdict(), first.verdict());
  EXPECT_EQ(again.device_calls, 0U);
}

TEST(Identify, StopsAtTheObservationLimitAndSaysSo) {
  const auto model = catalogued_model("v100", "mma.m8n8k4.f32.f16.f16.f32");
  ASSERT_TRUE(model);
  SimulatedUnit unit("hidden", "hidden", {*model});
  const Instruction instruction{model->instruction, model->k, model->formats};
  const Space space = default_space(instruction.name, instruction.k, instruction.formats);
  IdentifyOptions options;
  options.most_observations = 3;
  const Identification found = identify(space, space.whole(), unit, instruction, {}, options, {});
  EXPECT_EQ(found.verdict(), Identification::Verdict::unknown);
  EXPECT_EQ(found.observations.size(), 3U);
  EXPECT_EQ(found.reason(), "observation limit reached");
}

/// A run on a V100's unit that is told to stop by one of its hooks.
Identification stopped(MatmulUnit& unit, const std::function<void(IdentifyHooks&, std::stop_source&)>& when) {
  const auto model = catalogued_model("v100", "mma.m8n8k4.f32.f16.f16.f32");
  const Instruction instruction{model->instruction, model->k, model->formats};
  const Space space = default_space(instruction.name, instruction.k, instruction.formats);
  std::stop_source source;
  IdentifyHooks hooks;
  hooks.stop = source.get_token();
  when(hooks, source);
  return identify(space, space.whole(), unit, instruction, {}, {}, hooks);
}

TEST(Identify, KeepsAnObservationFromWhichItHadNoTimeToConclude) {
  const auto model = catalogued_model("v100", "mma.m8n8k4.f32.f16.f16.f32");
  ASSERT_TRUE(model);
  SimulatedUnit unit("hidden", "hidden", {*model});
  int seen = 0;
  const Identification found = stopped(unit, [&](IdentifyHooks& hooks, std::stop_source& source) {
    hooks.observed = [&](const Observation&) {
      if (++seen == 3) source.request_stop();
    };
  });
  EXPECT_EQ(found.verdict(), Identification::Verdict::unknown);
  EXPECT_EQ(found.reason(), "interrupted");
  EXPECT_EQ(found.observations.size(), 3U);
  EXPECT_EQ(found.unused, 1U);
  ASSERT_TRUE(found.model);
  for (std::size_t i = 0; i < 2; ++i)
    EXPECT_EQ(evaluate(*found.model, found.observations[i].input), found.observations[i].d);
  const Space space = default_space(model->instruction, model->k, model->formats);
  EXPECT_TRUE(std::ranges::any_of(found.survivors, [&](const SurvivorClass& s) {
    return contains(space, {s.set}, *model);
  })) << "what was not concluded must rule nothing out";
}

TEST(Identify, NamesTheConflictThatItKnowsWhenThereIsNoTimeForASmallerOne) {
  const auto model = catalogued_model("v100", "mma.m8n8k4.f32.f16.f16.f32");
  ASSERT_TRUE(model);
  OffByOne unit(*model);
  const Identification found = stopped(unit, [&](IdentifyHooks& hooks, std::stop_source& source) {
    hooks.progress = [&](const Progress& p) {
      if (p.doing == "looking for the smallest conflict") source.request_stop();
    };
  });
  EXPECT_EQ(found.verdict(), Identification::Verdict::none);
  EXPECT_FALSE(found.conflict_is_smallest);
  ASSERT_TRUE(found.model);
  ASSERT_TRUE(found.explained);
  EXPECT_LT(*found.explained, found.observations.size());
  // It is one: these alone leave nothing.
  const Space space = default_space(model->instruction, model->k, model->formats);
  auto left = space.whole();
  for (const std::size_t i : found.conflict) left = refine(space, left, found.observations[i], 2);
  EXPECT_TRUE(left.empty());
}

}  // namespace
}  // namespace mmaprint::identify_test
