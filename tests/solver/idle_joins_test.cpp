// Values said to be idle where a carried sum joins c and is rounded down: with products far below the
// smallest results, subnormal c, and c that cancel what was summed.
#include <gtest/gtest.h>

#include <algorithm>

#include "model/hypotheses.h"
#include "model/pattern.h"
#include "support/random.h"
#include "support/said_idle.h"

namespace mmaprint::idle_joins_test {
namespace {

using enum Format;
using enum Parameter;
using test::expect_alike_if_said;
using test::expect_alike_in_set_if_said;
using test::expect_both;
using test::is_wanted;
using test::Random;
using test::Said;

std::optional<int> any_clamp(Random& random, int from, int to) {
  return random.chance(1, 2) ? std::optional(random.between(from, to)) : std::nullopt;
}

/// Two E5M2 products, down to 2^-32, carried on to an FP16 c; then rounded once more, or not.
UnitModel any_join(Random& random) {
  UnitModel unit{"join", 2, {e5m2, e5m2, fp16, fp16}, {}, {}, {}, canonical_nan(fp16), {}};
  unit.tree.nodes = {Node{{ProductLeaf{0}, ProductLeaf{1}}, 0, NodeResult::carried()},
                     Node{{NodeLeaf{0}, CLeaf{}}, 1}};
  Adder products = exact_adder(fp16, Rounding::nearest_even), join = exact_adder(fp16, Rounding::down);
  products.alignment_fraction_bits = random.between(3, random.chance(1, 2) ? 12 : 26);
  products.minimum_alignment_exponent = any_clamp(random, -32, -15);
  const int own = random.between(9, random.chance(1, 2) ? 11 : 16);
  join.c_fraction_bits = own;
  join.c_alignment_rounding = OwnAlignmentRounding::floor;
  if (random.chance(1, 2)) join.c_dropped_below = random.between(1, 14);
  join.alignment_fraction_bits = random.between(own, random.chance(1, 2) ? own + 6 : 26);
  join.alignment_rounding =
      random.pick({AlignmentRounding::floor, AlignmentRounding::sticky, AlignmentRounding::floor,
                   AlignmentRounding::sticky, AlignmentRounding::truncate, AlignmentRounding::nearest_even});
  join.minimum_alignment_exponent = any_clamp(random, -24, -8);
  join.output_fraction_bits = random.between(5, 10);
  // About where it leaves the finest place that results have.
  const int by_places =
      info(fp16).emin() - join.output_fraction_bits + join.alignment_fraction_bits.value_or(0);
  if (random.chance(1, 4)) join.minimum_alignment_exponent = std::min(0, by_places + random.between(-1, 2));
  unit.adders = {products, join};
  if (random.chance(1, 3)) {
    unit.tree.nodes.push_back(Node{{NodeLeaf{1}}, 2});
    unit.adders.push_back(exact_adder(fp16, Rounding::nearest_even));
  }
  if (random.chance(1, 4)) unit.conventions.output_subnormals = Subnormals::flushed;
  unit.conventions.flush_test = random.pick({FlushTest::after, FlushTest::before});
  unit.conventions.zero_sign.cancelled = random.chance(1, 3) ? ZeroSign::follow : ZeroSign::positive;
  validate(unit);
  return unit;
}

/// The same, joined with the FP16 result of an earlier product instead of c.
UnitModel with_a_result(UnitModel unit) {
  unit.tree.nodes[1].operands = {NodeLeaf{0}, NodeLeaf{1}};
  unit.tree.nodes.insert(unit.tree.nodes.begin() + 1, Node{{CLeaf{}, ProductLeaf{1}}, 3});
  unit.tree.nodes[0].operands = {ProductLeaf{0}};
  if (unit.tree.nodes.size() > 3) unit.tree.nodes[3].operands = {NodeLeaf{2}};
  unit.adders.resize(3, exact_adder(fp16, Rounding::nearest_even));
  unit.adders.push_back(exact_adder(fp16, Rounding::nearest_even));
  if (unit.tree.nodes.size() == 3) unit.tree.nodes[1].adder = 2, unit.adders.pop_back();
  validate(unit);
  return unit;
}

/// c is zero, of any size, or what the products add up to, but for its sign, or nearly so.
template <class Look>
void look_at_joins(const UnitModel& unit, Random& random, long inputs, const Look& look) {
  const Evaluator evaluator(unit);
  const auto factor = [&] {
    const int e = random.chance(3, 4) ? random.between(-16, -2) : random.between(-16, 15);
    return random.chance(1, 12) ? 0
                                : floating_pattern(info(e5m2), random.chance(1, 2), e, random.bits() & 3U);
  };
  for (long n = 0; n < inputs; ++n) {
    DotInput input{{factor(), factor()}, {factor(), factor()}, 0};
    const Pattern sum = evaluator(input);
    switch (random.between(0, 4)) {
      case 0:
        break;
      case 1:
        input.c = random.bits() & 0x83ffU;
        break;
      case 2:
        input.c = random.bits() & 0xbfffU;
        break;
      case 3:  // the smallest normal number, and a little
        input.a[0] = floating_pattern(info(e5m2), random.chance(1, 2), -7, 0);
        input.b[0] = floating_pattern(info(e5m2), false, -7, 0);
        break;
      default:
        input.c = (sum ^ 0x8000U) + static_cast<Pattern>(random.between(0, 1));
    }
    if (!look(input)) return;
  }
}

TEST(IdleJoins, AreSaidOnlyOfValuesThatNoInputShows) {
  Random random(test::starting_seed(4'400));
  Said bits, roundings, clamps, clamps_before, zeros;
  for (long i = 0; is_wanted(i, 400, {bits, roundings, clamps, clamps_before, zeros}); ++i) {
    const UnitModel unit = random.chance(1, 3) ? with_a_result(any_join(random)) : any_join(random);
    const auto joins = [&](const auto& look) { look_at_joins(unit, random, test::count(6'000), look); };
    const auto expect_alike = [&](const ParameterKey& key, int value, Said& said) {
      expect_alike_if_said(unit, key, value, joins, said);
    };
    expect_alike({alignment_fraction_bits, 1}, AlignmentBitsDomain::index(random.between(9, 17)), bits);
    expect_alike({alignment_rounding, 1}, static_cast<int>(AlignmentRounding::sticky), roundings);
    // About where they begin to show: by places that results have, by what is dropped, by what c has of E.
    const Adder& join = unit.adders[1];
    const int emin = info(fp16).emin();
    const int by_places = emin - join.output_fraction_bits + join.alignment_fraction_bits.value_or(0);
    const int clamp = random.pick({by_places, emin + join.c_dropped_below.value_or(0), emin, emin - 8});
    expect_alike({minimum_alignment_exponent, 1},
                 ClampDomain::index(std::min(0, clamp + random.between(-1, 2))), clamps);
    expect_alike(
        {minimum_alignment_exponent, 0},
        ClampDomain::index(random.chance(1, 2) ? emin + random.between(-2, 2) : random.between(-32, -16)),
        clamps_before);
    expect_alike({zero_addends, 1},
                 ZeroAddendsDomain::index(ZeroAddends::as_exponent(random.between(-24, -10))), zeros);
  }
  for (const Said& said : {bits, roundings, clamps, clamps_before, zeros}) expect_both(said);
}

/// Sets have several parameters open, and what is said of one holds with any values of the others.
TEST(IdleJoins, AreSaidOnlyOfValuesThatNoInputShowsWithAnyOtherValuesOfASet) {
  Random random(test::starting_seed(4'450));
  Said bits, clamps, clamps_before, zeros;
  for (long i = 0; is_wanted(i, 600, {bits, clamps, clamps_before, zeros}); ++i) {
    UnitModel unit = random.chance(1, 3) ? with_a_result(any_join(random)) : any_join(random);
    Box box(values_of(unit));
    for (const auto& [key, value] :
         {std::pair(ParameterKey{c_dropped_below, 1}, OwnBitsDomain::index(random.between(1, 14))),
          {{alignment_fraction_bits, 1}, AlignmentBitsDomain::index(random.between(11, 26))},
          {{minimum_alignment_exponent, 1}, ClampDomain::index(random.between(-24, -8))},
          {{minimum_alignment_exponent, 0}, ClampDomain::index(random.between(-32, -12))},
          {{zero_addends, 1}, ZeroAddendsDomain::index(ZeroAddends::as_exponent(random.between(-24, -10)))},
          {{output_fraction_bits, 1}, random.between(5, 10)},
          {{zero_cancelled}, static_cast<int>(ZeroSign::positive)}}) {
      if (random.chance(1, 2)) continue;
      const UnitModel other = test::with_value(unit, key, value);
      if (!is_legal(other)) continue;
      box[key].insert(value);
      if (random.chance(1, 2)) unit = other;
    }
    const auto joins = [&](const auto& look) { look_at_joins(unit, random, test::count(4'000), look); };
    const auto expect_alike = [&](const ParameterKey& key, int value, Said& said) {
      expect_alike_in_set_if_said(unit, box, key, value, joins, said);
    };
    const int emin = info(fp16).emin();
    expect_alike({alignment_fraction_bits, 1}, AlignmentBitsDomain::index(random.between(9, 26)), bits);
    expect_alike({minimum_alignment_exponent, 1}, ClampDomain::index(emin + random.between(-4, 8)), clamps);
    expect_alike({minimum_alignment_exponent, 0}, ClampDomain::index(emin + random.between(-16, 2)),
                 clamps_before);
    expect_alike({zero_addends, 1},
                 ZeroAddendsDomain::index(ZeroAddends::as_exponent(emin + random.between(-4, 8))), zeros);
  }
  for (const Said& said : {bits, clamps, clamps_before, zeros}) expect_both(said);
}

/// p0 in FP16, then c and it, with -3 what zeros take part in E with, or none.
UnitModel rounded_up_beside_c(std::optional<int> dropped_below, ZeroAddends zeros) {
  UnitModel unit{"zeros", 1, {fp16, e4m3, fp16, fp16}, {}, {}, {}, canonical_nan(fp16), {}};
  unit.tree.nodes = {Node{{ProductLeaf{0}}, 0}, Node{{CLeaf{}, NodeLeaf{0}}, 1}};
  unit.adders = {exact_adder(fp16, Rounding::nearest_away), exact_adder(fp16, Rounding::up)};
  unit.adders[1].c_dropped_below = dropped_below;
  unit.adders[1].zero_addends = zeros;
  validate(unit);
  return unit;
}

TEST(IdleJoins, IsNotSaidOfWhatDecidesWhetherSomeHypothesisDropsAResult) {
  const ZeroAddends none, zeros = ZeroAddends::as_exponent(-3);
  const DotInput small{{0x0caf}, {0xc2}, 0};
  ASSERT_NE(evaluate(rounded_up_beside_c(7, none), small), evaluate(rounded_up_beside_c(7, zeros), small));
  const UnitModel unit = rounded_up_beside_c(std::nullopt, none);
  Box box(values_of(unit));
  const ParameterKey rule{c_dropped_below, 1}, of_zeros{zero_addends, 1};
  box[of_zeros].insert(ZeroAddendsDomain::index(zeros));
  const Plan plan(unit.formats, unit.k, skeleton_of(unit));
  EXPECT_EQ(idle_values(plan, box, of_zeros), box[of_zeros]);
  box[rule].insert(OwnBitsDomain::index(7));
  EXPECT_NE(idle_values(plan, box, of_zeros), box[of_zeros]);
}

}  // namespace
}  // namespace mmaprint::idle_joins_test
