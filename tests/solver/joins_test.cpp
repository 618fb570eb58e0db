// Where a carried sum joins c and is rounded down: the same results whatever is kept of it.
#include "solver/joins.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>

#include "model/evaluator.h"
#include "model/pattern.h"
#include "support/generate.h"
#include "support/random.h"

namespace mmaprint::joins_test {
namespace {

using test::Random;

/// Three E3M2 products, summed with F = carried_bits and carried on; joined with an FP16 c of which c_bits
/// are kept, and rounded down to `result_bits`.
UnitModel joined(int carried_bits, int c_bits, int result_bits) {
  UnitModel unit;
  unit.instruction = "join";
  unit.k = 3;
  unit.formats = {Format::e3m2, Format::e3m2, Format::fp16, Format::fp16};
  unit.tree.nodes = {Node{{ProductLeaf{0}, ProductLeaf{1}, ProductLeaf{2}}, 0, NodeResult::carried()},
                     Node{{NodeLeaf{0}, CLeaf{}}, 1}};
  Adder products = exact_adder(Format::fp16, Rounding::nearest_even);
  products.alignment_fraction_bits = carried_bits;
  Adder join = exact_adder(Format::fp16, Rounding::down);
  join.alignment_rounding = AlignmentRounding::floor;
  join.c_fraction_bits = c_bits;
  join.output_fraction_bits = result_bits;
  unit.adders = {products, join};
  unit.nan = canonical_nan(Format::fp16);
  validate(unit);
  return unit;
}

bool joins_exactly(const UnitModel& unit, std::optional<int> f, AlignmentRounding rounding) {
  const Plan plan(unit.formats, unit.k, skeleton_of(unit));
  Box box(values_of(unit));
  const auto bounds = bounds_of_any_nodes(plan, box).value();
  return joins_as_exact(plan, plan.nodes[1], box, bounds[1], f, rounding);
}

DotInput any_finite(Random& random) {
  const auto product = [&] { return random.bits() & info(Format::e3m2).pattern_mask(); };
  DotInput input{{product(), product(), product()}, {product(), product(), product()}, 0};
  do input.c = random.bits() & 0xffffU;
  while ((input.c & 0x7c00U) == 0x7c00U);
  return input;
}

/// With F and this rounding of what is carried; c stays as it is.
UnitModel with(UnitModel unit, int f, AlignmentRounding rounding) {
  unit.adders[1].alignment_fraction_bits = f;
  unit.adders[1].alignment_rounding = rounding;
  unit.adders[1].c_alignment_rounding = OwnAlignmentRounding::floor;
  return unit;
}

/// How many of many inputs tell the unit, with F and this rounding, from the one that keeps all of what is
/// carried.
int differences(const UnitModel& exact, int f, AlignmentRounding rounding, std::uint64_t seed) {
  const Evaluator one(with(exact, f, rounding)), other(exact);
  Random random(seed);
  int found = 0;
  for (long i = 0; i < std::max(2'000L, test::count(12'000)); ++i) {
    const DotInput input = any_finite(random);
    found += one(input) != other(input) ? 1 : 0;
  }
  return found;
}

TEST(Joins, GiveTheSameResultsWithAsManyBitsAndRoundingsAsAreSaidToComeToTheSame) {
  const std::uint64_t seed = test::starting_seed(330'000);
  int same = 0, told_apart = 0;
  for (const int carried_bits : {3, 6, 9})
    for (const int result_bits : {4, 7, 10}) {
      const UnitModel exact = joined(carried_bits, 10, result_bits);
      for (int f = 8; f <= 20; f += test::counts_are_reduced() ? 3 : 1)
        for (const auto rounding : {AlignmentRounding::floor, AlignmentRounding::sticky,
                                    AlignmentRounding::truncate, AlignmentRounding::nearest_even}) {
          const int found = differences(exact, f, rounding, seed);
          if (joins_exactly(exact, f, rounding)) {
            ++same;
            EXPECT_EQ(found, 0) << "F " << f << " of " << carried_bits << " to " << result_bits << " bits";
          } else {
            told_apart += found > 0 ? 1 : 0;
          }
        }
    }
  EXPECT_GT(same, test::counts_are_reduced() ? 20 : 60);
  EXPECT_GT(told_apart, test::counts_are_reduced() ? 20 : 60);
}

TEST(Joins, LoseWhatShowsWhereACarriedSumCancelsMostOfC) {
  const UnitModel exact = joined(9, 10, 10);
  // 16 - 2 * 6.125 + 25/256: of what is left, less than a quarter of c, all 10 bits are results'.
  const Pattern minus = sign_pattern(info(Format::e3m2));
  const DotInput input{{0x13U | minus, 0x13U | minus, 0x05}, {0x0f, 0x0f, 0x05}, 0x4c00};
  ASSERT_NE(evaluate(with(exact, 11, AlignmentRounding::floor), input), evaluate(exact, input));
  EXPECT_FALSE(joins_exactly(exact, 11, AlignmentRounding::floor));
}

}  // namespace
}  // namespace mmaprint::joins_test
