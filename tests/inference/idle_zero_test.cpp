// A +0 that a sum of products starts from: where the plain form leaves it out, and where it may not.
#include <gtest/gtest.h>

#include <algorithm>

#include "inference/inputs.h"
#include "inference/plain_form.h"
#include "model/evaluator.h"
#include "support/random.h"

namespace mmaprint::idle_zero_test {
namespace {

using enum Format;
using test::Random;

constexpr std::uint64_t kSeed = 9'100;

/// c + (0 + p0 + p1), of few bits, so that partial sums often lose some.
UnitModel from_zero(Random& random) {
  const Signature formats{e4m3, e4m3, fp32, fp32};
  UnitModel unit{"from_zero", 2, formats, {}, {}, {}, canonical_nan(fp32), {}};
  unit.tree.nodes = {Node{{ZeroLeaf{}, ProductLeaf{0}, ProductLeaf{1}}, 0}, Node{{CLeaf{}, NodeLeaf{0}}, 1}};
  Adder adder =
      exact_adder(fp32, random.pick({Rounding::toward_zero, Rounding::nearest_even, Rounding::down}));
  adder.alignment_fraction_bits = random.between(2, 9);
  adder.alignment_rounding = random.pick({AlignmentRounding::truncate, AlignmentRounding::floor,
                                          AlignmentRounding::nearest_even, AlignmentRounding::sticky});
  adder.normalisation = random.chance(3, 4) ? Normalisation::immediate : Normalisation::late;
  adder.product = random.chance(1, 2) ? ProductKind::exact_normalised : ProductKind::exact_unnormalised;
  if (random.chance(1, 2)) adder.extra_carry_bits = random.between(0, 3);
  if (random.chance(1, 4)) adder.minimum_alignment_exponent = random.between(-12, 0);
  if (random.chance(1, 6)) adder.zero_addends = ZeroAddends::as_exponent(random.between(-10, 6));
  unit.adders = {adder, exact_adder(fp32, Rounding::toward_zero)};
  unit.conventions.zero_sign.all_zero = random.chance(1, 2) ? ZeroSign::positive : ZeroSign::follow;
  unit.conventions.zero_sign.cancelled = random.chance(1, 2) ? ZeroSign::positive : ZeroSign::follow;
  validate(unit);
  return unit;
}

UnitModel without_zero(UnitModel unit) {
  std::vector<Leaf>& operands = unit.tree.nodes.front().operands;
  operands.erase(operands.begin());
  return unit;
}

int differences(const UnitModel& x, const UnitModel& y, std::uint64_t seed) {
  InputGenerator inputs(x.k, x.formats, seed);
  const Evaluator one(x), other(y);
  int all = 0;
  for (int n = 0; n < 1500; ++n) {
    const DotInput input = inputs.next(n % 3 == 0 ? InputFamily::edges : InputFamily::any);
    all += one(input) != other(input) ? 1 : 0;
  }
  return all;
}

bool starts_from_zero(const UnitModel& unit) {
  return std::ranges::any_of(unit.tree.nodes, [](const Node& node) {
    return std::ranges::find(node.operands, Leaf(ZeroLeaf{})) != node.operands.end();
  });
}

TEST(IdleZero, IsLeftOutWhereNoInputShowsIt) {
  const std::uint64_t seed = test::starting_seed(kSeed);
  const auto units = static_cast<std::uint64_t>(test::count(600));
  int left_out = 0, at_once = 0, told = 0, kept_and_told = 0;
  for (std::uint64_t n = seed; n < seed + units; ++n) {
    SCOPED_TRACE(n);
    Random random(n);
    const UnitModel unit = from_zero(random);
    const UnitModel plain = plain_form(unit);
    EXPECT_EQ(differences(unit, plain, n), 0);
    const bool tells = differences(unit, without_zero(unit), n) != 0;
    told += tells ? 1 : 0;
    if (starts_from_zero(plain)) {
      kept_and_told += tells ? 1 : 0;
      continue;
    }
    ++left_out;
    at_once += unit.adders.front().normalisation == Normalisation::immediate ? 1 : 0;
  }
  EXPECT_GT(left_out, test::counts_are_reduced() ? 0 : 40);
  EXPECT_GT(at_once, test::counts_are_reduced() ? 0 : 20);
  EXPECT_GT(kept_and_told, test::counts_are_reduced() ? 0 : 20) << told << " differ without it";
}

}  // namespace
}  // namespace mmaprint::idle_zero_test
