// What a unit is asked before its model is reported: that every kind of input is among it, and that a unit
// which answers one input in two ways is found out.
#include "inference/confirmation.h"

#include <gtest/gtest.h>

#include <set>

#include "device/catalogue.h"
#include "device/simulated.h"
#include "inference/identify.h"
#include "model/value.h"
#include "support/random.h"

namespace mmaprint::confirmation_test {
namespace {

constexpr std::size_t kInputs = 9750;

UnitModel model(const char* unit, const char* instruction) { return *catalogued_model(unit, instruction); }
UnitModel k8() { return model("a100", "mma.m16n8k8.f32.f16.f16.f32"); }

std::vector<DotInput> confirming(const UnitModel& m, std::uint64_t seed) {
  const Space space = default_space(m.instruction, m.k, m.formats);
  Experiments experiments(space, seed);
  const PlanWidths widths(info(m.formats.a), info(m.formats.b), info(m.formats.c.value()), info(m.formats.d),
                          m.k);
  using Part = ConfirmingInputs::Part;
  std::vector<DotInput> all;
  for (const Part part : {Part::anywhere, Part::edges})
    for (DotInput& in : ConfirmingInputs(part, widths, edges_of(m), kInputs, seed, experiments).some(kInputs))
      all.push_back(std::move(in));
  return all;
}

/// An input's operands as values; c's product is c alone.
struct Addends {
  bool nan = false;                   ///< among the operands
  bool infinite[2] = {false, false};  ///< addends by sign
  bool invalid = false;               ///< a zero times an infinity
  int zeros = 0;                      ///< zero factors
};

Addends addends(const UnitModel& m, const DotInput& in) {
  Addends all;
  for (std::size_t k = 0; k < in.a.size(); ++k) {
    const Value a = decode(m.formats.a, in.a[k]), b = decode(m.formats.b, in.b[k]);
    const bool zero = (!a.infinite && a.significand == 0) || (!b.infinite && b.significand == 0);
    all.nan = all.nan || a.nan || b.nan;
    all.invalid = all.invalid || ((a.infinite || b.infinite) && zero);
    if ((a.infinite || b.infinite) && !zero) all.infinite[a.negative != b.negative ? 1 : 0] = true;
    all.zeros += zero ? 1 : 0;
  }
  const Value c = decode(m.formats.c.value(), in.c);
  all.nan = all.nan || c.nan;
  if (c.infinite) all.infinite[c.negative ? 1 : 0] = true;
  return all;
}

TEST(ConfirmingInputs, AreAsManyAsAskedForAndDifferFromEachOther) {
  const auto inputs = confirming(k8(), 1);
  EXPECT_EQ(inputs.size(), kInputs);
  EXPECT_GT(std::set<DotInput>(inputs.begin(), inputs.end()).size(), kInputs * 98 / 100);
  EXPECT_EQ(confirming(k8(), 1), inputs);
  EXPECT_NE(confirming(k8(), 2), inputs);
}

TEST(ConfirmingInputs, AreDenseForTheGreaterPartAndHaveEverySignificandAtEveryPlace) {
  for (const UnitModel& m : {k8(), model("a100", "mma.m16n8k8.f32.bf16.bf16.f32")}) {
    const FormatInfo& f = info(m.formats.a);
    const Pattern fraction = (Pattern{1} << f.fraction_bits) - 1;
    std::vector<std::set<Pattern>> a(8), b(8);
    std::size_t dense = 0;
    for (const DotInput& in : confirming(m, 1)) {
      const Addends all = addends(m, in);
      if (all.zeros != 0 || all.nan || all.infinite[0] || all.infinite[1]) continue;
      ++dense;
      for (std::size_t k = 0; k < 8; ++k) a[k].insert(in.a[k] & fraction), b[k].insert(in.b[k] & fraction);
    }
    EXPECT_GT(dense, 5000U);
    for (std::size_t k = 0; k < 8; ++k) {
      EXPECT_EQ(a[k].size(), fraction + 1) << "a" << k;
      EXPECT_EQ(b[k].size(), fraction + 1) << "b" << k;
    }
  }
}

TEST(ConfirmingInputs, HaveInfinitiesOfBothSignsInvalidProductsZerosAndNanAtEveryPlace) {
  for (const UnitModel& m : {k8(), model("v100", "mma.m8n8k4.f32.f16.f16.f32")}) {
    std::size_t opposed = 0, with_c = 0, invalid = 0, zeros = 0, half_zero = 0;
    std::set<std::size_t> nan_alone;  // places: k for a, K + k for b, 2K for c
    const auto k = static_cast<std::size_t>(m.k);
    for (const DotInput& in : confirming(m, 1)) {
      const Addends all = addends(m, in);
      zeros += all.zeros != 0 ? 1U : 0U;
      half_zero += all.zeros >= m.k / 2 && all.zeros < m.k ? 1U : 0U;
      if (all.nan) {
        std::vector<std::size_t> places;
        for (std::size_t i = 0; i < k; ++i) {
          if (is_nan(m.formats.a, in.a[i])) places.push_back(i);
          if (is_nan(m.formats.b, in.b[i])) places.push_back(k + i);
        }
        if (is_nan(m.formats.c.value(), in.c)) places.push_back(2 * k);
        if (places.size() == 1) nan_alone.insert(places.front());
        continue;
      }
      invalid += all.invalid ? 1U : 0U;
      if (!all.infinite[0] || !all.infinite[1] || all.invalid) continue;
      ++opposed;
      with_c += is_infinite(m.formats.c.value(), in.c) ? 1U : 0U;
    }
    EXPECT_GT(opposed, 250U);
    EXPECT_GT(with_c, 50U);
    EXPECT_GT(invalid, 30U);
    EXPECT_GT(zeros, 1500U);
    EXPECT_GT(half_zero, 500U);
    EXPECT_EQ(nan_alone.size(), 2 * k + 1);
  }
}

/// On how many inputs a changed unit answers otherwise.
std::size_t differing(const UnitModel& m, const UnitModel& other) {
  const Evaluator left(m), right(other);
  const auto inputs = confirming(m, 1);
  return static_cast<std::size_t>(
      std::ranges::count_if(inputs, [&](const DotInput& in) { return left(in) != right(in); }));
}

TEST(ConfirmingInputs, AreAtTheEdgesOfOverflowFlushingAndClamp) {
  const UnitModel m = model("a100", "mma.m16n8k16.f16.f16.f16.f16");
  const auto changed = [&](auto&& change) {
    UnitModel other = m;
    change(other);
    return differing(m, other);
  };
  EXPECT_GT(changed([](UnitModel& o) { o.conventions.overflow = Overflow::saturate; }), 100U);
  EXPECT_GT(changed([](UnitModel& o) { o.conventions.output_subnormals = Subnormals::flushed; }), 100U);
  EXPECT_GT(changed([](UnitModel& o) { o.adders[0].rounding = Rounding::nearest_away; }), 5U);
  UnitModel clamped = m;
  clamped.adders[0].minimum_alignment_exponent = -20;
  UnitModel higher = clamped;
  higher.adders[0].minimum_alignment_exponent = -19;
  EXPECT_GT(differing(clamped, higher), 0U);
  UnitModel wide = model("a100", "mma.m16n8k8.f32.bf16.bf16.f32");
  wide.adders[0].minimum_alignment_exponent = -100;
  UnitModel next = wide;
  next.adders[0].minimum_alignment_exponent = -99;
  EXPECT_GT(differing(wide, next), 20U);
}

/// Answers as its model does, but for what `oddity` makes of it.
class Odd final : public MatmulUnit {
 public:
  using Oddity = std::function<Pattern(Pattern d, std::size_t place, std::size_t asked)>;
  Odd(UnitModel model, Oddity oddity) : unit_(std::move(model)), oddity_(std::move(oddity)) {}
  [[nodiscard]] std::string name() const override { return "odd"; }
  [[nodiscard]] Instruction instruction() const {
    return {unit_.model().instruction, unit_.model().k, unit_.model().formats};
  }
  [[nodiscard]] std::vector<InstructionInfo> instructions() const override {
    return {{instruction(), true, {}, {}}};
  }
  [[nodiscard]] RunResult run(const Instruction& /*instruction*/, std::span<const DotInput> inputs) override {
    std::vector<Pattern> results;
    for (const DotInput& input : inputs) {
      results.push_back(oddity_(unit_(input), results.size(), asked_));
      ++asked_;
    }
    return results;
  }

