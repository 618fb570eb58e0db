// Inputs on which operands meet: that they show units which do something special about one pair of places, or
// one place, alone.
#include "inference/meeting_inputs.h"

#include <gtest/gtest.h>

#include <functional>
#include <set>

#include "device/catalogue.h"
#include "inference/mutant_specials.h"
#include "model/evaluator.h"
#include "model/unit_model.h"
#include "support/random.h"

namespace mmaprint::meeting_inputs_test {
namespace {

using mutants::SpecialOperands;

constexpr std::size_t kMost = 1200;

UnitModel ampere() { return *catalogued_model("a100", "mma.m16n8k8.f32.f16.f16.f32"); }
/// One node of so many products and c.
UnitModel wide(int k) {
  UnitModel model = ampere();
  model.k = k;
  Chain chain{{{}}, CEnters::first};
  for (int i = 0; i < k; ++i) chain.blocks.front().push_back(i);
  model.tree = tree_of(chain);
  model.adders.resize(1);
  return model;
}
std::vector<DotInput> inputs_of(const UnitModel& m) {
  return meeting_inputs({m.formats, m.k, m.paths}, kMost, 1);
}

/// On how many of the inputs the model answers otherwise where they are changed before.
std::size_t telling(const UnitModel& m, const std::function<bool(DotInput&)>& change) {
  const Evaluator model(m);
  std::size_t count = 0;
  for (const DotInput& in : inputs_of(m)) {
    DotInput changed = in;
    count += change(changed) && model(changed) != model(in) ? 1U : 0U;
  }
  return count;
}

TEST(MeetingInputs, ShowThatAnInfinityHidesANanWhicheverPlacesTheyHave) {
  for (const int k : {8, 16, 64}) {
    if (k > 16 && test::counts_are_reduced()) continue;
    const UnitModel m = wide(k);
    const SpecialOperands of(m.formats);
    const std::size_t step = k > 16 ? 7 : k > 8 && test::counts_are_reduced() ? 5 : 1;
    std::size_t missed = 0, pairs = 0;
    for (std::size_t x = 0; x <= static_cast<std::size_t>(k); ++x)
      for (std::size_t y = 0; y <= static_cast<std::size_t>(k); y += step) {
        if (x == y) continue;
        ++pairs;
        missed += telling(m,
                          [&](DotInput& in) {
                            const bool meets = of.nan_addend(in, x) && of.infinite_addend(in, y);
                            if (meets) SpecialOperands::drop(in, x);
                            return meets;
                          }) == 0
                      ? 1U
                      : 0U;
      }
    EXPECT_LE(missed * 4, k > 16 ? pairs : 0) << "K = " << k << ": of " << pairs;
  }
}

TEST(MeetingInputs, ShowThatZeroTimesInfinityCountsAsZeroAtOnePlace) {
  const UnitModel m = wide(64);
  const SpecialOperands of(m.formats);
  for (std::size_t k = 0; k < 64; ++k)
    EXPECT_GT(telling(m,
                      [&](DotInput& in) {
                        if (!of.zero_times_infinity(in, k)) return false;
                        SpecialOperands::drop(in, k);
                        return true;
                      }),
              0U)
        << k;
}

TEST(MeetingInputs, ShowThatProductsThatCancelAreLeftOut) {
  for (const int k : {4, 16, 64}) {
    const UnitModel m = wide(k);
    const FormatInfo f = info(Format::fp16);
    EXPECT_GT(telling(m,
                      [&](DotInput& in) {
                        for (std::size_t x = 0; x < in.a.size(); ++x)
                          for (std::size_t y = 0; y < x; ++y)
                            if ((in.a[x] ^ in.a[y]) == sign_pattern(f) && in.b[x] == in.b[y]) {
                              SpecialOperands::drop(in, x), SpecialOperands::drop(in, y);
                              return true;
                            }
                        return false;
                      }),
              8U)
        << k;
  }
}

TEST(MeetingInputs, ShowThatEqualFactorsAreMultipliedOtherwiseAtOnePlace) {
  for (const int k : {8, 64}) {
    const UnitModel m = wide(k);
    const FormatInfo f = info(Format::fp16);
    for (std::size_t i = 0; i < static_cast<std::size_t>(k); ++i)
      EXPECT_GT(telling(m,
                        [&](DotInput& in) {
                          if (in.a[i] != in.b[i] || (in.a[i] & sign_pattern(f)) == 0) return false;
                          in.b[i] = negated(f, in.b[i]);
                          return true;
                        }),
                0U)
          << i;
  }
}

TEST(MeetingInputs, AreAsManyAsWantedOfEveryFormatAndTheSameAgain) {
  for (const Format factor : {Format::fp16, Format::bf16, Format::tf32, Format::e4m3, Format::e5m2,
                              Format::e5m2fnuz, Format::e2m1, Format::fp64})
    for (const bool has_c : {true, false}) {
      const Signature formats{factor, factor, has_c ? std::optional(Format::fp32) : std::nullopt,
                              Format::fp32};
      const PlanWidths widths(formats, 4, {});
      const std::vector<DotInput> some = meeting_inputs(widths, 50, 1);
      EXPECT_LE(some.size(), 50U);
      EXPECT_GE(some.size(), 20U) << name(factor);
      EXPECT_EQ(meeting_inputs(widths, 50, 1), some);
      for (const DotInput& in : some) {
        for (const Pattern p : in.a) EXPECT_EQ(p & ~info(factor).pattern_mask(), 0U) << name(factor);
        for (const Pattern p : in.b) EXPECT_EQ(p & ~info(factor).pattern_mask(), 0U) << name(factor);
        EXPECT_TRUE(has_c || in.c == 0);
      }
    }
  EXPECT_TRUE(
      meeting_inputs({{Format::int8, Format::int8, Format::int32, Format::int32}, 4, {}}, 50, 1).empty());
}

}  // namespace
}  // namespace mmaprint::meeting_inputs_test
