// The generator of bulk inputs: every theme appears, and what it is there for does occur.
#include "device/tile_inputs.h"

#include <gtest/gtest.h>

#include <array>
#include <set>

#include "model/evaluator.h"
#include "model/value.h"

namespace mmaprint::tile_inputs_test {
namespace {

constexpr int kRows = 8, kColumns = 4;

UnitModel unit(Signature formats, int k) {
  Chain chain{{std::vector<int>()}, CEnters::first};
  for (int i = 0; i < k; ++i) chain.blocks.front().push_back(i);
  ChainParameters values;
  values.block.alignment_fraction_bits = 25;
  values.block.output_fraction_bits = info(formats.d).fraction_bits;
  return chain_model("dot", k, formats, chain, values, canonical_nan(formats.d));
}

const std::array kFormats{Signature{Format::fp16, Format::fp16, Format::fp32, Format::fp32},
                          Signature{Format::fp16, Format::fp16, Format::fp16, Format::fp16},
                          Signature{Format::bf16, Format::bf16, Format::fp32, Format::fp32},
                          Signature{Format::tf32, Format::tf32, Format::fp32, Format::fp32},
                          Signature{Format::e4m3, Format::e5m2, Format::fp16, Format::fp16},
                          Signature{Format::e2m1, Format::e3m2, Format::fp32, Format::fp32},
                          Signature{Format::fp64, Format::fp64, Format::fp64, Format::fp64}};

/// Calls use(tile, row, column) for every place of `tiles` tiles.
template <class Use>
void for_each_input(const UnitModel& model, int tiles, Use&& use) {
  const Plan plan(model.formats, model.k, skeleton_of(model));
  for (int tile = 0; tile < tiles; ++tile) {
    const TileInputs inputs(plan, edges_of(model), 3, static_cast<std::uint64_t>(tile));
    for (int row = 0; row < kRows; ++row)
      for (int column = 0; column < kColumns; ++column) use(inputs, row, column);
  }
}

TEST(TileInputs, StayWithinTheFormatsAndAreFoundAgain) {
  for (const Signature& formats : kFormats) {
    const UnitModel model = unit(formats, 8);
    for_each_input(model, 300, [&](const TileInputs& tile, int row, int column) {
      const DotInput input = tile_input(tile, row, column);
      for (const Pattern p : input.a) EXPECT_EQ(p & ~info(formats.a).pattern_mask(), 0U);
      for (const Pattern p : input.b) EXPECT_EQ(p & ~info(formats.b).pattern_mask(), 0U);
      EXPECT_EQ(input.c & ~info(room_for_c(formats)).pattern_mask(), 0U);
      EXPECT_EQ(tile_input(tile, row, column), input);
    });
  }
}

TEST(TileInputs, HaveNoCWhereAUnitHasNoneAndNoPlaceForIt) {
  constexpr Signature kNoC{Format::fp16, Format::fp16, std::nullopt, Format::fp32};
  constexpr int kK = 3;
  UnitModel model = unit(kFormats.front(), kK);
  model.formats = kNoC;
  model.tree = tree_of(Chain{{{0, 1, 2}}, std::nullopt});
  std::set<int> places;
  for_each_input(model, 2000, [&](const TileInputs& tile, int row, int column) {
    EXPECT_EQ(tile_input(tile, row, column).c, 0U);
    if (tile.kind() != TileKind::opposed) return;
    places.insert({tile.theme().first, tile.theme().second});
    EXPECT_NE(tile.theme().first, tile.theme().second);
  });
  EXPECT_EQ(places, (std::set<int>{0, 1, 2}));
}

TEST(TileInputs, DifferFromTileToTileAndFromSeedToSeed) {
  const UnitModel model = unit(kFormats.front(), 8);
  const Plan plan(model.formats, model.k, skeleton_of(model));
  std::set<DotInput> all;
  for (std::uint64_t seed = 0; seed < 20; ++seed)
    for (std::uint64_t tile = 0; tile < 50; ++tile)
      all.insert(tile_input({plan, edges_of(model), seed, tile}, 0, 0));
  EXPECT_GT(all.size(), 950U);  // zeros are alike
}

TEST(TileInputs, HaveEveryKindInItsShareAndCountItsTurns) {
  std::array<std::uint32_t, kTileKinds> seen{};
  for (std::uint64_t tile = 0; tile < 10 * kTileTurn; ++tile) {
    const auto [kind, turn] = kind_of_tile(tile);
    auto& count = seen[static_cast<std::size_t>(kind)];
    if (turn / static_cast<std::uint32_t>(tiles_of(kind)) != tile / kTileTurn) ADD_FAILURE() << tile;
    ++count;
  }
  for (int kind = 0; kind < kTileKinds; ++kind)
    EXPECT_EQ(seen[static_cast<std::size_t>(kind)],
              static_cast<std::uint32_t>(10 * tiles_of(static_cast<TileKind>(kind))));
}

/// How often results of each sort are seen.
struct Results {
  int all = 0, finite = 0, zero = 0, subnormal = 0, infinite = 0, nan = 0, cancelled = 0, inexact = 0,
      ties = 0;
};

Results results_of(const Signature& formats) {
  const UnitModel model = unit(formats, 8);
  UnitModel up = model, away = model, even = model;
  up.adders.front().rounding = Rounding::toward_zero;
  for (UnitModel* m : {&up, &away, &even}) m->adders.front().alignment_fraction_bits.reset();
  away.adders.front().rounding = Rounding::nearest_away;
  const Evaluator evaluator(model), exact_down(up), exact_away(away), exact_even(even);
  Results r;
  for_each_input(model, 1000, [&](const TileInputs& tile, int row, int column) {
    const DotInput input = tile_input(tile, row, column);
    const Value d = decode(formats.d, evaluator(input));
    ++r.all;
    r.nan += d.nan ? 1 : 0;
    r.infinite += d.infinite ? 1 : 0;
    if (d.nan || d.infinite) return;
    r.finite += d.significand != 0 ? 1 : 0;
    r.zero += d.significand == 0 ? 1 : 0;
    const FormatInfo& f = info(formats.d);
    r.subnormal += d.significand != 0 && d.significand >> f.fraction_bits == 0 ? 1 : 0;
    r.cancelled += tile.kind() == TileKind::cancelling && d.significand == 0 ? 1 : 0;
    r.inexact += exact_down(input) != exact_even(input) ? 1 : 0;
    r.ties += exact_away(input) != exact_even(input) ? 1 : 0;
  });
  return r;
}

TEST(TileInputs, ShowCancellationSubnormalsTiesAndOverflow) {
  for (const Signature& formats : kFormats) {
    const Results r = results_of(formats);
    SCOPED_TRACE(std::string(name(formats.a)) + " " + std::string(name(formats.d)));
    EXPECT_GT(r.finite, r.all / 2);
    EXPECT_GT(r.zero, r.all / 200);
    EXPECT_LT(r.zero, r.all / 3);
    EXPECT_GT(r.subnormal, r.all / 500);
    EXPECT_GT(r.infinite, r.all / 5000);
    EXPECT_GT(r.nan, r.all / 5000);
    EXPECT_GT(r.inexact, r.all / 20);
    EXPECT_GT(r.ties, r.all / 1000);
  }
}

TEST(TileInputs, TellNeighbouringModelsApart) {
  // What a bulk comparison is for: one changed parameter shows within few tiles.
  const UnitModel model = unit({Format::bf16, Format::bf16, Format::fp32, Format::fp32}, 8);
  const auto differs = [&](auto&& change) {
    UnitModel other = model;
    change(other);
    const Evaluator left(model), right(other);
    int differing = 0;
    for_each_input(model, 1000, [&](const TileInputs& tile, int row, int column) {
      const DotInput input = tile_input(tile, row, column);
      differing += left(input) != right(input) ? 1 : 0;
    });
    return differing;
  };
  EXPECT_GT(differs([](UnitModel& m) { m.adders[0].alignment_fraction_bits = 26; }), 10);
  EXPECT_GT(differs([](UnitModel& m) { m.adders[0].alignment_fraction_bits = 24; }), 10);
  EXPECT_GT(differs([](UnitModel& m) { m.adders[0].rounding = Rounding::nearest_away; }), 10);
  EXPECT_GT(differs([](UnitModel& m) { m.adders[0].minimum_alignment_exponent = -126; }), 0);
  EXPECT_GT(differs([](UnitModel& m) { m.adders[0].extra_carry_bits = 2; }), 0);
  EXPECT_GT(differs([](UnitModel& m) { m.adders[0].product = ProductKind::exact_normalised; }), 10);
  EXPECT_GT(differs([](UnitModel& m) { m.adders[0].normalisation = Normalisation::immediate; }), 10);
  EXPECT_GT(differs([](UnitModel& m) { m.conventions.input_subnormals = Subnormals::flushed; }), 10);
  EXPECT_GT(differs([](UnitModel& m) { m.conventions.output_subnormals = Subnormals::flushed; }), 10);
  EXPECT_GT(differs([](UnitModel& m) { m.conventions.overflow = Overflow::saturate; }), 0);
  EXPECT_GT(differs([](UnitModel& m) { m.conventions.zero_sign.all_zero = ZeroSign::positive; }), 0);
}

}  // namespace
}  // namespace mmaprint::tile_inputs_test
