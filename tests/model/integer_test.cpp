// Integer and binary units: exact sums that wrap or saturate, in any structure.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <span>

#include "model/hypotheses.h"
#include "model/integer_evaluator.h"
#include "model/model_json.h"
#include "model/unit_model.h"
#include "oracle/oracle.h"
#include "support/flat.h"
#include "support/generate.h"

namespace mmaprint::integer_test {
namespace {

constexpr Signature kBytes{Format::int8, Format::int8, Format::int32, Format::int32};

UnitModel unit(int k, const Signature& formats, const Chain& chain, Overflow overflow,
               ProductKind product = ProductKind::exact_unnormalised) {
  ChainParameters values;
  values.block.product = product;
  values.block.output_fraction_bits = info(formats.d).fraction_bits;
  values.conventions.overflow = overflow;
  UnitModel model = chain_model("integers", k, formats, chain, values, std::nullopt);
  validate(model);
  return model;
}

Pattern some_bits(test::Random& random, int bits) { return random.bits() >> (64 - bits); }

/// Any operands; c near either end of its range as often as not.
DotInput any_input(test::Random& random, const UnitModel& model) {
  DotInput in;
  for (int k = 0; k < model.k; ++k) {
    in.a.push_back(some_bits(random, info(model.formats.a).container_bits));
    in.b.push_back(some_bits(random, info(model.formats.b).container_bits));
  }
  const Pattern near = some_bits(random, random.between(1, 20));
  in.c = random.pick({some_bits(random, 32), near, Pattern{0x7fffffff} - near, Pattern{0x80000000} + near});
  return in;
}

TEST(IntegerUnits, AgreeWithTheOracleOnRandomInputs) {
  test::Random random(test::starting_seed(61));
  constexpr std::array kFactors{Format::int8,  Format::uint8,  Format::int4, Format::uint4,
                                Format::int16, Format::uint16, Format::b1};
  for (long i = 0; i < test::count(4000); ++i) {
    const int k = random.between(1, 32);
    const Format a = random.pick(std::span<const Format>(kFactors));
    const Format b = a == Format::b1 ? a : random.pick(std::span<const Format>(kFactors).first(6));
    const auto product =
        a == Format::b1 && random.chance(1, 2) ? ProductKind::exclusive_or : ProductKind::exact_unnormalised;
    const UnitModel model = unit(k, {a, b, Format::int32, Format::int32},
                                 test::random_chain(random, k, random.pick({CEnters::first, CEnters::last})),
                                 random.pick({Overflow::wrap, Overflow::saturate}), product);
    const auto flat = flat_unit(model);
    const bool narrow =
        std::max(info(a).container_bits, info(b).container_bits) <= IntegerEvaluator::kMostBits;
    for (int n = 0; n < 50; ++n) {
      const DotInput in = any_input(random, model);
      const Pattern d = oracle::evaluate(model, in);
      ASSERT_EQ(evaluate(model, in), d) << to_json(model).dump();
      if (narrow && flat) {
        ASSERT_EQ(test::run_flat<IntegerEvaluator>(*flat, in), d) << to_json(model).dump();
      }
    }
  }
}

TEST(IntegerSpace, HoldsUnitsWithARootThatAddsCLast) {
  const Space space = default_space("integers", 4, kBytes);
  int roots = 0;
  for (const HypothesisSet& set : space.whole()) {
    const Chain chain = chain_of(space.skeleton(set).tree).value();
    EXPECT_TRUE(set.box.contains(values_of(unit(4, kBytes, chain, Overflow::wrap))));
    roots += chain.c_enters == CEnters::last ? 1 : 0;
  }
  EXPECT_GT(roots, 0);
}

TEST(IntegerUnits, ClipBetweenBlocksWhereCComesFirst) {
  const DotInput in{{1, 0xff}, {1, 1}, 0x7fffffff};
  const Chain one{{{0, 1}}, CEnters::first};
  const Chain two{{{0}, {1}}, CEnters::first};
  EXPECT_EQ(evaluate(unit(2, kBytes, one, Overflow::saturate), in), 0x7fffffffU);
  EXPECT_EQ(evaluate(unit(2, kBytes, two, Overflow::saturate), in), 0x7ffffffeU);
  EXPECT_EQ(evaluate(unit(2, kBytes, two, Overflow::wrap), in), 0x7fffffffU);
}

TEST(IntegerUnits, AreWrittenAndReadBack) {
  const UnitModel model = unit(4, kBytes, {{{0, 1}, {2, 3}}, CEnters::last}, Overflow::saturate);
  const auto json = to_json(model);
  EXPECT_TRUE(json.at("features").at("alignment_fraction_bits").is_null());
  EXPECT_TRUE(json.at("features").at("block_rounding").is_null());
  EXPECT_EQ(json.at("features").at("overflow"), "saturate");
  EXPECT_EQ(std::get<UnitModel>(model_from_text(json.dump(), "model.json")), model);
}

TEST(IntegerUnits, RejectWhatOnlyFloatingUnitsDo) {
  UnitModel model = unit(2, kBytes, {{{0, 1}}, CEnters::first}, Overflow::wrap);
  for (const Overflow overflow : {Overflow::infinity, Overflow::by_direction}) {
    model.conventions.overflow = overflow;
    EXPECT_THROW(validate(model), std::invalid_argument);
  }
  model.conventions.overflow = Overflow::wrap;
  model.adders.front().product = ProductKind::exclusive_or;  // of bytes
  EXPECT_THROW(validate(model), std::invalid_argument);
  model.adders.front().product = ProductKind::exact_unnormalised;
  model.formats.d = Format::fp32;
  EXPECT_THROW(validate(model), std::invalid_argument);
}

}  // namespace
}  // namespace mmaprint::integer_test
