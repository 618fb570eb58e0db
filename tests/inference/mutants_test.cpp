// Units that a model could be mistaken for: that each kind is told from the model or proved equal, and that a
// device which is one is found out and named.
#include <gtest/gtest.h>

#include <map>
#include <set>

#include "device/simulated.h"
#include "inference/by_need.h"
#include "inference/confirm_model.h"
#include "inference/identify.h"
#include "inference/inputs.h"
#include "inference/mutant.h"
#include "inference/mutant_inputs.h"
#include "inference/mutant_trial.h"
#include "inference/mutation_analysis.h"
#include "mutant_units.h"
#include "support/random.h"

namespace mmaprint::mutants_test {
namespace {

using test::all_mutants;
using test::model;
using test::MutantUnit;
using test::two_nodes;

/// A trial against a device that computes as the model does.
MutantsTold tried(const UnitModel& m, std::uint64_t seed = 1, int threads = 2) {
  const Space space = default_space(m.instruction, m.k, m.formats);
  EquivalenceLedger ledger(space, Solver::cadical, kProofSteps, {seed, threads, {}});
  MutantTrial trial(Original(m), {.seed = seed, .threads = threads}, ledger, Deadline());
  const auto agreed = trial.passed({}, 2000, [](const std::vector<DotInput>&) { return true; });
  EXPECT_EQ(agreed, std::optional(true));
  return trial.told();
}

TEST(Mutants, AreOfEveryKindAndNoneIsNamedTwice) {
  std::set<std::size_t> kinds;
  UnitModel flushing = two_nodes(Format::fp32, Rounding::toward_zero);
  flushing.conventions.input_subnormals = Subnormals::flushed;
  for (const UnitModel& m :
       {two_nodes(Format::fp32, Rounding::toward_zero), flushing,
        model("a100", "mma.m16n8k16.f16.f16.f16.f16"),
        model("rtxpro6000", "mma.m16n8k64.kind::mxf4.block32.f32.e2m1.e2m1.f32.ue8m0")}) {
    std::set<std::string> names;
    for (const Mutant& mutant : all_mutants(m)) {
      kinds.insert(mutant.kind);
      EXPECT_TRUE(names.insert(mutant.name).second) << mutant.name;
    }
  }
  EXPECT_EQ(kinds.size(), mutant_kinds().size());
}

TEST(Mutants, OfSmallUnitsAreKilledOrProvedEqual) {
  for (const UnitModel& m :
       {two_nodes(Format::fp32, Rounding::toward_zero), two_nodes(Format::fp16, Rounding::nearest_even)}) {
    const auto [counts, open] = tried(m);
    EXPECT_GT(counts.mutants, 150U);
    EXPECT_GT(counts.killed, 0U);
    // Without a clamp, rounding to nearest, some zero addends and conversions are hard to see or to prove.
    EXPECT_LE(counts.open() * 12, counts.mutants) << counts.open() << " open, " << open.front() << " first";
    EXPECT_EQ(open.size(), counts.open());
  }
}

/// Everything is kept until one rounding, to nearest.
UnitModel exact_to_nearest(Format factor, Format result) {
  const Signature formats{factor, factor, result, result};
  const Tree tree = tree_of(Chain{{{0, 1, 2, 3}}, CEnters::first});
  return unit_model("exact4", 4, formats, {{}, tree}, {{exact_adder(result, Rounding::nearest_even)}, {}},
                    canonical_nan(result));
}

TEST(Mutants, ThatRoundTwiceShowByWhatLiesBelowTheFirstRounding) {
  for (const Format factor : {Format::e4m3, Format::e5m2, Format::fp16})
    for (const Format result : {Format::fp16, Format::bf16}) {
      const UnitModel m = exact_to_nearest(factor, result);
      const Evaluator model(m);
      int twice = 0;
      for (const Mutant& mutant : all_mutants(m)) {
        if (mutant.name.find("rounded twice") == std::string::npos) continue;
        ++twice;
        MutantInputs inputs(m, mutant.aim, 1);
        int differ = 0;
        for (int i = 0; i < 2'000; ++i) {
          const DotInput input = inputs.next();
          const Pattern d = model(input);
          differ += mutant.answer(input, d) == d ? 0 : 1;
        }
        EXPECT_GT(differ, 20) << name(factor) << ", " << name(result) << ": " << mutant.name;
      }
      EXPECT_EQ(twice, 6);
    }
}

TEST(Mutants, ThatExplainAreNoneWhereTheBudgetIsSpent) {
  const UnitModel m = two_nodes(Format::fp32, Rounding::toward_zero);
  const Original original(m);
  std::vector<Observation> seen;
  InputGenerator inputs(m.k, m.formats, 1);
  for (int i = 0; i < 20; ++i) {
    const DotInput in = inputs.next();
    seen.push_back({in, original.evaluator->one()(in)});
  }
  const auto explaining = [&](std::int64_t work) {
    Budget budget(work);
    return that_explain(all_mutants(m), original, seen, budget, Deadline()).size();
  };
  EXPECT_GT(explaining(kExplainingWork), 0U);
  EXPECT_EQ(explaining(0), 0U);
}

TEST(Mutants, AreKilledAlikeWhateverTheNumberOfThreads) {
  const UnitModel m = two_nodes(Format::fp32, Rounding::toward_zero);
  const MutantsTold one = tried(m, 3, 1), two = tried(m, 3, 2);
  EXPECT_EQ(one.counts, two.counts);
  EXPECT_EQ(one.open, two.open);
}

TEST(Mutants, OfSomeSumsOverflowAsTheDirectionOfRoundingDoesNot) {
  UnitModel m = two_nodes(Format::fp32, Rounding::down);
  m.conventions.overflow = Overflow::by_direction;
  std::set<std::string> names;
  for (const Mutant& mutant : all_mutants(m))
    if (mutant.name.starts_with("overflow ") && mutant.name.find(" for ") != std::string::npos)
      names.insert(mutant.name);
  EXPECT_EQ(names, (std::set<std::string>{
                       "overflow saturate (not by-direction) for negative sums",
                       "overflow saturate (not by-direction) for sums that overflow by rounding alone"}));
}

TEST(Mutants, BeyondTheMostAreDrawnFromEveryKindBySeed) {
  const Original original(model("a100", "mma.m16n8k16.f16.f16.f16.f16"));
  const auto names = [&](std::uint64_t seed) {
    std::vector<std::string> all;
    for (const Mutant& mutant : mutants_of(original, 100, seed)) all.push_back(mutant.name);
    return all;
  };
  std::map<std::size_t, std::size_t> whole, drawn;
  for (const Mutant& mutant : mutants_of(original, 100'000, 1)) ++whole[mutant.kind];
  for (const Mutant& mutant : mutants_of(original, 100, 1)) ++drawn[mutant.kind];
  EXPECT_LE(names(1).size(), 100U);
  EXPECT_GE(names(1).size(), 80U);
  EXPECT_EQ(names(1), names(1));
  EXPECT_NE(names(1), names(2));
  for (const auto& [kind, count] : whole) EXPECT_GE(drawn[kind], std::min<std::size_t>(count, 3)) << kind;
}

TEST(Mutants, NextToWhatIsKnownAreNoneOfTheValuesThatAreKnown) {
  const UnitModel m = two_nodes(Format::fp32, Rounding::toward_zero);
  Box known(values_of(m));
  const auto f_of = [](const Original& original) {
    std::set<std::string> names;
    for (const Mutant& mutant : mutants_of(original, 100'000, 1))
      if (mutant.name.starts_with("alignment_fraction_bits") && !mutant.name.ends_with("alone"))
        names.insert(mutant.name.substr(0, mutant.name.find(" (")));
    return names;
  };
  EXPECT_EQ(f_of(Original(m, known)),
            (std::set<std::string>{"alignment_fraction_bits 23", "alignment_fraction_bits 25",
                                   "alignment_fraction_bits none"}));
  known[Parameter::alignment_fraction_bits] = ValueSet::range(22, 25);
  EXPECT_EQ(f_of(Original(m, known)),
            (std::set<std::string>{"alignment_fraction_bits 21", "alignment_fraction_bits 26",
                                   "alignment_fraction_bits none"}));
}

Identification identified(MatmulUnit& unit, const UnitModel& m, std::int64_t steps = 45'000) {
  const Space space = default_space(m.instruction, m.k, m.formats);
  IdentifyOptions options;
  options.threads = 2;
  options.proof_steps = steps;
  options.conflict_work = kConflictWork / 16;
  return identify(space, space.whole(), unit, {m.instruction, m.k, m.formats}, {}, options, {});
}

/// On how many inputs, of those that identifications draw, a unit and a model differ.
int disagreements(const MutantUnit& unit, const UnitModel& m) {
  InputGenerator inputs(m.k, m.formats, 99);
  const Evaluator evaluator(m);
  int differ = 0;
  for (int n = 0; n < 20'000; ++n) {
    const DotInput input = inputs.next(n % 2 == 0 ? InputFamily::any : InputFamily::edges);
    differ += unit.answer(input) != evaluator(input) ? 1 : 0;
  }
  return differ;
}

TEST(Identify, NamesTheMutantThatADeviceIsOrFindsItInTheSpaceOnRandomInputs) {
  if (test::counts_are_reduced()) GTEST_SKIP() << test::kTakesMinutesThen;
  const UnitModel m = two_nodes(Format::fp32, Rounding::toward_zero);
  int none = 0, named = 0, exactly = 0;
  std::map<std::size_t, Mutant> last_of_kind;
  for (Mutant& mutant : all_mutants(m)) last_of_kind.insert_or_assign(mutant.kind, std::move(mutant));
  const bool every_kind = test::count(1) > 1;
  for (const auto& [kind, mutant] : last_of_kind) {
    if (!every_kind && kind % 3 != 1) continue;
    SCOPED_TRACE(mutant.name);
    MutantUnit unit(m, mutant);
    const Identification found = identified(unit, m);
    if (found.verdict() != Identification::Verdict::none) {
      EXPECT_EQ(disagreements(unit, *found.model), 0);
      continue;
    }
    ++none;
    named += found.reason().starts_with("answers like: ") ? 1 : 0;
    exactly += found.reason().find(mutant.name) != std::string::npos ? 1 : 0;
  }
  // Of a unit that departs from the model in most of its answers it may not be found what it departs from.
  EXPECT_GE(named * 10, none * (every_kind ? 7 : 6)) << named << " of " << none;
  EXPECT_GE(exactly * 10, none * 6) << exactly << " of " << none;
}

TEST(Identify, LooksForWhatAUnitCouldBeBeforeTheSmallestConflict) {
  if (test::counts_are_reduced()) GTEST_SKIP() << test::kTakesMinutesThen;
  const UnitModel m = two_nodes(Format::fp32, Rounding::toward_zero);
  const Mutants all = all_mutants(m);
  const auto mutant = std::ranges::find(all, "subnormals flushed at b1", &Mutant::name);
  ASSERT_NE(mutant, all.end());
  MutantUnit unit(m, *mutant);
  const Space space = default_space(m.instruction, m.k, m.formats);
  IdentifyOptions options;
  options.threads = 2;
  options.conflict_work = kConflictWork / 16;
  std::vector<std::string> done;
  IdentifyHooks hooks;
  hooks.progress = [&](const Progress& p) {
    if (done.empty() || done.back() != p.doing) done.emplace_back(p.doing);
  };
  const Identification found =
      identify(space, space.whole(), unit, {m.instruction, m.k, m.formats}, {}, options, hooks);
  ASSERT_EQ(found.verdict(), Identification::Verdict::none);
  EXPECT_NE(found.reason().find("subnormals flushed at b1"), std::string::npos) << found.reason();
  EXPECT_LT(std::ranges::find(done, "looking for what the unit could be"),
            std::ranges::find(done, "looking for the smallest conflict"));
  EXPECT_EQ(done.back(), "looking for the smallest conflict");
}

TEST(Identify, KeepsAConflictWhereNothingMoreIsLookedFor) {
  const UnitModel m = two_nodes(Format::fp32, Rounding::toward_zero);
  const Mutants all = all_mutants(m);
  MutantUnit unit(m, *std::ranges::find(all, "subnormals flushed at b1", &Mutant::name));
  const Space space = default_space(m.instruction, m.k, m.formats);
  IdentifyOptions options;
  options.explain_nothing = false;
  const Identification found =
      identify(space, space.whole(), unit, {m.instruction, m.k, m.formats}, {}, options, {});
  ASSERT_EQ(found.verdict(), Identification::Verdict::none);
  EXPECT_FALSE(found.conflict_is_smallest);
  VersionSpace left = space.whole();
  for (const std::size_t i : found.conflict)
    left = *refine(space, left, found.observations[i], 2, Deadline());
  EXPECT_TRUE(left.empty());
}

TEST(Identify, ReportsNoModelThatWhatCameTooLateContradicts) {
  const UnitModel m = two_nodes(Format::fp32, Rounding::toward_zero);
  SimulatedUnit unit("sim", "sim", {m});
  const Space space = default_space(m.instruction, m.k, m.formats);
  std::vector<Observation> known;
  InputGenerator inputs(m.k, m.formats, 5);
  for (int n = 0; n < 50; ++n) {
    DotInput input = inputs.next();
    const Pattern d = evaluate(m, input);
    known.push_back({std::move(input), d});
  }
  IdentifyOptions options;
  options.seconds = 0;
  const Identification found =
      identify(space, space.whole(), unit, {m.instruction, m.k, m.formats}, known, options, {});
  EXPECT_EQ(found.verdict(), Identification::Verdict::unknown);
  EXPECT_EQ(found.unused, known.size());
  for (const Observation& o : known)
    if (found.model) {
      EXPECT_EQ(evaluate(*found.model, o.input), o.d);
    }
}

void expect_nearly_all_told(std::string_view device, std::string_view instruction) {
  SCOPED_TRACE(std::string(device) + " " + std::string(instruction));
  const UnitModel m = model(device, instruction);
  SimulatedUnit unit("sim", "sim", {m});
  const Identification found = identified(unit, m, kProofSteps);
  EXPECT_TRUE(found.confirmed());
  const auto& [counts, open] = found.confirmation.mutants;
  EXPECT_GT(counts.mutants, 100U);
  EXPECT_GE((counts.killed + counts.equal) * 100, counts.mutants * 95) << open.size() << " open";
  EXPECT_LE(found.observations.size() + found.confirmation.inputs, kMostDeviceInputs);
}

/// MI250 flushes operands to +0, and adds zeros as IEEE 754 says. To flush them with their signs and make +0
/// of all zeros differs from that only where a sum is flushed to -0 and meets products that are -0.
TEST(Mutants, FlushOperandsAndSignZerosByTwoOtherRulesAtOnce) {
  for (const char* instruction : {"mfma.f32_32x32x4_bf16", "mfma.f32_16x16x16_bf16_1k"}) {
    const UnitModel unit = *catalogued_model("mi250", instruction);
    UnitModel taken_for_it = unit;
    taken_for_it.conventions.input_subnormals = taken_for_it.conventions.c_subnormals = Subnormals::flushed;
    taken_for_it.conventions.zero_sign.all_zero = ZeroSign::positive;
    bool is_told = false;
    for (const Mutant& mutant : mutants_of(Original(taken_for_it), kEveryMutant, 1))
      if (mutant.models && mutant.aim.example && mutant.models->mutant.conventions == unit.conventions) {
        const DotInput& input = *mutant.aim.example;
        is_told = is_told || evaluate(taken_for_it, input) != evaluate(unit, input);
      }
    EXPECT_TRUE(is_told) << instruction;
  }
}

TEST(Mutants, OfSimulatedUnitsAreNearlyAllKilledOrProvedEqual) {
  if (test::counts_are_reduced()) GTEST_SKIP() << test::kTakesMinutesThen;
  expect_nearly_all_told("v100", "mma.m8n8k4.f32.f16.f16.f32");
  expect_nearly_all_told("t4", "mma.m16n8k8.f32.f16.f16.f32");
  expect_nearly_all_told("a100", "mma.m16n8k16.f16.f16.f16.f16");
  expect_nearly_all_told("ada", "mma.m16n8k32.f32.e4m3.e4m3.f32");
  expect_nearly_all_told("h100", "mma.m16n8k16.f32.f16.f16.f32");
}

TEST(Mutants, OfModelsThatConvertTheirOperandsAreNearlyAllKilledOrProvedEqual) {
  if (test::counts_are_reduced()) GTEST_SKIP() << test::kTakesMinutesThen;
  for (const char* instruction : {"mma.m16n8k16.f16.e4m3.e5m2.f16", "mma.m16n8k16.f16.e4m3.e4m3.f16",
                                  "mma.m16n8k16.f32.e5m2.e4m3.f32", "mma.m8n8k128.s32.b1.b1.s32.xor.popc"}) {
    SCOPED_TRACE(instruction);
    const UnitModel m = model("h100", instruction);
    SimulatedUnit unit("sim", "sim", {m});
    const auto found = confirm_model(m, unit, {m.instruction, m.k, m.formats}, {}, {}, {});
    const auto& [counts, open] = found.confirmation.mutants;
    EXPECT_EQ(found.verdict, AgreementVerdict::match);
    EXPECT_GE((counts.killed + counts.equal) * 100, counts.mutants * 97)
        << open.size() << " open, " << open.front() << " first";
  }
}

TEST(Identify, SaysHowTheMutantsOfItsModelStand) {
  if (test::counts_are_reduced()) GTEST_SKIP() << test::kTakesMinutesThen;
  const UnitModel m = two_nodes(Format::fp32, Rounding::toward_zero);
  SimulatedUnit unit("sim", "sim", {m});
  const MutantCounts once = identified(unit, m).confirmation.mutants.counts;
  EXPECT_EQ(once.mutants, once.killed + once.equal + once.open());
  EXPECT_EQ(once.killed, once.killed_by[0] + once.killed_by[1] + once.killed_by[2]);
  EXPECT_GT(once.killed_by[0], 0U);
  EXPECT_EQ(identified(unit, m).confirmation.mutants.counts, once);
}

}  // namespace
}  // namespace mmaprint::mutants_test
