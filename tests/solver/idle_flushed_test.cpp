// Values said to be idle are so about the smallest numbers: where results are flushed, and where a later node
// loses them; on every operand of small formats.
#include <gtest/gtest.h>

#include <vector>

#include "base/scramble.h"
#include "model/hypotheses.h"
#include "model/pattern.h"
#include "support/random.h"
#include "support/said_idle.h"

namespace mmaprint::idle_flushed_test {
namespace {

using enum Format;
using enum Parameter;
using test::expect_alike_if_said;
using test::expect_both;
using test::is_wanted;
using test::Random;
using test::Said;

Rounding any_rounding(Random& random) {
  return random.pick({Rounding::nearest_even, Rounding::nearest_away, Rounding::toward_zero, Rounding::up,
                      Rounding::down, Rounding::odd});
}
ZeroSign any_sign(Random& random) { return random.pick({ZeroSign::positive, ZeroSign::follow}); }

/// With any conventions for small results.
UnitModel any_unit(Random& random, std::vector<Node> nodes, int k, Signature formats) {
  ChainParameters values;
  values.block = exact_adder(formats.d, any_rounding(random));
  values.conventions.output_subnormals = random.pick({Subnormals::kept, Subnormals::flushed});
  values.conventions.flush_test =
      random.pick({FlushTest::after, FlushTest::before, FlushTest::after_unbounded});
  values.conventions.overflow = random.pick({Overflow::infinity, Overflow::saturate, Overflow::by_direction});
  values.conventions.zero_sign = {any_sign(random), any_sign(random), any_sign(random), any_sign(random)};
  std::vector<int> all;
  for (int i = 0; i < k; ++i) all.push_back(i);
  UnitModel unit =
      chain_model("small", k, formats, Chain{{all}, formats.c ? std::optional(CEnters::first) : std::nullopt},
                  values, canonical_nan(formats.d));
  unit.tree.nodes = std::move(nodes);
  unit.adders.resize(static_cast<std::size_t>(classes_of(unit.tree)), unit.adders.front());
  return unit;
}

TEST(IdleFlushed, RulesForSmallProductsThatHaveANodeOfTheirOwnAreSaidOnlyWhereNoProductShowsThem) {
  Random random(test::starting_seed(4'100));
  Said tests, modes;
  for (long i = 0; is_wanted(i, 60, {tests, modes}); ++i) {
    UnitModel unit = any_unit(random, {{{ProductLeaf{0}}, 0}}, 1, {e5m2, e5m2, {}, fp16});
    unit.adders[0].output_fraction_bits = random.between(2, 10);
    const auto all_products = [](const auto& look) {
      for (Pattern a = 0; a < 256; ++a)
        for (Pattern b = 0; b < 256; b += 1 + a % 3)
          if (!look({{a}, {b}, 0})) return;
    };
    expect_alike_if_said(unit, {flush_test, 0}, random.between(0, 2), all_products, tests);
    expect_alike_if_said(unit, {block_rounding, 0}, random.between(0, 5), all_products, modes);
  }
  for (const Said& said : {tests, modes}) expect_both(said);
}

/// The sum of two products that were rounded before, with all that a node may do.
TEST(IdleFlushed, RulesForSumsOfRoundedProductsAreSaidOnlyWhereNoSumShowsThem) {
  Random random(test::starting_seed(4'200));
  Said clamps, bits, tests;
  for (long i = 0; is_wanted(i, 150, {clamps, bits, tests}); ++i) {
    UnitModel unit =
        any_unit(random, {{{ProductLeaf{0}}, 1}, {{ProductLeaf{1}}, 1}, {{NodeLeaf{0}, NodeLeaf{1}}, 0}}, 2,
                 {e5m2, e5m2, {}, fp16});
    unit.conventions.input_subnormals = Subnormals::flushed;
    unit.adders[0].alignment_fraction_bits = random.between(8, 20);
    unit.adders[0].output_fraction_bits = random.between(2, 10);
    unit.adders[0].alignment_rounding =
        random.pick({AlignmentRounding::truncate, AlignmentRounding::floor, AlignmentRounding::nearest_even,
                     AlignmentRounding::sticky});
    const auto small_products = [&](const auto& look) {
      for (long n = 0; n < test::count(2'000); ++n) {
        DotInput input{{}, {}, 0};
        for (int k = 0; k < 2; ++k) {
          const int e = random.between(-9, -5), of_b = random.between(-9, -5);
          const auto fraction = [&] { return static_cast<std::uint64_t>(random.between(0, 3)); };
          input.a.push_back(floating_pattern(info(e5m2), random.chance(1, 2), e, fraction()));
          input.b.push_back(floating_pattern(info(e5m2), false, of_b, fraction()));
        }
        if (!look(input)) return;
      }
    };
    expect_alike_if_said(unit, {minimum_alignment_exponent, 0}, ClampDomain::index(random.between(-14, 0)),
                         small_products, clamps);
    expect_alike_if_said(unit, {alignment_fraction_bits, 0},
                         AlignmentBitsDomain::index(random.between(8, 20)), small_products, bits);
    expect_alike_if_said(unit, {flush_test, 0}, random.between(0, 2), small_products, tests);
  }
  for (const Said& said : {clamps, bits, tests}) expect_both(said);
}

/// A product that was rounded to itself, or flushed, is no number of its format but a product: every pair of
/// factors, beside some c.
TEST(IdleFlushed, WaysToAlignProductsThatANodeBeforeLeftWholeAreSaidOnlyWhereNoProductShowsThem) {
  Random random(test::starting_seed(4'250));
  Said bits, roundings, clamps;
  for (long i = 0; is_wanted(i, 200, {bits, roundings, clamps}); ++i) {
    UnitModel unit =
        any_unit(random, {{{ProductLeaf{0}}, 1}, {{CLeaf{}, NodeLeaf{0}}, 0}}, 1, {e2m3, e2m3, e4m3, fp16});
    unit.conventions.output_subnormals = random.pick({Subnormals::kept, Subnormals::flushed});
    unit.adders[0].product = unit.adders[1].product =
        random.pick({ProductKind::exact_normalised, ProductKind::exact_unnormalised});
    unit.adders[0].alignment_fraction_bits = random.between(6, 16);
    unit.adders[0].output_fraction_bits = random.between(3, 8);
    unit.adders[1].output_fraction_bits = random.chance(1, 2) ? 6 : random.between(4, 10);
    unit.adders[0].alignment_rounding =
        random.pick({AlignmentRounding::truncate, AlignmentRounding::floor, AlignmentRounding::nearest_even,
                     AlignmentRounding::sticky});
    const auto all = [&](const auto& look) {
      for (Pattern pair = 0; pair < 2'048; ++pair)
        for (std::uint64_t n = 0; n < 32; ++n)
          if (!look({{pair & 63U}, {pair >> 6U}, scrambled(32 * pair + n) & 255U})) return;
    };
    expect_alike_if_said(unit, {alignment_fraction_bits, 0},
                         AlignmentBitsDomain::index(random.between(6, 16)), all, bits);
    expect_alike_if_said(unit, {alignment_rounding, 0}, random.between(0, 3), all, roundings);
    expect_alike_if_said(unit, {minimum_alignment_exponent, 0}, ClampDomain::index(random.between(-9, 3)),
                         all, clamps);
  }
  for (const Said& said : {bits, roundings, clamps}) expect_both(said);
}

/// c, of every pattern, and a product; then a node that keeps fewer bits, and adds no exponent below c's.
TEST(IdleFlushed, RoundingsBeforeANodeThatLosesWhatTheyDecideAreSaidOnlyWhereNoCShowsThem) {
  Random random(test::starting_seed(4'300));
  Said modes, bits, overflows;
  for (long i = 0; is_wanted(i, 200, {modes, bits, overflows}); ++i) {
    const Format wide = random.pick({fp16, bf16});
    const int most = info(wide).fraction_bits;
    UnitModel unit = any_unit(random, {{{CLeaf{}, ProductLeaf{0}}, 0}, {{NodeLeaf{0}, ProductLeaf{1}}, 1}}, 2,
                              {e2m1, e2m1, wide, wide});
    for (Adder& adder : unit.adders) {
      adder.rounding =
          random.pick({Rounding::toward_zero, Rounding::odd, Rounding::nearest_even, Rounding::down});
      adder.alignment_rounding = random.pick(
          {AlignmentRounding::truncate, AlignmentRounding::nearest_even, AlignmentRounding::sticky});
    }
    unit.adders[0].alignment_fraction_bits = random.between(most, most + 4);
    unit.adders[0].output_fraction_bits = random.between(most - 3, most);
    unit.adders[1].alignment_fraction_bits = random.between(most - 6, most - 1);
    unit.adders[1].output_fraction_bits = random.between(most - 6, most);
    const auto every_c = [&](const auto& look) {
      for (Pattern c = 0; c < 0x10000; ++c) {
        const std::uint64_t bits = scrambled(c + static_cast<std::uint64_t>(i));
        const bool alone = (bits >> 16 & 1U) != 0;
        if (!look({{bits & 15U, alone ? 0 : bits >> 4 & 15U}, {bits >> 8 & 15U, bits >> 12 & 15U}, c}))
          return;
      }
    };
    expect_alike_if_said(unit, {block_rounding, 0}, random.between(0, 5), every_c, modes);
    expect_alike_if_said(unit, {output_fraction_bits, 0}, random.between(most - 3, most), every_c, bits);
    expect_alike_if_said(unit, {overflow}, random.between(0, 2), every_c, overflows);
  }
  for (const Said& said : {modes, bits, overflows}) expect_both(said);
}

}  // namespace
}  // namespace mmaprint::idle_flushed_test
