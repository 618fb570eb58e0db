// Every layer of the datapath alone, and all together, against the plain specification at toy formats: all
// values of the parameters that a layer has to do with, and all inputs.
#include <gtest/gtest.h>

#include "layers/toys.h"

namespace mmaprint::layers_test {
namespace {

using test::Random;
using test::Toy;
using enum Parameter;

using AccumulatorAlone = RelativeAccumulator<PlainLowering>;
using LeadingBitsAlone = LeadingBits<AccumulatorAlone>;  // it needs the accumulator
// Products may have either exponent only where no sum is wrapped that can't leave its range.
using ExactRoundingAlone = ExactRounding<RaisedExponent<PlainLowering>>;

struct Tested {
  const char* name;
  std::vector<Parameter> concerned;
  Pattern (*layered)(const Toy&, const DotInput&);
};

const std::vector<Parameter> kAlignment{minimum_alignment_exponent, alignment_fraction_bits,
                                        extra_carry_bits,           product,
                                        alignment_rounding,         normalisation};
const std::vector<Parameter> kResult{input_subnormals, c_subnormals,        output_subnormals, overflow,
                                     block_rounding,   zero_all_zero,       zero_cancelled,    zero_rounded,
                                     zero_flushed,     output_fraction_bits};

const Tested kLayers[] = {
    {"EarlyExits", kResult, test::result<EarlyExits<PlainLowering>>},
    {"RaisedExponent", kAlignment, test::result<RaisedExponent<PlainLowering>>},
    {"ExactRounding", kAlignment, test::result<ExactRoundingAlone>},
    {"RelativeAccumulator", kAlignment, test::result<AccumulatorAlone, WideWord<640>>},
    {"LeadingBits", kResult, test::result<LeadingBitsAlone>},
    {"FittingWords", kAlignment, test::result<FittingWords<LeadingBitsAlone>, std::uint32_t>},
    {"FractionBitsByNeed", kAlignment, test::result<FractionBitsByNeed<PlainLowering>>},
    {"All", kAlignment, test::result<Lowered, std::uint64_t>},
    {"AllInNarrowWords", kAlignment, test::result<Lowered, std::uint32_t>},
};

class Layers : public testing::TestWithParam<Tested> {};

/// Reports the first difference and returns false then.
bool agree(const Tested& layer, Toy& toy, const ParameterValues& values, const DotInput& input) {
  const Pattern expected = test::result<PlainLowering>(toy, input);
  const Pattern found = layer.layered(toy, input);
  EXPECT_EQ(found, expected) << layer.name << "\n" << test::describe(toy, values, input);
  return found == expected;
}

/// Every third has no c.
Tree any_tree(Random& random, int k) {
  UnitModel unit;
  unit.tree = random.chance(1, 2) ? tree_of(test::random_chain(random, k, CEnters::first))
                                  : test::random_tree(random, k, 2);
  return random.chance(1, 3) ? test::without_c(unit).tree : unit.tree;
}

TEST_P(Layers, AgreeWithTheSpecificationForEveryParameterOnRandomInputs) {
  const Tested& layer = GetParam();
  Random random(test::starting_seed(71));
  std::vector<test::Choice> choices;
  const auto& formats = test::toy_formats();
  for (const Parameter p : layer.concerned) choices.push_back(test::every_value(p, formats[0].d));
  ParameterValues others;
  bool same = true;
  test::for_each_combination(others, choices, [&](ParameterValues values) {
    if (!same) return;
    const auto& f = random.pick(std::span(formats));
    const ParameterValues rest = test::random_toy_values(random, f.d);
    for (const ParameterInfo& row : all_parameters())
      if (std::ranges::find(layer.concerned, row.id) == layer.concerned.end() ||
          row.id == output_fraction_bits)
        set_value(values, {row.id}, value_index(rest, {row.id}));
    test::align_alike_if_immediate(values.adders.front());
    const int k = random.between(1, 3);
    Toy toy(f, k, any_tree(random, k), values);
    for (int i = 0; i < 12 && same; ++i) same = agree(layer, toy, values, test::random_patterns(random, toy));
  });
}

TEST_P(Layers, AgreeWithTheSpecificationOnEveryInputOfOneProduct) {
  const Tested& layer = GetParam();
  Random random(test::starting_seed(72));
  for (long i = 0; i < test::count(30); ++i) {
    for (const auto& f : test::toy_formats()) {
      ParameterValues values = test::random_toy_values(random, f.d);
      if (i % 2 == 0) values.adders.front().alignment_rounding = AlignmentRounding::sticky;
      if (i % 3 == 0) values.adders.front().extra_carry_bits.reset();
      if (i % 4 == 0) values.adders.front().minimum_alignment_exponent.reset();
      if (i % 5 != 0) values.adders.front().alignment_fraction_bits = random.between(0, 12);
      for (const std::optional<CEnters> c : {std::optional(CEnters::first), std::optional<CEnters>()}) {
        Toy toy(f, 1, tree_of(Chain{{{0}}, c}), values);
        bool same = true;
        test::for_each_input(toy, [&](const DotInput& input) {
          if (same) same = agree(layer, toy, values, input);
        });
        if (!same) return;
      }
    }
  }
}

TEST_P(Layers, AgreeWithTheSpecificationWhereSumsAreCarriedOnRandomInputs) {
  const Tested& layer = GetParam();
  Random random(test::starting_seed(76));
  bool same = true;
  for (long i = 0; same && i < test::count(3000); ++i) {
    const auto& f = random.pick(std::span(test::toy_formats()));
    const ParameterValues values = test::carrying_values(random, test::random_toy_values(random, f.d));
    const int k = random.between(1, 4);
    Toy toy(f, k, test::carrying_tree(random, any_tree(random, k)), values);
    for (int j = 0; j < 12 && same; ++j) same = agree(layer, toy, values, test::random_patterns(random, toy));
  }
}

INSTANTIATE_TEST_SUITE_P(Each, Layers, testing::ValuesIn(kLayers),
                         [](const auto& tested) { return tested.param.name; });

TEST(BitsToRoundAsExact, AreEnoughForTwoProducts) {
  Random random(test::starting_seed(77));
  for (const auto& f : test::toy_formats())
    for (const ProductKind kind : {ProductKind::exact_unnormalised, ProductKind::exact_normalised})
      for (const Rounding rounding :
           {Rounding::toward_zero, Rounding::nearest_even, Rounding::nearest_away}) {
        ParameterValues values{{Adder{}}, {}};
        values.adders.front().output_fraction_bits = f.d.fraction_bits;
        values.adders.front().product = kind;
        values.adders.front().rounding = rounding;
        values.adders.front().alignment_rounding = AlignmentRounding::sticky;
        Toy exact(f, 2, tree_of(Chain{{{0, 1}}, {}}), values);
        Toy aligned = exact;
        const NodeShape node(exact.plan, exact.plan.nodes.front());
        values.adders.front().alignment_fraction_bits =
            bits_to_round_as_exact(exact.plan, kind == ProductKind::exact_normalised, node);
        aligned.set(values);
        bool same = true;
        for (long i = 0; same && i < test::count(20'000); ++i) {
          const DotInput input = test::random_patterns(random, exact);
          same = test::result<PlainLowering>(exact, input) == test::result<PlainLowering>(aligned, input);
          EXPECT_TRUE(same) << test::describe(aligned, values, input);
        }
      }
}

// ---- Integers.

FormatInfo toy_integer(int bits, bool has_sign) {
  return {Format::int4, "toy", bits, 0, has_sign ? bits - 1 : bits, 0, 0, has_sign, Specials::integer};
}

TEST(IntegerLayers, AgreeWithTheSpecificationOnEveryInputOfTwoProducts) {
  Random random(test::starting_seed(73));
  for (const bool sign : {false, true}) {
    const test::ToyFormats f{toy_integer(2, sign), toy_integer(2, true), toy_integer(4, true),
                             toy_integer(4, true)};
    for (const Overflow overflow : {Overflow::wrap, Overflow::saturate}) {
      ParameterValues values;
      values.conventions.overflow = overflow;
      for (const auto& blocks :
           std::vector<std::vector<std::vector<int>>>{{{0, 1}}, {{0}, {1}}, {{1}, {0}}, {{1}}, {{0}}}) {
        Toy toy(f, 2, tree_of(Chain{blocks, CEnters::first}), values);
        for (Pattern bits = 0; bits < 1U << 12; ++bits) {
          const DotInput input{{bits & 3, bits >> 2 & 3}, {bits >> 4 & 3, bits >> 6 & 3}, bits >> 8 & 15};
          ASSERT_EQ((test::result<IntegerSums<PlainLowering>>(toy, input)),
                    (test::result<PlainLowering>(toy, input)))
              << test::describe(toy, values, input);
        }
      }
    }
  }
}

TEST(IntegerLayers, AgreeWithTheSpecificationOnRandomInputs) {
  Random random(test::starting_seed(74));
  for (long i = 0; i < test::count(4000); ++i) {
    const test::ToyFormats f{toy_integer(random.between(2, 3), random.chance(1, 2)),
                             toy_integer(random.between(2, 3), random.chance(1, 2)), toy_integer(5, true),
                             toy_integer(5, true)};
    const int k = random.between(1, 8);
    ParameterValues values;
    values.conventions.overflow = random.pick({Overflow::wrap, Overflow::saturate});
    Toy toy(f, k, any_tree(random, k), values);
    for (int j = 0; j < 20; ++j) {
      const DotInput input = test::random_patterns(random, toy);
      ASSERT_EQ((test::result<IntegerSums<PlainLowering>>(toy, input)),
                (test::result<PlainLowering>(toy, input)))
          << test::describe(toy, values, input);
    }
  }
}

}  // namespace
}  // namespace mmaprint::layers_test
