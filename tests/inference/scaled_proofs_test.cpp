// What is proved without a solver of units with scales, and of sums that are carried on: against results.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <optional>

#include "inference/scaled_sum_inputs.h"
#include "model/evaluator.h"
#include "model/hypotheses.h"
#include "model/plan.h"
#include "skeleton_units/scaled_unit.h"
#include "skeleton_units/skeleton_unit.h"
#include "solver/by_nodes.h"
#include "solver/idle_values.h"
#include "support/describe.h"
#include "support/generate.h"
#include "support/with_value.h"

namespace mmaprint::scaled_proofs_test {
namespace {

using test::Random;

/// Of every parameter that takes any of its searched values beside the unit's others: do idle ones give the
/// same results? How often there were some.
void expect_idle_values_to_be_idle(Random& random, const UnitModel& unit, int inputs,
                                   std::map<Parameter, int>& times) {
  const Plan plan(unit.formats, unit.k, skeleton_of(unit));
  const Box own(values_of(unit));
  for (const ParameterKey& key : own.keys()) {
    Box wide = own;
    wide[key] = info(key.parameter).searched_at_last(unit.formats);
    wide[key].insert(own[key].first());
    const auto idle = idle_values(plan, wide, key).values();
    if (idle.size() < 2) continue;
    ++times[key.parameter];
    std::vector<Evaluator> units;
    for (const int value : {idle.front(), idle[idle.size() / 2], idle.back()})
      if (const UnitModel model = test::with_value(unit, key, value); is_legal(model))
        units.emplace_back(model);
    std::optional<ScaledSumInputs> sums;
    if (unit.formats.has_scales()) sums.emplace(unit, unit, random.bits());
    for (int i = 0; i < inputs; ++i) {
      const DotInput in = sums && i % 2 == 0 ? sums->next() : test::random_input(random, unit);
      for (const Evaluator& one : units)
        ASSERT_EQ(one(in), units.front()(in)) << info(key.parameter).name << "\n"
                                              << test::describe(unit) << test::describe(unit, in);
    }
  }
}

TEST(IdleValues, OfUnitsWithScalesGiveTheSameResults) {
  Random random(test::starting_seed(320'000));
  std::map<Parameter, int> times;
  for (long i = 0; i < test::count(150); ++i)
    expect_idle_values_to_be_idle(random, test::scaled_unit(random.bits()), 60, times);
  EXPECT_GT(times[Parameter::minimum_alignment_exponent], 0);
  EXPECT_GT(times[Parameter::zero_cancelled], 0);
}

TEST(IdleValues, OfUnitsWithOneScaleForAllProductsGiveTheSameResults) {
  Random random(test::starting_seed(322'000));
  std::map<Parameter, int> times;
  for (long i = 0; i < test::count(150); ++i) {
    UnitModel unit = test::scaled_unit(random.bits());
    for (auto* scales : {&unit.formats.sa, &unit.formats.sb})
      if (*scales) (*scales)->per = unit.k;
    for (Adder& adder : unit.adders)
      if (random.chance(1, 2)) adder.rounding = Rounding::nearest_even;
    expect_idle_values_to_be_idle(random, unit, 60, times);
  }
  EXPECT_GT(times[Parameter::alignment_fraction_bits], 0);
  EXPECT_GT(times[Parameter::output_fraction_bits], 0);
  EXPECT_GT(times[Parameter::block_rounding], 0);
}

TEST(IdleValues, OfUnitsThatCarrySumsGiveTheSameResults) {
  Random random(test::starting_seed(321'000));
  std::map<Parameter, int> times;
  for (long i = 0; i < test::count(100); ++i) {
    const UnitModel unit = test::skeleton_unit(test::SkeletonFamily::carried, random.bits() % 100'000);
    if (std::ranges::any_of(unit.tree.nodes, [](const Node& node) { return node.result.is_carried(); }))
      expect_idle_values_to_be_idle(random, unit, 60, times);
  }
  EXPECT_GT(times[Parameter::zero_cancelled], 0);
  EXPECT_GT(times[Parameter::zero_flushed], 0);
  EXPECT_GT(times[Parameter::zero_rounded], 0);
  EXPECT_GT(times[Parameter::overflow], 0);
  EXPECT_GT(times[Parameter::zero_addends], 0);
  EXPECT_GT(times[Parameter::minimum_alignment_exponent], 0);
}

TEST(ComparisonByNodes, TellsApartNodesWhoseProductsShareAScaleAndSuchWhoseDoNot) {
  const Scales pairs{Format::ue8m0, 2};
  const Signature formats{
      .a = Format::e2m1, .b = Format::e2m1, .c = Format::fp32, .d = Format::fp32, .sa = pairs, .sb = pairs};
  ChainParameters values;
  values.block = exact_adder(Format::fp32, Rounding::nearest_even);
  const auto compared = [&](const Signature& of) {
    const UnitModel unit = chain_model("pairs", 8, of, {{{0, 1}, {2, 3}, {4, 6}, {5, 7}}, CEnters::first},
                                       values, canonical_nan(Format::fp32));
    return nodes_to_compare(unit, unit);
  };
  EXPECT_EQ(compared(formats), (std::vector<std::size_t>{0, 1, 2, 3}));
  Signature plain = formats;
  plain.sa = plain.sb = std::nullopt;
  EXPECT_EQ(compared(plain), (std::vector<std::size_t>{0, 1, 3}));
}

}  // namespace
}  // namespace mmaprint::scaled_proofs_test
