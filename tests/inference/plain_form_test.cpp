// What cannot matter in a model: that leaving it out changes no result, and that it is found.
#include "inference/plain_form.h"

#include <gtest/gtest.h>

#include <array>
#include <nlohmann/json.hpp>
#include <utility>

#include "device/catalogue.h"
#include "inference/mutant.h"
#include "inference/mutant_inputs.h"
#include "inference/mutation_analysis.h"
#include "model/evaluator.h"
#include "model/unit_json.h"
#include "solver/idle_values.h"
#include "support/chains.h"
#include "support/generate.h"
#include "support/twice_rounded.h"
#include "support/wide_units.h"

namespace mmaprint::plain_form_test {
namespace {

void expect_alike(const UnitModel& x, const UnitModel& y, int inputs, std::uint64_t seed) {
  test::Random random(seed);
  const Evaluator one(x), other(y);
  for (int n = 0; n < inputs; ++n) {
    const DotInput input = test::random_input(random, x);
    ASSERT_EQ(one(input), other(input)) << "seed " << seed << ", input " << n;
  }
}

/// On inputs that aim at what the mutant does otherwise.
void expect_alike_where_aimed(const UnitModel& x, const UnitModel& y, const Aim& aim, int inputs) {
  MutantInputs aimed(x, aim, 3);
  const Evaluator one(x), other(y);
  for (int n = 0; n < inputs; ++n) {
    const DotInput input = aimed.next();
    ASSERT_EQ(one(input), other(input)) << "input " << n;
  }
}

/// Nodes of classes of their own, of which some lose nothing, and some keep more bits than others.
UnitModel with_wide_nodes(test::Random& random, UnitModel unit) {
  std::vector<Adder> adders;
  for (Node& node : unit.tree.nodes) {
    Adder adder = unit.adders[static_cast<std::size_t>(node.adder)];
    if (random.chance(2, 3)) adder.alignment_fraction_bits.reset();
    if (random.chance(2, 3)) adder.extra_carry_bits.reset();
    if (&node != &unit.tree.nodes.back() && random.chance(1, 2)) {
      node.result = Format::fp64;
      adder.output_fraction_bits = 52;
    }
    node.adder = static_cast<int>(adders.size());
    adders.push_back(adder);
  }
  unit.adders = std::move(adders);
  return unit;
}

TEST(PlainForm, OfRandomUnitsComputesAsTheyDo) {
  int shorter = 0;
  const long units = test::count(1000);
  for (std::uint64_t seed = 1; std::cmp_less_equal(seed, units); ++seed) {
    SCOPED_TRACE(seed);
    test::Random random(seed);
    const int k = 1 + static_cast<int>(seed % 6);
    const UnitModel unit =
        with_wide_nodes(random, test::with_rare_rules(random, test::random_wide_unit(random, k)));
    const UnitModel plain = plain_form(unit);
    shorter += plain.tree.nodes.size() < unit.tree.nodes.size() ? 1 : 0;
    expect_alike(unit, plain, 500, seed);
  }
  EXPECT_GE(shorter, units >= 1000 ? 5 : 0);  // of fewer there may be none
}

/// Its nodes keep everything, with and without parameters that then don't matter.
UnitModel pairs_in_fp32() { return *catalogued_model("h100", "mma.m8n8k4.row.col.f16.f16.f16.f16"); }

TEST(PlainForm, OfMutantsTellsOnlySuchAsComputeAlike) {
  for (const UnitModel& m : {pairs_in_fp32(), *catalogued_model("h100", "mma.m8n8k4.row.col.f32.f16.f16.f16"),
                             *catalogued_model("v100", "mma.m8n8k4.f16.f16.f16.f16"),
                             *catalogued_model("h100", "mma.m16n8k16.f16.e5m2.e5m2.f16"),
                             *catalogued_model("h100", "mma.m16n8k16.f16.e4m3.e4m3.f16"),
                             *catalogued_model("h100", "mma.m16n8k16.f16.e4m3.e5m2.f16"),
                             *catalogued_model("h100", "mma.m16n8k16.f32.e5m2.e4m3.f32")}) {
    SCOPED_TRACE(m.instruction);
    int equal = 0;
    for (const Mutant& mutant : mutants_of(Original(m), 100'000, 1)) {
      if (!mutant.models || plain_form(mutant.models->model) != plain_form(mutant.models->mutant)) continue;
      SCOPED_TRACE(mutant.name);
      ++equal;
      expect_alike(mutant.models->model, mutant.models->mutant, 500, 1);
      expect_alike_where_aimed(mutant.models->model, mutant.models->mutant, mutant.aim, 500);
      expect_alike(mutant.models->model, plain_form(mutant.models->model), 100, 2);
    }
    EXPECT_GT(equal, 0);
  }
}

TEST(PlainForm, TellsNoFormatWithDsExponentsThatHasRoomForAllBitsOfResults) {
  ChainParameters values;
  values.block.output_fraction_bits = 7;
  values.block.alignment_fraction_bits = 12;
  const Signature formats{Format::bf16, Format::bf16, Format::fp32, Format::fp32};
  const UnitModel unit = chain_model("bf16", 2, formats, Chain{{{0}, {1}}}, values, canonical_nan(formats.d));
  const auto with = [&](Format format, int fraction_bits) {
    UnitModel other = unit;
    other.tree.nodes.front().result = format;  // the root's is D
    for (Adder& adder : other.adders) adder.output_fraction_bits = fraction_bits;
    return other;
  };
  EXPECT_EQ(plain_form(with(Format::bf16, 7)), plain_form(unit));
  EXPECT_EQ(plain_form(with(Format::tf32, 7)), plain_form(unit));
  EXPECT_NE(plain_form(with(Format::fp16, 7)), plain_form(unit));
  EXPECT_NE(plain_form(with(Format::bf16, 6)), plain_form(unit));
  expect_alike(unit, with(Format::bf16, 7), 5'000, 1);
  expect_alike(unit, with(Format::tf32, 7), 5'000, 2);
}

TEST(PlainForm, KeepsAFormatThatHasNoRoomForTheBitsOfANanThatGoesOn) {
  ChainParameters values;
  values.block.output_fraction_bits = 7;
  const Signature formats{Format::bf16, Format::bf16, Format::fp32, Format::fp32};
  UnitModel unit =
      chain_model("bf16", 2, formats, Chain{{{0}, {1}}, CEnters::first}, values, canonical_nan(formats.d));
  unit.nan = NanRule{.generated = canonical_nan(formats.d)};
  UnitModel narrow = unit;
  narrow.tree.nodes.front().result = Format::bf16;
  const DotInput nan{{0, 0}, {0, 0}, 0x7fc00001};
  EXPECT_NE(evaluate(narrow, nan), evaluate(unit, nan));
  EXPECT_NE(plain_form(narrow), plain_form(unit));
  EXPECT_EQ(evaluate(plain_form(narrow), nan), evaluate(narrow, nan));
}

TEST(PlainForm, KnowsBoundsOfUnitsOfManyNodesThatAddAlikeAndOfManyThatDont) {
  constexpr Signature kFormats{Format::fp16, Format::fp16, Format::fp32, Format::fp32};
  constexpr int kProducts = 20;
  Chain chain{{}, CEnters::first};
  for (int k = 0; k < kProducts; ++k) chain.blocks.push_back({k});
  ChainParameters values;
  values.block.output_fraction_bits = 23;
  UnitModel unit = chain_model("many", kProducts, kFormats, chain, values, canonical_nan(Format::fp32));
  EXPECT_EQ(facts_of(unit).size(), unit.tree.nodes.size());
  for (std::size_t n = 0; n < unit.tree.nodes.size(); ++n) {
    unit.tree.nodes[n].adder = static_cast<int>(n);
    unit.adders.resize(std::max(unit.adders.size(), n + 1), unit.adders.front());
    unit.adders[n].alignment_fraction_bits = 20 + static_cast<int>(n);
  }
  EXPECT_EQ(facts_of(unit).size(), unit.tree.nodes.size());
  EXPECT_EQ(plain_form(unit).k, unit.k);
}

TEST(PlainForm, IsTheSameWhereOnlyWhatCannotMatterDiffers) {
  const UnitModel m = pairs_in_fp32();
  UnitModel other = m;
  other.adders[0].product = ProductKind::exact_normalised;
  other.adders[0].zero_addends = ZeroAddends::as_exponent(0);
  other.adders[0].normalisation = Normalisation::immediate;
  other.adders[0].alignment_rounding = AlignmentRounding::sticky;
  other.conventions.flush_test = FlushTest::before;
  EXPECT_EQ(plain_form(m), plain_form(other));
  other.adders[0].rounding = Rounding::nearest_away;
  EXPECT_NE(plain_form(m), plain_form(other));
  UnitModel loses = m;
  loses.adders[0].alignment_fraction_bits = 24;
  EXPECT_NE(plain_form(m), plain_form(loses));
}

TEST(PlainForm, KnowsWhatAnE4M3SubnormalChangesAsAnFp16) {
  const UnitModel m = *catalogued_model("h100", "mma.m16n8k16.f16.e4m3.e4m3.f16");
  const auto with = [&](auto&& change) {
    UnitModel other = m;
    change(other);
    return plain_form(other);
  };
  // Of E4M3 alone a subnormal's product is too small for its exponent to matter; and nothing is below a
  // clamp.
  EXPECT_EQ(plain_form(m), with([](UnitModel& u) { u.paths.a = {}; }));
  EXPECT_EQ(plain_form(m), with([](UnitModel& u) { u.paths.b = Converted{Format::fp32}; }));
  EXPECT_EQ(plain_form(m), with([](UnitModel& u) { u.conventions.input_subnormals = Subnormals::flushed; }));
  EXPECT_EQ(plain_form(m), with([](UnitModel& u) { u.adders[0].minimum_alignment_exponent.reset(); }));
  EXPECT_EQ(plain_form(m),
            with([](UnitModel& u) { u.adders[0].zero_addends = ZeroAddends::as_exponent(0); }));
  EXPECT_NE(plain_form(m), with([](UnitModel& u) { u.adders[0].minimum_alignment_exponent = 10; }));
  EXPECT_NE(plain_form(m), with([](UnitModel& u) { u.adders[0].product = ProductKind::exact_normalised; }));
  // Beside an E5M2 it may decide what a large product loses.
  const UnitModel mixed = *catalogued_model("h100", "mma.m16n8k16.f16.e4m3.e5m2.f16");
  UnitModel other = mixed;
  other.paths.a = {};
  EXPECT_NE(plain_form(mixed), plain_form(other));
}

TEST(PlainForm, LeavesOutRulesForSignsThatNoResultShows) {
  const UnitModel m = *catalogued_model("h100", "mma.m16n8k16.f16.e4m3.e4m3.f16");
  const auto with = [&](ZeroSign ZeroSigns::*rule, Rounding root) {
    UnitModel other = m;
    other.conventions.zero_sign.*rule = ZeroSign::follow;
    other.adders.back().rounding = root;
    return plain_form(other);
  };
  UnitModel down = m;
  down.adders.back().rounding = Rounding::down;
  for (const auto rule :
       {&ZeroSigns::all_zero, &ZeroSigns::cancelled, &ZeroSigns::rounded, &ZeroSigns::flushed})
    EXPECT_EQ(plain_form(m), with(rule, m.adders.back().rounding));
  for (const auto rule : {&ZeroSigns::all_zero, &ZeroSigns::cancelled})
    EXPECT_NE(plain_form(down), with(rule, Rounding::down));
}

TEST(PlainForm, FlushesOperandsToZerosOfAnySignWhereNoSignShows) {
  UnitModel flushed = *catalogued_model("h100", "mma.m16n8k16.f32.f16.f16.f32");
  flushed.conventions.input_subnormals = flushed.conventions.c_subnormals = Subnormals::flushed;
  const auto positive = [](UnitModel m) {
    m.conventions.input_subnormals = m.conventions.c_subnormals = Subnormals::flushed_positive;
    return m;
  };
  flushed.conventions.zero_sign.all_zero = ZeroSign::positive;
  EXPECT_EQ(plain_form(positive(flushed)), plain_form(flushed));
  flushed.conventions.zero_sign.all_zero = ZeroSign::follow;
  EXPECT_NE(plain_form(positive(flushed)), plain_form(flushed));
}

TEST(SignsOfZeros, DontShowWhereASumBeginsFromZero) {
  const auto shown = [](const UnitModel& m) {
    const std::vector<bool> show = signs_of_zeros_show(m);
    return std::ranges::count(show, true);
  };
  EXPECT_EQ(shown(*catalogued_model("h100", "mma.m8n8k4.row.col.f32.f16.f16.f16")), 0);
  const UnitModel pairs = pairs_in_fp32();
  EXPECT_EQ(shown(pairs), static_cast<std::ptrdiff_t>(pairs.tree.nodes.size()));
}

TEST(PlainForm, HasOneNodeWhereASecondOneRoundsNothingOrAsIfItWereTheFirst) {
  struct Case {
    UnitModel unit;
    std::size_t nodes;
  };
  using enum Rounding;
  using test::twice_rounded;
  std::vector<Case> cases{{twice_rounded(nearest_even, 4, toward_zero, 4), 1},
                          {twice_rounded(nearest_even, 4, toward_zero, 6), 1},
                          {twice_rounded(nearest_even, 4, toward_zero, 3), 2},
                          {twice_rounded(odd, 6, nearest_even, 4), 1},
                          {twice_rounded(odd, 6, toward_zero, 4), 1},
                          {twice_rounded(odd, 5, nearest_even, 4), 2},
                          {twice_rounded(odd, 6, down, 4), 2}};
  Case flushed = cases[3];
  flushed.unit.conventions.output_subnormals = Subnormals::flushed;
  flushed.nodes = 2;
  cases.push_back(flushed);
  for (const auto& [unit, nodes] : cases) {
    const UnitModel plain = plain_form(unit);
    EXPECT_EQ(plain.tree.nodes.size(), nodes) << unit_to_json(unit).dump();
    EXPECT_EQ(test::differences(unit, plain), 0) << unit_to_json(unit).dump();
  }
}

/// The largest number has all bits of its format, however few a product has.
TEST(PlainForm, KeepsANodeThatRoundsWhatAnEarlierOneSaturates) {
  int other = 0;
  for (const auto overflow : {Overflow::infinity, Overflow::saturate, Overflow::by_direction})
    for (const auto first : {Rounding::nearest_even, Rounding::toward_zero})
      for (const auto second : {Rounding::nearest_even, Rounding::toward_zero, Rounding::up})
        for (const int bits : {7, 8, 10}) {
          UnitModel unit = test::twice_rounded(first, 10, second, bits);
          unit.conventions.overflow = overflow;
          EXPECT_EQ(test::differences(unit, plain_form(unit)), 0)
              << static_cast<int>(overflow) << static_cast<int>(first) << static_cast<int>(second) << bits;
          // Nor do bounds say that it rounds nothing.
          ParameterValues values = values_of(unit), up = values;
          up.adders[1].rounding = Rounding::up;
          UnitModel rounding_up = unit;
          rounding_up.adders[1].rounding = Rounding::up;
          if (makes_no_difference(Plan(unit.formats, 1, skeleton_of(unit)), values, up,
                                  {Parameter::block_rounding, 1})) {
            EXPECT_EQ(test::differences(unit, rounding_up), 0) << bits;
          }
          other += plain_form(unit).tree.nodes.size() == 1 ? 1 : 0;
        }
  EXPECT_GT(other, 0) << "where nothing is saturated";
}

/// (0 + {p0}) + {p1}, BF16's products flushed to zeros of either sign; or without the first addition, or with
/// nothing after it.
UnitModel added_to_zero(bool is_added, bool is_last) {
  using enum Format;
  ChainParameters values{exact_adder(fp32, Rounding::nearest_even), {}, {}};
  values.conventions.output_subnormals = Subnormals::flushed;
  values.conventions.zero_sign.all_zero = ZeroSign::positive;
  UnitModel unit = chain_model("sum", is_last ? 1 : 2, {bf16, bf16, {}, fp32},
                               Chain{{is_last ? std::vector{0} : std::vector{0, 1}}, std::nullopt}, values,
                               canonical_nan(fp32));
  unit.tree.nodes = {{{ProductLeaf{0}}, 0}};
  if (is_added) unit.tree.nodes.push_back({{ZeroLeaf{}, NodeLeaf{0}}, 0});
  const int first = static_cast<int>(unit.tree.nodes.size()) - 1;
  if (!is_last) {
    unit.tree.nodes.push_back({{ProductLeaf{1}}, 0});
    unit.tree.nodes.push_back({{NodeLeaf{first}, NodeLeaf{first + 1}}, 0});
  }
  validate(unit);
  return unit;
}

TEST(PlainForm, LeavesOutAnAdditionToZeroWhereEverySumOfZerosIsPositive) {
  const UnitModel with = added_to_zero(true, false), without = added_to_zero(false, false);
  EXPECT_TRUE(have_the_same_plain_form(with, without));
  expect_alike(with, without, 10'000, test::starting_seed(8'900));
  const DotInput negative_zeros{{0x8000, 0x8000}, {0, 0}, 0};
  EXPECT_EQ(evaluate(with, negative_zeros), evaluate(without, negative_zeros));
}

/// Four products, rounded each and added in pairs, in the order in which `products` has them.
UnitModel paired(const std::array<int, 4>& products, Normalisation when) {
  UnitModel unit{
      "pairs", 4, {Format::bf16, Format::bf16, {}, Format::fp32}, {}, {}, {}, canonical_nan(Format::fp32),
      {}};
  for (const int i : products) unit.tree.nodes.push_back({{ProductLeaf{i}}, 0});
  unit.tree.nodes.push_back({{NodeLeaf{2}, NodeLeaf{3}}, 1});
  unit.tree.nodes.push_back({{NodeLeaf{1}, NodeLeaf{0}}, 1});
  unit.tree.nodes.push_back({{NodeLeaf{4}, NodeLeaf{5}}, 1});
  unit.adders.assign(2, exact_adder(Format::fp32, Rounding::nearest_even));
  unit.adders[1].alignment_fraction_bits = 26;
  unit.adders[1].normalisation = when;
  validate(unit);
  return unit;
}

TEST(PlainForm, IsTheSameInWhicheverOrderNodesAndOperandsStandThatAreAddedAtOnce) {
  using enum Normalisation;
  const UnitModel one = paired({0, 1, 2, 3}, late);
  for (const auto& order : {std::array{1, 0, 2, 3}, {0, 1, 3, 2}, {3, 2, 1, 0}, {2, 3, 0, 1}}) {
    EXPECT_TRUE(have_the_same_plain_form(one, paired(order, late)));
    expect_alike(one, paired(order, late), 2'000, test::starting_seed(8'950));
  }
  EXPECT_FALSE(have_the_same_plain_form(one, paired({0, 2, 1, 3}, late)));
  EXPECT_FALSE(have_the_same_plain_form(paired({0, 1, 2, 3}, immediate), paired({1, 0, 2, 3}, immediate)));
}

TEST(PlainForm, KeepsAnAdditionToZeroThatMakesTheResult) {
  const UnitModel with = added_to_zero(true, true), without = added_to_zero(false, true);
  const DotInput flushed{{0x8080}, {0x0080}, 0};
  EXPECT_NE(evaluate(with, flushed), evaluate(without, flushed)) << "-0 is flushed, and +0 the sum";
  EXPECT_FALSE(have_the_same_plain_form(with, without));
}

TEST(PlainForm, KeepsTheSignOfACancelledSumThatTwoNodesPassOn) {
  const Signature formats{Format::e4m3, Format::e4m3, std::nullopt, Format::fp16};
  UnitModel unit{"down", 2, formats, {}, {}, {}, canonical_nan(formats.d), {}};
  unit.tree.nodes = {Node{{ProductLeaf{0}, ProductLeaf{1}}, 0}, Node{{NodeLeaf{0}}, 1},
                     Node{{NodeLeaf{1}}, 1}};
  unit.adders = {exact_adder(Format::fp16, Rounding::down), exact_adder(Format::fp16, Rounding::up)};
  validate(unit);
  const UnitModel plain = plain_form(unit);
  EXPECT_EQ(plain.tree.nodes.size(), 1U);
  const DotInput cancels{{0x38, 0xb8}, {0x38, 0x38}, 0};  // 1 - 1
  EXPECT_EQ(evaluate(unit, cancels), 0x8000U);
  EXPECT_EQ(evaluate(plain, cancels), 0x8000U);
}

}  // namespace
}  // namespace mmaprint::plain_form_test
