// Partial sums that grow as they are rounded away from zero, until they wrap: of operands of every kind, in
// any order.
#include <gtest/gtest.h>

#include <algorithm>

#include "model/evaluator.h"
#include "model/pattern.h"
#include "oracle/oracle.h"
#include "support/generate.h"
#include "support/random.h"

namespace mmaprint::partial_sums_test {
namespace {

using enum Format;
using test::Random;

constexpr std::uint64_t kSeed = 8'200;

/// A root that adds products, c, +0 and results of nodes of one product each.
UnitModel of_several(Random& random) {
  const int k = random.between(2, 5);
  const int alone = random.between(0, k);
  UnitModel unit{"several", k, {e2m1, e2m1, fp32, fp32}, {}, {}, {}, canonical_nan(fp32), {}};
  Node root{{CLeaf{}}, 1};
  if (random.chance(1, 3)) root.operands.emplace_back(ZeroLeaf{});
  for (int i = 0; i < k; ++i) {
    if (i >= alone) {
      root.operands.emplace_back(ProductLeaf{i});
      continue;
    }
    root.operands.emplace_back(NodeLeaf{static_cast<int>(unit.tree.nodes.size())});
    unit.tree.nodes.push_back({{ProductLeaf{i}}, 0});
  }
  for (std::size_t i = 1; i < root.operands.size(); ++i)
    std::swap(root.operands[i],
              root.operands[static_cast<std::size_t>(random.between(0, static_cast<int>(i)))]);
  if (unit.tree.nodes.empty()) root.adder = 0;
  Adder adder = exact_adder(fp32, Rounding::toward_zero);
  if (!unit.tree.nodes.empty()) unit.adders.push_back(adder);
  unit.tree.nodes.push_back(std::move(root));
  adder.alignment_fraction_bits = random.between(0, 2);
  adder.alignment_rounding =
      random.pick({AlignmentRounding::floor, AlignmentRounding::nearest_even, AlignmentRounding::sticky});
  adder.normalisation = Normalisation::immediate;
  adder.product = random.chance(1, 2) ? ProductKind::exact_normalised : ProductKind::exact_unnormalised;
  adder.extra_carry_bits = random.between(0, 4);
  unit.adders.push_back(adder);
  validate(unit);
  return unit;
}

TEST(PartialSums, WrapAsTheOraclesDoHoweverManyOfThemAreRoundedAwayFromZero) {
  const std::uint64_t seed = test::starting_seed(kSeed);
  const auto units = static_cast<std::uint64_t>(test::count(1500));
  int wrapping = 0;
  for (std::uint64_t n = seed; n < seed + units; ++n) {
    SCOPED_TRACE(n);
    Random random(n);
    const UnitModel unit = of_several(random);
    UnitModel holds_all = unit;
    holds_all.adders.back().extra_carry_bits.reset();
    const Evaluator evaluate(unit), evaluate_all(holds_all);
    bool wraps = false;
    for (int i = 0; i < 300; ++i) {
      DotInput input = test::random_input(random, unit);
      // c is as large as products are.
      input.c = floating_pattern(info(fp32), random.chance(2, 3), random.between(-3, 4), random.bits());
      for (Pattern& a : input.a) a |= random.chance(2, 3) ? 0x4U : 0U;
      const Pattern d = evaluate(input);
      ASSERT_EQ(d, oracle::evaluate(unit, input)) << "input " << i;
      wraps = wraps || d != evaluate_all(input);
    }
    wrapping += wraps ? 1 : 0;
  }
  EXPECT_GT(wrapping, test::counts_are_reduced() ? 0 : 300);
}

}  // namespace
}  // namespace mmaprint::partial_sums_test
