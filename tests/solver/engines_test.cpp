// Both checkers against each other, against every input of toy formats, and what restrictions and limits
// promise.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <functional>
#include <map>
#include <numeric>
#include <thread>

#include "model/evaluator.h"
#include "solver/sides.h"
#include "solver/z3_checker.h"
#include "support/chains.h"
#include "support/describe.h"
#include "support/generate.h"

namespace mmaprint::engines_test {
namespace {

using test::count;
using test::differ;
using test::Random;

using test::are_different;
using test::expect_difference;
using test::kSolvers;

Chain one_block(int k) {
  Chain chain{{{}}, CEnters::first};
  for (int i = 0; i < k; ++i) chain.blocks.front().push_back(i);
  return chain;
}

using Tweak = std::function<void(UnitModel&)>;

/// Like current tensor cores: F = 24, truncation throughout.
UnitModel unit(int k, const Signature& formats, const Tweak& tweak = nullptr) {
  ChainParameters values;
  values.block.alignment_fraction_bits = 24;
  values.block.rounding = values.final_rounding = Rounding::toward_zero;
  values.block.output_fraction_bits = info(formats.d).fraction_bits;
  UnitModel model = chain_model("unit", k, formats, one_block(k), values, canonical_nan(formats.d));
  if (tweak) tweak(model);
  return model;
}

constexpr Signature kHalf{Format::fp16, Format::fp16, Format::fp32, Format::fp32};

/// Where Z3 may need minutes: that it does not say otherwise. True if it answered.
bool expect_no_other_answer(bool different, const Side& left, const Side& right, const Restriction& where,
                            const std::string& what) {
  Limits limits;
  limits.seconds = 2;
  const auto answer = are_different(Solver::z3, left, right, where, what, limits);
  EXPECT_NE(answer, std::optional(!different)) << what;
  return answer.has_value();
}

struct Pair {
  const char* what;
  bool different;
  Tweak tweak;  ///< of the right side
};

Adder& adder(UnitModel& model) { return model.adders.front(); }

// A sum of FP16 products and an FP32 number reaches 2^128 only with a huge c, and nothing below 2^-149.
const Pair kPairs[] = {
    {"the same", false, [](UnitModel&) {}},
    {"F 24 or 23", true, [](UnitModel& m) { adder(m).alignment_fraction_bits = 23; }},
    {"F 24 or exact", true, [](UnitModel& m) { adder(m).alignment_fraction_bits.reset(); }},
    {"clamp at -132", false, [](UnitModel& m) { adder(m).minimum_alignment_exponent = -132; }},
    {"clamp at -100", true, [](UnitModel& m) { adder(m).minimum_alignment_exponent = -100; }},
    {"6 carry bits", false, [](UnitModel& m) { adder(m).extra_carry_bits = 6; }},
    {"no carry bits", true, [](UnitModel& m) { adder(m).extra_carry_bits = 0; }},
    {"saturating", false, [](UnitModel& m) { m.conventions.overflow = Overflow::saturate; }},
    {"rounded zeros positive", false,
     [](UnitModel& m) { m.conventions.zero_sign.rounded = ZeroSign::positive; }},
    {"cancelled zeros positive", false,
     [](UnitModel& m) { m.conventions.zero_sign.cancelled = ZeroSign::positive; }},
    {"all-zero sums positive", true,
     [](UnitModel& m) { m.conventions.zero_sign.all_zero = ZeroSign::positive; }},
    {"inputs flushed", true, [](UnitModel& m) { m.conventions.input_subnormals = Subnormals::flushed; }},
    {"c flushed", true, [](UnitModel& m) { m.conventions.c_subnormals = Subnormals::flushed; }},
    {"results flushed", true, [](UnitModel& m) { m.conventions.output_subnormals = Subnormals::flushed; }},
    {"rounded to nearest", true, [](UnitModel& m) { adder(m).rounding = Rounding::nearest_even; }},
    {"aligned by floor", true, [](UnitModel& m) { adder(m).alignment_rounding = AlignmentRounding::floor; }},
    {"22 fraction bits", true, [](UnitModel& m) { adder(m).output_fraction_bits = 22; }},
    {"another NaN", true, [](UnitModel& m) { m.nan = Pattern{0x7fffffff}; }},
};

TEST(GraphEngine, TellsWhichPairsDiffer) {
  for (const int k : {1, 2, 3})
    for (const Pair& pair : kPairs)
      expect_difference(pair.different, Solver::cadical, unit(k, kHalf), unit(k, kHalf, pair.tweak), {},
                        std::string(pair.what) + ", K = " + std::to_string(k));
}

TEST(TermEngine, TellsWhichPairsDifferAndMostlyInTime) {
  std::size_t answered = 0;
  for (const Pair& pair : kPairs)
    if (expect_no_other_answer(pair.different, unit(1, kHalf), unit(1, kHalf, pair.tweak), {}, pair.what))
      ++answered;
  EXPECT_GE(2 * answered, std::size(kPairs));
}

TEST(BothEngines, SeeTheNormalisedProductOnlyWhereBitsCanBeLost) {
  if (test::counts_are_reduced()) GTEST_SKIP() << test::kTakesMinutesThen;
  const Tweak normalised = [](UnitModel& m) { adder(m).product = ProductKind::exact_normalised; };
  // Products of normal numbers with a power of two stay below 2, and then nothing has to be normalised;
  // subnormal factors differ, so they are flushed here.
  const auto flushed = [&](const Tweak& more) {
    return unit(1, kHalf, [&](UnitModel& m) {
      m.conventions.input_subnormals = Subnormals::flushed;
      if (more) more(m);
    });
  };
  Restriction powers;
  powers.b_power_of_two = true;
  powers.finite_inputs = true;
  expect_difference(true, Solver::cadical, unit(2, kHalf), unit(2, kHalf, normalised), {}, "any");
  expect_difference(false, Solver::cadical, flushed(nullptr), flushed(normalised), powers,
                    "b a power of two");
  (void)expect_no_other_answer(true, unit(2, kHalf), unit(2, kHalf, normalised), {}, "any");
  (void)expect_no_other_answer(false, flushed(nullptr), flushed(normalised), powers, "b a power of two");
}

TEST(BothEngines, SeeOverflowWhereItCanHappen) {
  const Signature narrow{Format::fp16, Format::fp16, Format::fp16, Format::fp16};
  const Tweak saturating = [](UnitModel& m) { m.conventions.overflow = Overflow::saturate; };
  for (const Solver solver : kSolvers)
    expect_difference(true, solver, unit(2, narrow), unit(2, narrow, saturating), {}, "FP16 results");
}

TEST(BothEngines, CompareNaNsOnlyWhereInputsMayBringThem) {
  const Tweak other_nan = [](UnitModel& m) { m.nan = Pattern{0x7fffffff}; };
  Restriction finite;
  finite.finite_inputs = true;
  for (const Solver solver : kSolvers) {
    expect_difference(true, solver, unit(2, kHalf), unit(2, kHalf, other_nan), {}, "any input");
    expect_difference(false, solver, unit(2, kHalf), unit(2, kHalf, other_nan), finite, "finite inputs");
  }
}

TEST(GraphEngine, ProvesNothingAboutWhatVanishes) {
  const auto checker = make_checker(Solver::cadical);
  const auto same = checker->distinguish(unit(4, kHalf), unit(4, kHalf), {}, {});
  ASSERT_TRUE(std::holds_alternative<Equivalent>(same));
  EXPECT_EQ(std::get<Equivalent>(same).clauses, 0);
  // The formula is gone before any solver runs: the smallest number that K products can have lies far above.
  const auto clamp = checker->distinguish(
      unit(16, kHalf), unit(16, kHalf, [](UnitModel& m) { adder(m).extra_carry_bits = 6; }), {}, {});
  ASSERT_TRUE(std::holds_alternative<Equivalent>(clamp));
  EXPECT_EQ(std::get<Equivalent>(clamp).clauses, 0);
}

// ---- Limits ----

/// Equal, but each side adds in another order and with another accumulator: far too hard for both checkers in
/// a second.
std::pair<UnitModel, UnitModel> hard_pair() {
  const Signature formats{Format::bf16, Format::bf16, Format::fp32, Format::fp32};
  const auto exact = [](UnitModel& m) { adder(m).alignment_fraction_bits = 40; };
  UnitModel left = unit(8, formats, exact), right = left;
  std::ranges::reverse(right.tree.nodes.front().operands);
  return {left, right};
}

TEST(BothEngines, ReachingAnyLimitIsUnknown) {
  const auto [left, right] = hard_pair();
  for (const Solver solver : kSolvers) {
    const auto checker = make_checker(solver);
    const auto unknown = [&](const Limits& limits) {
      return std::holds_alternative<Unknown>(checker->distinguish(left, right, {}, limits));
    };
    Limits time;
    time.seconds = 0.2;
    EXPECT_TRUE(unknown(time)) << checker->name();
    Limits conflicts;
    conflicts.conflicts = 20;
    EXPECT_TRUE(unknown(conflicts)) << checker->name();
    std::stop_source already;
    already.request_stop();
    Limits stop;
    stop.stop = already.get_token();
    EXPECT_TRUE(unknown(stop)) << checker->name();
    std::stop_source later;
    stop.stop = later.get_token();
    std::jthread thread([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(300));
      later.request_stop();
    });
    EXPECT_TRUE(unknown(stop)) << checker->name();
  }
}

TEST(BothEngines, AnswerUnderLimitsThatAreNotReached) {
  for (const Solver solver : kSolvers) {
    Limits generous;
    generous.seconds = 1e300;
    generous.conflicts = std::int64_t{1} << 40;
    std::stop_source never;
    generous.stop = never.get_token();
    const auto checker = make_checker(solver);
    const UnitModel left = unit(2, kHalf);
    const auto right = [](int f) {
      return unit(2, kHalf, [f](UnitModel& m) { adder(m).alignment_fraction_bits = f; });
    };
    EXPECT_TRUE(std::holds_alternative<Witness>(checker->distinguish(left, right(23), {}, generous)));
    EXPECT_TRUE(std::holds_alternative<Equivalent>(checker->distinguish(left, right(24), {}, generous)));
  }
}

TEST(TermEngine, StopsWhenToldAtAnyMoment) {
  const auto checker = make_checker(Solver::z3);
  const UnitModel left = unit(2, kHalf),
                  right = unit(2, kHalf, [](UnitModel& m) { adder(m).extra_carry_bits = 0; });
  for (int i = 0; i < 20; ++i) {
    std::stop_source stop;
    Limits limits;
    limits.stop = stop.get_token();
    std::jthread thread([&] {
      std::this_thread::sleep_for(std::chrono::milliseconds(10 * i));
      stop.request_stop();
    });
    const auto answer = checker->distinguish(left, right, {}, limits);
    EXPECT_FALSE(std::holds_alternative<Equivalent>(answer));
    if (const auto* witness = std::get_if<Witness>(&answer)) {
      EXPECT_TRUE(differ(left, right, *witness));
    }
  }
}

TEST(BothEngines, RunSideBySide) {
  std::vector<std::jthread> threads;
  std::atomic<int> right_answers = 0;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&, i] {
      const auto solver = kSolvers[i % 2];
      const Tweak tweak = [](UnitModel& m) { adder(m).alignment_fraction_bits = 23; };
      if (are_different(solver, unit(2, kHalf), unit(2, kHalf, tweak), {}, "thread") == true) ++right_answers;
    });
  threads.clear();
  EXPECT_EQ(right_answers, 4);
}

// ---- SMT-LIB ----

TEST(Smt2, IsABitVectorScriptWithReadableNames) {
  Space space{"toy", 2, kHalf, {skeleton_of(unit(2, kHalf))}, Box(values_of(unit(2, kHalf)))};
  space.box[Parameter::alignment_fraction_bits].insert(23);
  const std::string text = smt2(unit(2, kHalf), Hypotheses{&space, space.whole().front()}, {});
  EXPECT_EQ(text.find("(set-logic QF_BV)\n"), 0U);
  for (const char* part :
       {"(declare-fun a0 () (_ BitVec 16))", "(declare-fun b1 () (_ BitVec 16))",
        "(declare-fun c () (_ BitVec 32))", "(declare-fun alignment_fraction_bits () (_ BitVec 1))",
        "(assert", "(check-sat)\n"})
    EXPECT_NE(text.find(part), std::string::npos) << part;
  EXPECT_EQ(text.find("FloatingPoint"), std::string::npos);
}

}  // namespace
}  // namespace mmaprint::engines_test
