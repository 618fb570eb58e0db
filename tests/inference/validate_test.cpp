// Bulk comparison on the host.
#include "inference/validate.h"

#include <gtest/gtest.h>

#include <atomic>

#include "device/catalogue.h"
#include "device/simulated.h"
#include "inference/input_size.h"
#include "model/evaluator.h"

namespace mmaprint::validate_test {
namespace {

constexpr const char* kDot8 = "mma.m16n8k8.f32.f16.f16.f32";

UnitModel a100() { return *catalogued_model("a100", kDot8); }
Instruction instruction(const UnitModel& m) { return {m.instruction, m.k, m.formats}; }

/// Does what a model does, and counts or fails; one thread at a time, as it says.
class WatchedUnit final : public MatmulUnit {
 public:
  explicit WatchedUnit(UnitModel model) : unit_(std::move(model)) {}
  [[nodiscard]] std::string name() const override { return "watched"; }
  [[nodiscard]] std::vector<InstructionInfo> instructions() const override {
    return {{instruction(unit_.model()), true, {}, {}}};
  }
  [[nodiscard]] RunResult run(const Instruction& /*instruction*/, std::span<const DotInput> inputs) override {
    EXPECT_FALSE(running_.exchange(true));
    calls += 1;
    std::vector<Pattern> results;
    for (const DotInput& input : inputs) results.push_back(unit_(input));
    running_ = false;
    if (calls > fails_after) return DeviceFailure{"out of order"};
    return results;
  }
  int calls = 0;
  int fails_after = 1'000'000;

