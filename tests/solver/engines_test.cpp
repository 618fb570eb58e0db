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
#include "solver/distinguish.h"
#include "solver/z3_checker.h"
#include "support/chains.h"
#include "support/describe.h"
#include "support/generate.h"

namespace mmaprint {
namespace {

using test::count;
using test::Random;

constexpr Solver kSolvers[] = {Solver::cadical, Solver::z3};

Chain one_block(int k) {
  Chain chain{{{}}, CEnters::first};
  for (int i = 0; i < k; ++i) chain.blocks.front().push_back(i);
  return chain;
}

using Tweak = std::function<void(UnitModel&)>;

/// Like current tensor cores: F = 24, truncation throughout.
UnitModel unit(int k, const OperandFormats& formats, const Tweak& tweak = nullptr) {
  ChainParameters values;
  values.block.alignment_fraction_bits = 24;
  values.block.rounding = values.final_rounding = Rounding::toward_zero;
  values.block.output_fraction_bits = info(formats.d).fraction_bits;
  UnitModel model = chain_model("unit", k, formats, one_block(k), values, canonical_nan(formats.d));
  if (tweak) tweak(model);
  return model;
}

constexpr OperandFormats kHalf{Format::fp16, Format::fp16, Format::fp32, Format::fp32};

Pattern replayed(const Side& side, const std::optional<ParameterValues>& chosen, const DotInput& input) {
  if (const auto* model = std::get_if<UnitModel>(&side)) return evaluate(*model, input);
  const auto& h = std::get<Hypotheses>(side);
  return evaluate(h.space->model(h.set.skeleton, *chosen, h.set.nan), input);
}

/// Do these two sides give different results here, NaN patterns aside where a side leaves its open?
bool differ(const Side& left, const Side& right, const Witness& witness) {
  const Pattern x = replayed(left, witness.left, witness.input),
                y = replayed(right, witness.right, witness.input);
  const auto* model = std::get_if<UnitModel>(&left);
  const Format d = model != nullptr ? model->formats.d : std::get<Hypotheses>(left).space->formats.d;
  const auto states_nan = [](const Side& side) {
    return std::holds_alternative<UnitModel>(side) || std::get<Hypotheses>(side).set.nan.has_value();
  };
  if (is_nan(d, x) && is_nan(d, y) && !(states_nan(left) && states_nan(right))) return false;
  return x != y;
}

/// The verdict, with the witness replayed.
/// nullopt: no answer within the limits.
std::optional<bool> are_different(Solver solver, const Side& left, const Side& right,
                                  const Restriction& where, const std::string& what,
                                  const Limits& limits = {}) {
  const auto answer = make_checker(solver)->distinguish(left, right, where, limits);
  if (const auto* witness = std::get_if<Witness>(&answer)) {
    EXPECT_TRUE(differ(left, right, *witness)) << what;
    return true;
  }
  if (std::holds_alternative<Equivalent>(answer)) return false;
  return std::nullopt;
}

void expect_difference(bool different, Solver solver, const Side& left, const Side& right,
                       const Restriction& where, const std::string& what) {
  EXPECT_EQ(are_different(solver, left, right, where, what), std::optional(different)) << what;
}

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
    {"another NaN", true, [](UnitModel& m) { m.nan = 0x7fffffff; }},
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
  const Tweak normalised = [](UnitModel& m) { adder(m).product = ProductKind::exact_normalised; };
  // Products of normal numbers with a power of two stay below 2, and then nothing has to be normalised;
  // subnormal factors differ, so they are flushed here.
  const auto flushed = [&](const Tweak& more) {
    return unit(2, kHalf, [&](UnitModel& m) {
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
  const OperandFormats narrow{Format::fp16, Format::fp16, Format::fp16, Format::fp16};
  const Tweak saturating = [](UnitModel& m) { m.conventions.overflow = Overflow::saturate; };
  for (const Solver solver : kSolvers)
    expect_difference(true, solver, unit(2, narrow), unit(2, narrow, saturating), {}, "FP16 results");
}

TEST(BothEngines, CompareNaNsOnlyWhereInputsMayBringThem) {
  const Tweak other_nan = [](UnitModel& m) { m.nan = 0x7fffffff; };
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

// ---- Toy formats: every input ----

/// E2M1 throughout, but for the result: 2^20 inputs for two products.
constexpr OperandFormats kToy{Format::e2m1, Format::e2m1, Format::e2m1, Format::e5m2};
/// One product with specials: 2^20 inputs.
constexpr OperandFormats kToySpecial{Format::e5m2, Format::e2m1, Format::e5m2, Format::e5m2};

/// Calls fn(input) for every input until it returns true; did it?
bool some_input(const OperandFormats& formats, int k, const std::function<bool(const DotInput&)>& fn) {
  const auto n = static_cast<std::size_t>(k);
  DotInput input{std::vector<Pattern>(n), std::vector<Pattern>(n), 0};
  const auto next = [](Pattern& p, Format f) { return (p = (p + 1) & info(f).pattern_mask()) == 0; };
  for (;;) {
    if (fn(input)) return true;
    bool carry = next(input.c, formats.c);
    for (std::size_t i = 0; i < n && carry; ++i) {
      carry = next(input.a[i], formats.a);
      if (carry) carry = next(input.b[i], formats.b);
    }
    if (carry) return false;
  }
}

/// What a restriction means, in plain words.
bool allowed(const OperandFormats& formats, const Restriction& where, const DotInput& input) {
  const auto fraction = [](const FormatInfo& f, Pattern p) {
    return (p >> f.ignored_low_bits) & ((Pattern{1} << f.fraction_bits) - 1);
  };
  const FormatInfo &fa = info(formats.a), &fb = info(formats.b), &fc = info(formats.c);
  const auto finite = [](Format f, Pattern p) { return !is_nan(f, p) && !is_infinite(f, p); };
  const auto zero = [](const FormatInfo& f, Pattern p) {
    return f.specials != Specials::nan_at_zero && (p & (f.pattern_mask() >> 1)) == 0;
  };
  int nonzero = 0, fraction_bits = std::popcount(fraction(fc, input.c));
  for (std::size_t i = 0; i < input.a.size(); ++i) {
    const Pattern a = input.a[i], b = input.b[i];
    if (where.products && !(*where.products)[i] && (a != 0 || b != 0)) return false;
    if (where.finite_inputs && !(finite(formats.a, a) && finite(formats.b, b))) return false;
    if (!zero(fa, a) && !zero(fb, b)) ++nonzero;
    fraction_bits += std::popcount(fraction(fa, a)) + std::popcount(fraction(fb, b));
    if (where.b_power_of_two && fraction(fb, b) != 0) return false;
    if (where.leading_fraction_bits) {
      const auto beyond = [&](const FormatInfo& f, Pattern p) {
        const int gone = std::max(0, f.fraction_bits - *where.leading_fraction_bits);
        return (fraction(f, p) & ((Pattern{1} << gone) - 1)) != 0;
      };
      if (beyond(fa, a) || beyond(fb, b)) return false;
    }
  }
  if (where.finite_inputs && !finite(formats.c, input.c)) return false;
  if (where.at_most_nonzero_products && nonzero > *where.at_most_nonzero_products) return false;
  return !where.at_most_fraction_bits || fraction_bits <= *where.at_most_fraction_bits;
}

Restriction random_restriction(Random& random, int k) {
  Restriction where;
  where.finite_inputs = random.chance(1, 3);
  if (random.chance(1, 3)) {
    std::vector<bool> products;
    for (int i = 0; i < k; ++i) products.push_back(random.chance(2, 3));
    where.products = products;
  }
  if (random.chance(1, 3)) where.at_most_nonzero_products = random.between(0, k);
  if (random.chance(1, 3)) where.at_most_fraction_bits = random.between(0, 5);
  if (random.chance(1, 3)) where.leading_fraction_bits = random.between(0, 3);
  where.b_power_of_two = random.chance(1, 4);
  return where;
}

std::string words(const Restriction& where) {
  std::string text = "where";
  if (where.finite_inputs) text += " finite";
  if (where.products)
    for (const bool b : *where.products) text += b ? " some" : " zero";
  if (where.at_most_nonzero_products) text += " nonzero<=" + std::to_string(*where.at_most_nonzero_products);
  if (where.at_most_fraction_bits) text += " bits<=" + std::to_string(*where.at_most_fraction_bits);
  if (where.leading_fraction_bits) text += " leading=" + std::to_string(*where.leading_fraction_bits);
  return text + (where.b_power_of_two ? " powers" : "");
}

/// A toy unit and one that differs from it in one parameter or two.
std::pair<UnitModel, UnitModel> toy_pair(Random& random, const OperandFormats& formats, int k) {
  const auto c = random.pick({CEnters::first, CEnters::last});
  const Chain chain = test::random_chain(random, k, c);
  ChainParameters values = test::random_values(random, formats.d);
  if (random.chance(3, 4) && values.block.alignment_fraction_bits)
    values.block.alignment_fraction_bits = random.between(0, 8);
  ChainParameters others = values;
  for (int i = random.between(1, 2); i > 0; --i) {
    const ParameterKey& p = random.pick(test::chain_keys());
    test::set_value(others, p, test::value_index(test::random_values(random, formats.d), p));
  }
  const Pattern nan = canonical_nan(formats.d);
  return {chain_model("toy", k, formats, chain, values, nan),
          chain_model("toy", k, formats, chain, others, nan)};
}

void compare_with_every_input(Solver solver, std::uint64_t stated_seed, long n, const OperandFormats& formats,
                              int k) {
  const std::uint64_t first = test::starting_seed(stated_seed);
  for (std::uint64_t seed = first; seed < first + static_cast<std::uint64_t>(n); ++seed) {
    Random random(seed);
    const auto [left, right] = toy_pair(random, formats, k);
    const Restriction where = random.chance(1, 3) ? Restriction{} : random_restriction(random, k);
    const Evaluator x(left), y(right);
    const bool different = some_input(formats, k, [&](const DotInput& input) {
      return allowed(formats, where, input) && x(input) != y(input);
    });
    const auto answer = make_checker(solver)->distinguish(left, right, where, {});
    const auto what = [&] {
      return "seed " + std::to_string(seed) + " " + words(where) + "\n" + test::describe(left) + "\n" +
             test::describe(right);
    };
    ASSERT_EQ(std::holds_alternative<Witness>(answer), different) << what();
    ASSERT_EQ(std::holds_alternative<Equivalent>(answer), !different) << what();
    if (different) {
      const DotInput& input = std::get<Witness>(answer).input;
      ASSERT_TRUE(allowed(formats, where, input)) << what() << '\n' << test::describe(left, input);
      ASSERT_NE(x(input), y(input)) << what() << '\n' << test::describe(left, input);
    }
  }
}

TEST(GraphEngine, AgreesWithEveryInputOfToyUnitsOnRandomInputs) {
  compare_with_every_input(Solver::cadical, 2'000, count(8), kToy, 2);
  compare_with_every_input(Solver::cadical, 3'000, count(12), kToySpecial, 1);
}

TEST(TermEngine, AgreesWithEveryInputOfToyUnitsOnRandomInputs) {
  compare_with_every_input(Solver::z3, 4'000, count(3), kToy, 2);
  compare_with_every_input(Solver::z3, 5'000, count(4), kToySpecial, 1);
}

/// What is taken for granted about a node's operands must not hide a difference.
TEST(GraphEngine, NodeByNodeAgreesWithEveryInputOfToyUnitsOnRandomInputs) {
  const std::uint64_t first = test::starting_seed(7'000);
  const auto checker = make_checker(Solver::cadical);
  for (std::uint64_t seed = first; seed < first + static_cast<std::uint64_t>(count(12)); ++seed) {
    Random random(seed);
    auto [left, right] = toy_pair(random, kToy, 2);
    if (random.chance(1, 2)) {
      right = left;
      adder(right).minimum_alignment_exponent = random.between(-12, 0);
    }
    const Evaluator x(left), y(right);
    const bool different = some_input(kToy, 2, [&](const DotInput& input) { return x(input) != y(input); });
    Limits limits;
    limits.seconds = 5;
    const auto answer = compare_by_nodes(*checker, left, right, limits);
    const std::string what =
        "seed " + std::to_string(seed) + "\n" + test::describe(left) + "\n" + test::describe(right);
    EXPECT_FALSE(different && std::holds_alternative<Equivalent>(answer)) << what;
    if (const auto* witness = std::get_if<Witness>(&answer)) {
      EXPECT_NE(x(witness->input), y(witness->input)) << what;
    }
  }
}

TEST(BothEngines, FindTheMemberOfASetThatDiffersOnRandomInputs) {
  const std::uint64_t first = test::starting_seed(6'000);
  for (std::uint64_t seed = first; seed < first + static_cast<std::uint64_t>(count(20)); ++seed) {
    Random random(seed);
    const Chain chain = test::random_chain(random, 1, CEnters::last);
    const ChainParameters base = test::random_values(random, kToy.d);
    const auto model_of = [&](const ChainParameters& v) {
      return chain_model("toy", 1, kToy, chain, v, canonical_nan(kToy.d));
    };
    const UnitModel unit = model_of(base);
    const Space space{"toy", 1, kToy, {skeleton_of(unit)}, Box(1)};
    Hypotheses set{&space, {0, Box(values_of(unit)), std::nullopt}};
    std::vector<ChainParameters> members{base};
    for (int i = random.between(0, 2); i > 0; --i) {
      const ParameterKey& p = random.pick(test::chain_keys());
      const int index = test::value_index(test::random_values(random, kToy.d), p);
      ValueSet& values = set.set.box[p];
      if (values.contains(index)) continue;
      values.insert(index);
      const std::size_t before = members.size();
      for (std::size_t m = 0; m < before; ++m) {
        if (test::value_index(members[m], p) != values.first() && values.size() > 2) continue;
        members.push_back(members[m]);
        test::set_value(members.back(), p, index);
      }
    }
    members.erase(std::remove_if(members.begin(), members.end(),
                                 [&](const ChainParameters& v) {
                                   return !set.set.box.contains(values_of(model_of(v)));
                                 }),
                  members.end());
    const bool different = std::ranges::any_of(members, [&](const ChainParameters& v) {
      const Evaluator x(unit), y(model_of(v));
      return some_input(kToy, 1, [&](const DotInput& input) { return x(input) != y(input); });
    });
    for (const Solver solver : kSolvers) {
      const std::string what = "seed " + std::to_string(seed);
      expect_difference(different, solver, unit, set, {}, what);
      expect_difference(different, solver, set, unit, {}, what);
    }
    expect_difference(different, Solver::cadical, set, set, {}, "both sets");
  }
}

// ---- Limits ----

/// Equal, but each side adds in another order and with another accumulator: far too hard for both checkers in
/// a second.
std::pair<UnitModel, UnitModel> hard_pair() {
  const OperandFormats formats{Format::bf16, Format::bf16, Format::fp32, Format::fp32};
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
}  // namespace mmaprint