 private:
  Evaluator unit_;
  Oddity oddity_;
  std::size_t asked_ = 0;
};

Identification identified(MatmulUnit& unit, const Instruction& instruction,
                          std::vector<Observation> known = {}) {
  const Space space = default_space(instruction.name, instruction.k, instruction.formats);
  IdentifyOptions options;
  options.proof_steps = 45'000;
  options.conflict_work = kConflictWork / 8;
  return identify(space, space.whole(), unit, instruction, std::move(known), options, {});
}

void expect_not_deterministic(const Identification& found) {
  EXPECT_EQ(found.verdict(), Identification::Verdict::none);
  EXPECT_EQ(found.reason(), "not deterministic");
  ASSERT_EQ(found.conflict.size(), 2U);
  const Observation& first = found.observations[found.conflict[0]];
  const Observation& second = found.observations[found.conflict[1]];
  EXPECT_EQ(first.input, second.input);
  EXPECT_NE(first.d, second.d);
}

bool is_ordinary(Pattern d) { return (d & 0x7f800000U) != 0x7f800000U && (d & 0x7fffffffU) != 0; }

TEST(Identify, FindsThatAUnitIsNotDeterministicWhereItsResultsDependOnThePlaceInTheBatch) {
  if (test::counts_are_reduced()) GTEST_SKIP() << test::kTakesMinutesThen;
  Odd unit(k8(), [](Pattern d, std::size_t place, std::size_t) {
    return place >= 4 && is_ordinary(d) ? d ^ 1U : d;
  });
  expect_not_deterministic(identified(unit, unit.instruction()));
}

TEST(Identify, FindsThatAUnitIsNotDeterministicWhereItRoundsAtRandom) {
  if (test::counts_are_reduced()) GTEST_SKIP() << test::kTakesMinutesThen;
  std::mt19937_64 random(7);
  Odd unit(k8(), [&](Pattern d, std::size_t, std::size_t) {
    return is_ordinary(d) && random() % 8 == 0 ? d ^ 1U : d;
  });
  expect_not_deterministic(identified(unit, unit.instruction()));
}

TEST(Identify, FindsThatAUnitIsNotDeterministicWhereItChangesWithTime) {
  if (test::counts_are_reduced()) GTEST_SKIP() << test::kTakesMinutesThen;
  // Every answer up to the end of the confirmation is the model's.
  Odd unit(k8(), [](Pattern d, std::size_t, std::size_t asked) {
    return asked >= 9'790 && is_ordinary(d) ? d ^ 1U : d;
  });
  expect_not_deterministic(identified(unit, unit.instruction()));
}

TEST(Identify, KeepsAnAnswerThatRefutesTheModelWhateverTheLimitOfObservations) {
  if (test::counts_are_reduced()) GTEST_SKIP() << test::kTakesMinutesThen;
  const UnitModel m = k8();
  SimulatedUnit plain("sim", "sim", {m});
  const Instruction instruction{m.instruction, m.k, m.formats};
  const std::size_t enough = identified(plain, instruction).observations.size();
  // Wrong only where the confirmation looks: every operand at work.
  Odd unit(m, [](Pattern d, std::size_t, std::size_t asked) {
    return asked % 97 == 96 && is_ordinary(d) ? d ^ 1U : d;
  });
  IdentifyOptions options;
  options.proof_steps = 45'000;
  options.conflict_work = kConflictWork / 8;
  options.most_observations = static_cast<int>(enough);
  const Space space = default_space(instruction.name, instruction.k, instruction.formats);
  const Identification found = identify(space, space.whole(), unit, instruction, {}, options, {});
  expect_not_deterministic(found);
}

TEST(Identify, EndsWithTheFailureOfADeviceThatDiesWhenItIsAskedAgain) {
  if (test::counts_are_reduced()) GTEST_SKIP() << test::kTakesMinutesThen;
  // What nothing explains stays so; that the device failed is told as well.
  class DiesLate final : public MatmulUnit {
   public:
    [[nodiscard]] std::string name() const override { return "dies late"; }
    [[nodiscard]] std::vector<InstructionInfo> instructions() const override { return inner_.instructions(); }
    [[nodiscard]] RunResult run(const Instruction& i, std::span<const DotInput> inputs) override {
      for (const DotInput& input : inputs)
        if (!asked_.insert(input).second) return DeviceFailure{"the device is gone"};
      return inner_.run(i, inputs);
    }

   private:
    Odd inner_{k8(), [](Pattern d, std::size_t, std::size_t) {
                 return is_ordinary(d) && (d & 3U) == 1 ? d ^ 1U : d;
               }};
    std::set<DotInput> asked_;
  } unit;
  const UnitModel m = k8();
  const Identification found = identified(unit, {m.instruction, m.k, m.formats});
  EXPECT_TRUE(found.device_failed());
  EXPECT_EQ(found.reason(), "the device is gone");
}

TEST(Identify, TakesTwoResultsForOneInputOfARecordingForNotDeterministic) {
  const UnitModel m = k8();
  SimulatedUnit unit("sim", "sim", {m});
  DotInput one{std::vector<Pattern>(8, 0x3c00), std::vector<Pattern>(8, 0x3c00), 0};
  const Pattern d = evaluate(m, one);
  expect_not_deterministic(identified(unit, {m.instruction, m.k, m.formats}, {{one, d}, {one, d ^ 1U}}));
}

TEST(Identify, SaysHowManyAnswersConfirmTheModelAndHowManyWereRepeated) {
  if (test::counts_are_reduced()) GTEST_SKIP() << test::kTakesMinutesThen;
  const UnitModel m = k8();
  SimulatedUnit unit("sim", "sim", {m});
  const Identification found = identified(unit, {m.instruction, m.k, m.formats});
  ASSERT_TRUE(found.model);
  EXPECT_GE(found.confirmation.inputs, kInputs);
  EXPECT_LE(found.confirmation.inputs + found.observations.size(), 10'000U);
  EXPECT_EQ(found.confirmation.repeated, 250U);
  EXPECT_FALSE(found.contradicts_itself());
}

}  // namespace
}  // namespace mmaprint::confirmation_test
