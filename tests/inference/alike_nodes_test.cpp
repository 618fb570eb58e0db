// Units whose nodes add the same: other classes, and +0 among the operands.
#include "model/alike_nodes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <utility>

#include "device/catalogue.h"
#include "inference/inputs.h"
#include "model/evaluator.h"
#include "model/pattern.h"
#include "model/zero_input.h"
#include "random_units/random_unit.h"
#include "skeleton_units/skeleton_unit.h"
#include "solver/by_nodes.h"
#include "solver/zero_signs.h"

namespace mmaprint::alike_nodes_test {
namespace {

using test::Random;
using test::SkeletonFamily;

constexpr std::uint64_t kSeed = 4'100;

UnitModel unit_of(std::uint64_t seed) {
  return test::skeleton_unit(static_cast<SkeletonFamily>(seed % (test::kSkeletonFamilyWords.size() - 1)),
                             seed);
}

/// Sums of products alone start from +0.
UnitModel from_zero(UnitModel unit) {
  for (Node& node : unit.tree.nodes)
    if (std::ranges::all_of(node.operands,
                            [](const Leaf& leaf) { return std::holds_alternative<ProductLeaf>(leaf); }))
      node.operands.insert(node.operands.begin(), ZeroLeaf{});
  return unit;
}

/// Each node is of a class of its own; nullopt where there would be too many.
std::optional<UnitModel> all_apart(const UnitModel& unit) {
  NodeClasses classes(unit.tree.nodes.size());
  for (std::size_t n = 0; n < classes.size(); ++n) classes[n] = static_cast<int>(n);
  return std::cmp_greater(classes.size(), kMostClasses) ? std::nullopt : with_classes(unit, classes);
}

/// Products of zeros, of any sign; c likewise.
DotInput any_zeros(const UnitModel& unit, Random& random) {
  DotInput input = zero_input(unit.k);
  const Signature& formats = unit.formats;
  for (Pattern& a : input.a)
    if (random.chance(1, 2)) a = zero_pattern(info(formats.a), true);
  if (formats.c && random.chance(1, 2)) input.c = zero_pattern(info(*formats.c), true);
  return input;
}

TEST(AlikeNodes, ClassesMayBeNamedAnew) {
  const std::uint64_t seed = test::starting_seed(kSeed);
  int renamed = 0;
  for (std::uint64_t n = seed; n < seed + 40; ++n) {
    const UnitModel unit = unit_of(n);
    const auto apart = all_apart(unit);
    if (!apart) continue;
    ++renamed;
    EXPECT_TRUE(has_the_same_nodes(unit, *apart)) << "seed " << n;
    EXPECT_EQ(test::disagreements(unit, *apart, 500, n), 0) << "seed " << n;
    EXPECT_EQ(with_classes(*apart, classes_of_nodes(unit.tree)), unit) << "seed " << n;
  }
  EXPECT_GT(renamed, 10) << "seed " << seed;
}

TEST(AlikeNodes, OfOneClassHaveTheSameParameters) {
  UnitModel unit = unit_of(kSeed);
  auto apart = all_apart(unit);
  for (std::uint64_t n = kSeed; !apart || apart->adders.size() < 2; ++n) apart = all_apart(unit = unit_of(n));
  UnitModel other = *apart;
  other.adders.back().output_fraction_bits -= 1;
  EXPECT_FALSE(has_the_same_nodes(unit, other));
  EXPECT_EQ(with_classes(other, NodeClasses(other.tree.nodes.size(), 0)), std::nullopt);
  EXPECT_EQ(with_classes(unit, NodeClasses(unit.tree.nodes.size(), 1)), std::nullopt) << "numbered from 0";
}

/// Operands of each node in an order of chance.
UnitModel shuffled(UnitModel unit, Random& random) {
  for (Node& node : unit.tree.nodes)
    for (std::size_t i = node.operands.size(); i > 1; --i)
      std::swap(node.operands[i - 1],
                node.operands[static_cast<std::size_t>(random.between(0, static_cast<int>(i) - 1))]);
  return unit;
}

TEST(AlikeNodes, MayAddInAnyOrderWhereSumsAreNormalisedLate) {
  const std::uint64_t seed = test::starting_seed(kSeed);
  int reordered = 0, kept = 0;
  for (std::uint64_t n = seed; n < seed + 60; ++n) {
    Random random(n);
    const UnitModel unit = unit_of(n);
    const UnitModel other = shuffled(unit, random);
    if (other == unit || !is_legal(other)) continue;
    const UnitModel ordered = ordered_as(other, unit);
    EXPECT_TRUE(differ_in_order_alone(ordered, other)) << "seed " << n;
    EXPECT_EQ(test::disagreements(ordered, other, 500, n), 0) << "seed " << n;
    if (differ_in_order_alone(unit, other)) {
      ++reordered;
      EXPECT_TRUE(add_the_same(skeleton_of(ordered), skeleton_of(unit))) << "seed " << n;
      EXPECT_EQ(test::disagreements(unit, other, 500, n), 0) << "seed " << n;
    } else {
      ++kept;
    }
  }
  EXPECT_GT(reordered, 10) << "seed " << seed;
  EXPECT_GT(kept, 0) << "seed " << seed;
}

TEST(AlikeNodes, HaveAnOrderWherePartialSumsAreNormalisedOrARuleChoosesAmongNans) {
  UnitModel unit = unit_of(kSeed);
  for (std::uint64_t n = kSeed; unit.tree.nodes[0].operands.size() < 2; ++n) unit = unit_of(n);
  unit.nan = canonical_nan(unit.formats.d);
  for (Adder& adder : unit.adders) adder.normalisation = Normalisation::late;
  UnitModel other = unit;
  std::swap(other.tree.nodes[0].operands.front(), other.tree.nodes[0].operands.back());
  ASSERT_NE(other, unit);
  EXPECT_TRUE(differ_in_order_alone(unit, other));
  for (UnitModel* of_rule : {&unit, &other}) of_rule->nan = NanRule{};
  EXPECT_FALSE(differ_in_order_alone(unit, other));
  EXPECT_EQ(ordered_as(other, unit), other);
  for (UnitModel* immediate : {&unit, &other}) {
    immediate->nan = canonical_nan(unit.formats.d);
    for (Adder& adder : immediate->adders) adder.normalisation = Normalisation::immediate;
  }
  EXPECT_FALSE(differ_in_order_alone(unit, other));
}

TEST(AlikeNodes, AreEqualOnlyWhereUnitsAre) {
  const std::uint64_t seed = test::starting_seed(kSeed);
  const auto checker = make_checker(Solver::cadical);
  Limits limits;
  limits.steps = 4'000;
  int equal = 0, told_apart = 0;
  for (std::uint64_t n = seed; n < seed + 60; ++n) {
    Random random(n);
    const UnitModel unit = unit_of(n);
    auto apart = all_apart(from_zero(unit));
    if (!apart || unit.k > 8) continue;
    if (random.chance(1, 3)) {
      ZeroSign& sign = apart->conventions.zero_sign.all_zero;
      sign = sign == ZeroSign::follow ? ZeroSign::positive : ZeroSign::follow;
    }
    if (random.chance(1, 3)) apart->adders.back().rounding = Rounding::down;
    const auto answer = compare_by_nodes(*checker, unit, *apart, limits);
    if (std::holds_alternative<Equivalent>(answer)) {
      ++equal;
      EXPECT_EQ(test::disagreements(unit, *apart, 5'000, n), 0) << "seed " << n;
      for (int i = 0; i < 500; ++i) {
        const DotInput zeros = any_zeros(unit, random);
        ASSERT_EQ(evaluate(unit, zeros), evaluate(*apart, zeros)) << "seed " << n;
      }
    }
    if (const auto* witness = std::get_if<Witness>(&answer)) {
      ++told_apart;
      EXPECT_NE(evaluate(unit, witness->input), evaluate(*apart, witness->input)) << "seed " << n;
    }
  }
  EXPECT_GT(equal, 0) << "seed " << seed;
  EXPECT_GT(told_apart, 0) << "seed " << seed;
}

TEST(ZeroSigns, SayWhereNoResultIsNegativeZero) {
  const std::uint64_t seed = test::starting_seed(kSeed);
  int never = 0;
  for (std::uint64_t n = seed; n < seed + 200; ++n) {
    Random random(n);
    const UnitModel unit = random.chance(1, 2) ? from_zero(unit_of(n)) : unit_of(n);
    if (may_be_negative_zero(unit).back()) continue;
    ++never;
    const Pattern negative_zero = zero_pattern(info(unit.formats.d), true);
    InputGenerator generator(unit.k, unit.formats, n);
    for (int i = 0; i < 1'000; ++i) {
      const DotInput input = random.chance(1, 2) ? any_zeros(unit, random) : generator.next();
      ASSERT_NE(evaluate(unit, input), negative_zero) << "seed " << n;
    }
  }
  EXPECT_GT(never, 5) << "seed " << seed;
}

/// Operands are read as +0 where they are zeros, c too: a sum of zeros is negative where one that is flushed
/// to -0 meets products that are -0.
TEST(AlikeNodes, ThatDifferInAZerosSignGiveAnInputWhereEverythingBesideItIsMinusZero) {
  for (const char* instruction : {"mfma.f32_32x32x4_bf16", "mfma.f32_16x16x16_bf16_1k"}) {
    const UnitModel unit = *catalogued_model("mi250", instruction);
    UnitModel other = unit;
    other.conventions.zero_sign.rounded = ZeroSign::positive;
    const auto answer = compare_by_nodes(*make_checker(Solver::cadical), unit, other, {});
    ASSERT_TRUE(std::holds_alternative<Witness>(answer)) << instruction;
    const DotInput& input = std::get<Witness>(answer).input;
    EXPECT_NE(evaluate(unit, input), evaluate(other, input));
  }
}

}  // namespace
}  // namespace mmaprint::alike_nodes_test