 private:
  Evaluator unit_;
  std::atomic<bool> running_ = false;
};

Validation validate(MatmulUnit& device, const UnitModel& model, const ValidateOptions& options) {
  return validate_on(device, instruction(model), model, options, [](const ValidateProgress&) {});
}

TEST(Validate, ComparesAsManyVectorsAsAskedForAndFindsNoDifferenceWhereThereIsNone) {
  SimulatedUnit device("sim", "sim", {a100()});
  for (const int threads : {1, 3}) {
    const Validation v = validate(device, a100(), {10'001, 5, threads, {}, {}});
    EXPECT_EQ(v.verdict, AgreementVerdict::match);
    EXPECT_EQ(v.vectors, 10'001U);
    EXPECT_EQ(v.mismatches, 0U);
    EXPECT_TRUE(v.examples.empty());
  }
}

TEST(Validate, FindsAOneBitDifferenceAndMakesItSimple) {
  UnitModel other = a100();
  other.adders[0].alignment_fraction_bits = 25;
  SimulatedUnit device("sim", "sim", {other});
  const Validation v = validate(device, a100(), {20'000, 5, 2, {}, {}});
  EXPECT_EQ(v.verdict, AgreementVerdict::mismatch);
  EXPECT_GT(v.mismatches, 0U);
  ASSERT_FALSE(v.examples.empty());
  for (const Mismatch& m : v.examples) {
    EXPECT_EQ(m.predicted, evaluate(a100(), m.seen.input));
    EXPECT_EQ(m.seen.d, evaluate(other, m.seen.input));
    EXPECT_NE(m.predicted, m.seen.d);
  }
  EXPECT_LE(nonzero_products(other.formats, product_kinds(other), v.examples.front().seen.input), 2);
  EXPECT_LE(significand_bits(other.formats, v.examples.front().seen.input), 4);
}

TEST(Validate, CountsTheSameMismatchesWhateverTheThreads) {
  UnitModel other = a100();
  other.conventions.input_subnormals = Subnormals::flushed;
  SimulatedUnit device("sim", "sim", {other});
  const Validation one = validate(device, a100(), {30'000, 9, 1, {}, {}});
  const Validation four = validate(device, a100(), {30'000, 9, 4, {}, {}});
  EXPECT_EQ(one.mismatches, four.mismatches);
  EXPECT_NE(one.mismatches, validate(device, a100(), {30'000, 10, 4, {}, {}}).mismatches);
}

TEST(Validate, AsksADeviceThatSaysNothingElseFromOneThreadAtATime) {
  WatchedUnit device(a100());
  EXPECT_EQ(validate(device, a100(), {50'000, 1, 4, {}, {}}).verdict, AgreementVerdict::match);
  EXPECT_GE(device.calls, 10);
}

TEST(Validate, KnowsNothingAtALimitUnlessADifferenceWasFound) {
  WatchedUnit device(a100());
  const Validation at_once = validate(device, a100(), {1'000'000, 1, 2, 0.0, {}});
  EXPECT_EQ(at_once.verdict, AgreementVerdict::unknown);
  EXPECT_FALSE(at_once.reason.empty());
  std::stop_source stop;
  stop.request_stop();
  EXPECT_EQ(validate(device, a100(), {1'000'000, 1, 2, {}, stop.get_token()}).reason, "interrupted");
}

TEST(Validate, KeepsWhatWasComparedBeforeTheDeviceFailed) {
  WatchedUnit device(a100());
  device.fails_after = 3;
  const Validation v = validate(device, a100(), {1'000'000, 1, 2, {}, {}});
  EXPECT_TRUE(v.device_failed);
  EXPECT_EQ(v.reason, "out of order");
  EXPECT_EQ(v.verdict, AgreementVerdict::unknown);
  EXPECT_GT(v.vectors, 0U);
}

/// A device that compares by itself, as GPUs do.
class BulkUnit final : public MatmulUnit {
 public:
  explicit BulkUnit(std::uint64_t differing) : differing_(differing) {}
  std::function<void()> at_the_end;  ///< called after each comparison
  [[nodiscard]] std::string name() const override { return "bulk"; }
  [[nodiscard]] std::vector<InstructionInfo> instructions() const override {
    return {{instruction(a100()), true, {}, {}}};
  }
  [[nodiscard]] RunResult run(const Instruction& i, std::span<const DotInput> inputs) override {
    return SimulatedUnit("sim", "sim", {a100()}).run(i, inputs);
  }
  [[nodiscard]] std::unique_ptr<BulkRunner> bulk(const Instruction& /*instruction*/,
                                                 const UnitModel& /*model*/) override {
    class Runner final : public BulkRunner {
     public:
      Runner(std::uint64_t differing, std::function<void()> after)
          : differing_(differing), after_(std::move(after)) {}
      [[nodiscard]] std::uint64_t tile_size() const override { return 128; }
      [[nodiscard]] std::variant<BulkFound, DeviceFailure> compare(std::uint64_t /*seed*/,
                                                                   std::uint64_t first,
                                                                   std::uint64_t count) override {
        EXPECT_EQ(first, next_);
        next_ += count;
        if (after_) after_();
        return BulkFound{count * tile_size(), 0, {}};
      }
      [[nodiscard]] std::variant<PositionsFound, DeviceFailure> compare_positions(
          std::uint64_t /*seed*/) override {
        return PositionsFound{4, 4000, differing_, {}};
      }

     private:
      std::uint64_t differing_;
      std::function<void()> after_;
      std::uint64_t next_ = 0;
    };
    return std::make_unique<Runner>(differing_, at_the_end);
  }

 private:
  std::uint64_t differing_;
};

TEST(Validate, LetsADeviceCompareByItselfWhereItCan) {
  BulkUnit device(0);
  const Validation v = validate(device, a100(), {1'000'000'000, 1, 2, {}, {}});
  EXPECT_EQ(v.verdict, AgreementVerdict::match);
  EXPECT_GE(v.vectors, 1'000'000'000U);
  EXPECT_LT(v.vectors, 1'000'000'128U);
  ASSERT_TRUE(v.positions);
  EXPECT_EQ(v.positions->differing, 0U);
}

TEST(Validate, IsNotSureWherePositionsWereNotAskedInTime) {
  BulkUnit device(7);
  ValidateOptions options{1000, 1, 2, {}, {}};
  std::stop_source source;
  options.stop = source.get_token();
  device.at_the_end = [&] { source.request_stop(); };
  const Validation v = validate(device, a100(), options);
  EXPECT_EQ(v.verdict, AgreementVerdict::unknown);
  EXPECT_EQ(v.reason, "interrupted");
  EXPECT_FALSE(v.positions);
}

TEST(Validate, TakesResultsThatDependOnThePositionForAMismatch) {
  BulkUnit device(7);
  EXPECT_EQ(validate(device, a100(), {1000, 1, 2, {}, {}}).verdict, AgreementVerdict::mismatch);
}

}  // namespace
}  // namespace mmaprint::validate_test
