// The datapath on concrete words against the oracle: random points of the whole space, and everything there
// is at toy sizes.
#include <gtest/gtest.h>

#include <memory>

#include "model/evaluator.h"
#include "oracle/oracle.h"
#include "support/agreement.h"
#include "support/describe.h"
#include "support/generate.h"
#include "support/random.h"

namespace mmaprint::datapath_test {
namespace {

using test::count;
using test::Random;

test::Evaluation concrete(const UnitModel& model) {
  validate(model);
  return
      [evaluator = std::make_shared<Evaluator>(model)](const DotInput& input) { return (*evaluator)(input); };
}

void expect_agreement(std::uint64_t seed, const std::function<UnitModel(Random&)>& random_model) {
  constexpr long kModels = 8'000, kInputs = 50;  // 400'000 in a normal run, eight millions in a full one
  test::expect_agreement_with_oracle(concrete, test::starting_seed(seed), count(kModels), kInputs,
                                     random_model);
}

UnitModel random_chain_model(Random& random, const Chain& chain, int k,
                             const std::function<void(ChainParameters&)>& fix) {
  const Signature formats = test::random_formats(random);
  ChainParameters values = test::random_values(random, formats.d);
  fix(values);
  if (chain.c_enters == CEnters::first) values.final_rounding = values.block.rounding;
  return chain_model("random", k, formats, chain, values, test::random_nan(random, formats.d));
}

UnitModel with_random_parts(Random& random, int k, Tree tree, int adders) {
  UnitModel model;
  model.instruction = "random";
  model.k = k;
  model.formats = test::random_formats(random);
  model.tree = std::move(tree);
  for (int i = 0; i < adders; ++i) model.adders.push_back(test::random_adder(random, model.formats.d));
  model.conventions = test::random_conventions(random);
  model.nan = test::random_nan(random, model.formats.d);
  return model;
}

TEST(FusedDotAdd, AgreesWithTheOracleOnRandomInputs) {
  expect_agreement(1'000'000, [](Random& random) {
    const int k = random.between(1, 16);
    return random_chain_model(random, test::random_chain(random, k, CEnters::first), k,
                              [](ChainParameters&) {});
  });
}

TEST(FusedDotAdd, WithCAddedLastAgreesWithTheOracleOnRandomInputs) {
  expect_agreement(2'000'000, [](Random& random) {
    const int k = random.between(1, 16);
    return random_chain_model(random, test::random_chain(random, k, CEnters::last), k,
                              [](ChainParameters&) {});
  });
}

TEST(ChainOfFmas, AgreesWithTheOracleOnRandomInputs) {
  expect_agreement(3'000'000, [](Random& random) {
    const int k = random.between(1, 8);
    Chain chain;
    for (int i = 0; i < k; ++i) chain.blocks.push_back({i});
    return random_chain_model(random, chain, k,
                              [](ChainParameters& v) { v.block.alignment_fraction_bits.reset(); });
  });
}

TEST(ExactSum, AgreesWithTheOracleOnRandomInputs) {
  expect_agreement(4'000'000, [](Random& random) {
    const int k = random.between(1, 16);
    Chain chain{{{}}, random.pick({CEnters::first, CEnters::last})};
    for (int i = 0; i < k; ++i) chain.blocks.front().push_back(i);
    return random_chain_model(random, chain, k,
                              [](ChainParameters& v) { v.block.alignment_fraction_bits.reset(); });
  });
}

TEST(PairwiseTree, AgreesWithTheOracleOnRandomInputs) {
  expect_agreement(5'000'000, [](Random& random) {
    const int k = random.between(1, 16);
    UnitModel model = with_random_parts(random, k, pairwise_tree(k), 1);
    if (random.chance(1, 2))
      model.adders.front() = exact_adder(model.formats.d, model.adders.front().rounding);
    return model;
  });
}

TEST(AnyTree, AgreesWithTheOracleOnRandomInputs) {
  expect_agreement(6'000'000, [](Random& random) {
    const int k = random.between(1, 12), adders = random.between(1, 3);
    return with_random_parts(random, k, test::random_tree(random, k, adders), adders);
  });
}

TEST(Evaluate, DoesWhatAnEvaluatorOfTheModelDoes) {
  Random random(test::starting_seed(7));
  for (int i = 0; i < 500; ++i) {
    const int k = random.between(1, 8);
    const UnitModel model =
        random_chain_model(random, test::random_chain(random, k, CEnters::first), k, [](ChainParameters&) {});
    const DotInput input = test::random_input(random, model);
    const Evaluator evaluator(model);
    ASSERT_EQ(evaluate(model, input), evaluator(input))
        << test::describe(model) << test::describe(model, input);
    ASSERT_EQ(evaluator.model(), model);
  }
}

TEST(ImmediateNormalisation, WithFloorMayDoubleAPartialSumAtEveryAddition) {
  // F = 0: -3.996 becomes -4, and each of the tiny negative products takes one quantum of 2^0 away:
  // -5 is floored to -8, -9 to -16, and so on. An accumulator sized for the sum of its addends overflows.
  constexpr std::size_t kProducts = 12;
  ChainParameters values;
  values.block.alignment_fraction_bits = 0;
  values.block.alignment_rounding = AlignmentRounding::floor;
  values.block.normalisation = Normalisation::immediate;
  values.block.output_fraction_bits = 23;
  Chain chain{{{}}, CEnters::first};
  DotInput input{std::vector<Pattern>(kProducts, 0x8001), std::vector<Pattern>(kProducts, 0x3c00), 0};
  input.a[0] = 0xbfff;
  input.b[0] = 0x3fff;
  for (int i = 0; i < static_cast<int>(kProducts); ++i) chain.blocks.front().push_back(i);
  const UnitModel model =
      chain_model("floor", static_cast<int>(kProducts),
                  {Format::fp16, Format::fp16, Format::fp32, Format::fp32}, chain, values, 0x7fc00000);
  const Pattern expected = oracle::pattern_of(Format::fp32, -0x1p13);
  EXPECT_EQ(test::hex(Format::fp32, oracle::evaluate(model, input)), test::hex(Format::fp32, expected));
  EXPECT_EQ(test::hex(Format::fp32, evaluate(model, input)), test::hex(Format::fp32, expected));
}

// --- every input there is
// -----------------------------------------------------------------------------------------

/// Every a and b of a model with 4- to 8-bit factors, for each c. Stops at the first disagreement.
void expect_agreement_everywhere(const UnitModel& model, const std::vector<Pattern>& cs) {
  const auto evaluation = concrete(model);
  const Pattern a_patterns = info(model.formats.a).pattern_mask() + 1,
                b_patterns = info(model.formats.b).pattern_mask() + 1;
  const auto k = static_cast<std::size_t>(model.k);
  DotInput input{std::vector<Pattern>(k), std::vector<Pattern>(k), 0};
  const auto next = [&] {  // counts through all operands; false when it comes round
    for (Pattern& a : input.a) {
      if (++a < a_patterns) return true;
      a = 0;
    }
    for (Pattern& b : input.b) {
      if (++b < b_patterns) return true;
      b = 0;
    }
    return false;
  };
  for (const Pattern c : cs) {
    input.c = c;
    do {
      if (!test::agrees_with_oracle(concrete, evaluation, model, input)) return;
    } while (next());
  }
}

UnitModel toy_model(Random& random, Signature formats, int k) {
  ChainParameters values = test::random_values(random, formats.d);
  values.block.alignment_fraction_bits = random.between(0, 6);
  if (random.chance(1, 8)) values.block.alignment_fraction_bits.reset();
  if (random.chance(1, 2)) values.block.minimum_alignment_exponent = random.between(-6, 0);
  values.block.output_fraction_bits = random.between(1, std::min(4, info(formats.d).fraction_bits));
  values.block.extra_carry_bits = random.chance(1, 2) ? std::optional(random.between(0, 2)) : std::nullopt;
  const Chain chain =
      test::random_chain(random, k, random.pick({CEnters::first, CEnters::first, CEnters::last}));
  return chain_model("toy", k, formats, chain, values, canonical_nan(formats.d));
}

TEST(ToyFormats, TwoProductsOfE2M1AgreeWithTheOracleOnEveryInput) {
  Random random(test::starting_seed(11));
  const Pattern one = oracle::pattern_of(Format::fp16, 1.0),
                awkward = oracle::pattern_of(Format::fp16, -3.375);
  for (long i = 0; i < count(20); ++i) {
    SCOPED_TRACE("model " + std::to_string(i));
    const UnitModel model = toy_model(random, {Format::e2m1, Format::e2m1, Format::fp16, Format::fp16}, 2);
    expect_agreement_everywhere(
        model, {one, awkward, random.pick({Pattern{0x8000}, Pattern{0x0001}, Pattern{0x7bff}})});
    if (HasFailure()) return;
  }
}

TEST(ToyFormats, OneProductOfE3M2AndE2M3AgreesWithTheOracleOnEveryInput) {
  Random random(test::starting_seed(12));
  std::vector<Pattern> cs;
  for (Pattern c = 0; c < 256; c += 5)
    cs.push_back(c);  // 5 and 256 are coprime: all exponents, many fractions
  for (long i = 0; i < count(20); ++i) {
    SCOPED_TRACE("model " + std::to_string(i));
    expect_agreement_everywhere(
        toy_model(random, {Format::e3m2, Format::e2m3, Format::e5m2, Format::e5m2}, 1), cs);
    if (HasFailure()) return;
  }
}

TEST(ToyFormats, OneProductWithEveryE5M2AccumulatorAgreesWithTheOracleOnEveryInput) {
  Random random(test::starting_seed(13));
  std::vector<Pattern> cs;
  for (Pattern c = 0; c < 256; ++c) cs.push_back(c);
  for (long i = 0; i < count(20); ++i) {
    SCOPED_TRACE("model " + std::to_string(i));
    expect_agreement_everywhere(
        toy_model(random, {Format::e2m1, Format::e3m2, Format::e5m2, Format::e5m2}, 1), cs);
    if (HasFailure()) return;
  }
}

/// Of what is swept: every one, or every seventh where counts are reduced.
Pattern stride() { return test::count(10) < 10 ? 7 : 1; }

TEST(ToyFormats, AlignedWithAStickyBitAroundWhatRoundsAsExactAgreeWithTheOracleOnEveryInput) {
  const Signature formats{Format::e2m1, Format::e3m2, Format::e5m2, Format::e5m2};
  std::vector<Pattern> cs;
  for (Pattern c = 0; c < 256; c += 5 * stride())
    cs.push_back(c);  // 5 and 256 are coprime: all exponents, many fractions
  for (const auto product : {ProductKind::exact_unnormalised, ProductKind::exact_normalised})
    for (const auto normalisation : {Normalisation::late, Normalisation::immediate})
      for (const Rounding rounding : {Rounding::nearest_even, Rounding::down})
        for (int f = 4; f <= 9; ++f) {
          SCOPED_TRACE("F = " + std::to_string(f));
          ChainParameters values;
          values.block.product = product;
          values.block.normalisation = normalisation;
          values.block.rounding = rounding;
          values.block.alignment_fraction_bits = f;
          values.block.alignment_rounding = AlignmentRounding::sticky;
          values.block.extra_carry_bits = product == ProductKind::exact_normalised ? 1 : 2;
          values.block.output_fraction_bits = 2;
          expect_agreement_everywhere(
              chain_model("toy", 1, formats, {{{0}}, CEnters::first}, values, canonical_nan(formats.d)), cs);
          if (HasFailure()) return;
        }
}

TEST(ToyFormats, AlignedWithAStickyBitToAnAccumulatorOfFewerExponentsAgreeWithTheOracleOnEveryInput) {
  // c's subnormals are as large as D's normal numbers.
  const Signature formats{Format::e3m2, Format::e3m2, Format::e2m3, Format::e5m2};
  std::vector<Pattern> cs;
  for (Pattern c = 0; c < 64; c += 3 * stride()) cs.push_back(c);
  for (const auto product : {ProductKind::exact_unnormalised, ProductKind::exact_normalised})
    for (int f = 5; f <= 10; ++f) {
      SCOPED_TRACE("F = " + std::to_string(f));
      ChainParameters values;
      values.block.product = product;
      values.block.rounding = Rounding::nearest_even;
      values.block.alignment_fraction_bits = f;
      values.block.alignment_rounding = AlignmentRounding::sticky;
      values.block.output_fraction_bits = 2;
      expect_agreement_everywhere(
          chain_model("toy", 1, formats, {{{0}}, CEnters::first}, values, canonical_nan(formats.d)), cs);
      if (HasFailure()) return;
    }
}

TEST(ToyFormats, ChainsAlignedWithAStickyBitAgreeWithTheOracleForEveryFirstProduct) {
  const Signature formats{Format::e2m1, Format::e3m2, Format::e5m2, Format::e5m2};
  for (const auto product : {ProductKind::exact_unnormalised, ProductKind::exact_normalised})
    for (int f = 4; f <= 9; ++f)
      for (const int clamp : {f - 6, f - 5, f - 4}) {
        SCOPED_TRACE("F = " + std::to_string(f) + ", clamp " + std::to_string(clamp));
        ChainParameters values;
        values.block.product = product;
        values.block.rounding = Rounding::nearest_even;
        values.final_rounding = Rounding::nearest_even;
        values.block.alignment_fraction_bits = f;
        if (clamp <= 0) values.block.minimum_alignment_exponent = clamp;
        values.block.alignment_rounding = AlignmentRounding::sticky;
        values.block.output_fraction_bits = 2;
        const UnitModel model =
            chain_model("toy", 2, formats, {{{0}, {1}}, CEnters::last}, values, canonical_nan(formats.d));
        const auto evaluation = concrete(model);
        DotInput input{{0, 0}, {0, 0}, 0};
        for (input.a[0] = 0; input.a[0] < 16; ++input.a[0])
          for (input.b[0] = 0; input.b[0] < 64; input.b[0] += stride())
            for (input.a[1] = 0; input.a[1] < 16; input.a[1] += 7)
              for (input.b[1] = 0; input.b[1] < 32; input.b[1] += stride())
                if (!test::agrees_with_oracle(concrete, evaluation, model, input)) return;
      }
}

TEST(ToyFormats, OverflowByTheDirectionOfRoundingAsTheOracleDoesOnEveryInput) {
  std::vector<Pattern> cs{0x7b, 0xfb};  // the largest numbers
  for (Pattern c = 0; c < 256; c += 15 * stride()) cs.push_back(c);
  const Signature formats{Format::e2m1, Format::e5m2, Format::e5m2, Format::e5m2};
  for (int rounding = 0; rounding < info(Parameter::block_rounding).size; ++rounding)
    for (const int fraction_bits : {1, 2}) {
      SCOPED_TRACE("rounding " + std::to_string(rounding));
      ChainParameters values;
      values.block = exact_adder(formats.d, static_cast<Rounding>(rounding));
      values.block.output_fraction_bits = fraction_bits;
      values.conventions.overflow = Overflow::by_direction;
      const Chain chain{{{0}}, CEnters::first};
      expect_agreement_everywhere(
          chain_model("directed", 1, formats, chain, values, canonical_nan(formats.d)), cs);
    }
}

TEST(OverflowByDirection, GoesToTheInfinityThatRoundingGoesToAndElseToTheLargestNumber) {
  const Pattern largest = 0x7bff, infinity = 0x7c00, negative = 0x8000;
  struct Case {
    Rounding rounding;
    Pattern above, below;
  };
  for (const Case& x :
       {Case{Rounding::toward_zero, largest, largest | negative},
        Case{Rounding::nearest_even, infinity, infinity | negative},
        Case{Rounding::nearest_away, infinity, infinity | negative},
        Case{Rounding::up, infinity, largest | negative}, Case{Rounding::down, largest, infinity | negative},
        Case{Rounding::odd, largest, largest | negative}}) {
    ChainParameters values;
    values.block = exact_adder(Format::fp16, x.rounding);
    values.conventions.overflow = Overflow::by_direction;
    const UnitModel model =
        chain_model("directed", 1, {Format::fp16, Format::fp16, Format::fp16, Format::fp16},
                    {{{0}}, CEnters::first}, values, canonical_nan(Format::fp16));
    EXPECT_EQ(evaluate(model, {{0x7bff}, {0x7bff}, 0}), x.above) << static_cast<int>(x.rounding);
    EXPECT_EQ(evaluate(model, {{0xfbff}, {0x7bff}, 0}), x.below) << static_cast<int>(x.rounding);
  }
}

TEST(ToyFormats, FlushByEveryTestAsTheOracleDoesOnEveryInput) {
  std::vector<Pattern> cs{0x04, 0x84, 0x03, 0x83};  // around the smallest normal number
  const Pattern apart = test::counts_are_reduced() ? 75 : 15;
  for (Pattern c = 0; c < 256; c += apart) cs.push_back(c);
  const Signature formats{Format::e3m2, Format::e5m2, Format::e5m2, Format::e5m2};
  for (int of_flush = 0; of_flush < info(Parameter::flush_test).size; ++of_flush)
    for (int rounding = 0; rounding < info(Parameter::block_rounding).size; ++rounding)
      for (const int fraction_bits : {1, 2}) {
        if (test::counts_are_reduced() && (rounding + of_flush + 3 * fraction_bits) % 6 != 0) continue;
        SCOPED_TRACE("test " + std::to_string(of_flush) + ", rounding " + std::to_string(rounding));
        ChainParameters values;
        values.block = exact_adder(formats.d, static_cast<Rounding>(rounding));
        values.block.output_fraction_bits = fraction_bits;
        values.conventions.output_subnormals = Subnormals::flushed;
        values.conventions.flush_test = static_cast<FlushTest>(of_flush);
        values.conventions.zero_sign.flushed = ZeroSign::positive;
        const Chain chain{{{0}}, CEnters::first};
        expect_agreement_everywhere(
            chain_model("flushed", 1, formats, chain, values, canonical_nan(formats.d)), cs);
      }
}

/// IEEE 754's "after rounding" looks at the sum as it would be rounded if exponents went on below emin.
TEST(FlushTest, TellsSumsApartThatRoundToTheSmallestNormalNumber) {
  const Pattern smallest = 0x00800000;
  // The smallest normal number times 1 + a.
  const auto d = [&](FlushTest test, Rounding rounding, Pattern a) {
    ChainParameters values;
    values.block = exact_adder(Format::fp32, rounding);
    values.conventions.output_subnormals = Subnormals::flushed;
    values.conventions.flush_test = test;
    const UnitModel model =
        chain_model("flushed", 1, {Format::fp32, Format::fp32, Format::fp32, Format::fp32},
                    {{{0}}, CEnters::first}, values, canonical_nan(Format::fp32));
    return evaluate(model, {{a}, {smallest}, smallest});
  };
  using enum Rounding;
  const Pattern minus_2_24 = 0xb3800000, minus_2_25 = 0xb3000000;
  // 1 - 2^-24 is a number of 24 bits, 1 - 2^-25 lies in the middle between that and 1.
  EXPECT_EQ(d(FlushTest::after, nearest_even, minus_2_24), smallest);
  EXPECT_EQ(d(FlushTest::after_unbounded, nearest_even, minus_2_24), 0U);
  EXPECT_EQ(d(FlushTest::after_unbounded, nearest_even, minus_2_25), smallest);
  EXPECT_EQ(d(FlushTest::before, nearest_even, minus_2_25), 0U);
  EXPECT_EQ(d(FlushTest::after_unbounded, up, minus_2_25), smallest);
  EXPECT_EQ(d(FlushTest::after, toward_zero, minus_2_25), 0U);
  EXPECT_EQ(d(FlushTest::after_unbounded, toward_zero, minus_2_25), 0U);
}

TEST(ToyFormats, TwoProductsOfE3M2AndE2M3AgreeWithTheOracleForEveryFirstFactorOnRandomInputs) {
  // All 2^24 inputs are many; each model takes one value of a_0 with every a_1, b_0 and b_1.
  Random random(test::starting_seed(14));
  for (long i = 0; i < count(8); ++i) {
    SCOPED_TRACE("model " + std::to_string(i));
    const UnitModel model = toy_model(random, {Format::e3m2, Format::e2m3, Format::e5m2, Format::fp16}, 2);
    const auto evaluation = concrete(model);
    DotInput input{{static_cast<Pattern>(random.between(0, 63)), 0},
                   {0, 0},
                   static_cast<Pattern>(random.between(0, 255))};
    for (input.a[1] = 0; input.a[1] < 64; ++input.a[1])
      for (input.b[0] = 0; input.b[0] < 64; ++input.b[0])
        for (input.b[1] = 0; input.b[1] < 64; ++input.b[1])
          if (!test::agrees_with_oracle(concrete, evaluation, model, input)) return;
  }
}

TEST(Datapath, HoldsSumsThatDoubleWithEachOfAThousandProducts) {
  constexpr int kProducts = 1024;
  Chain chain{{{}}, CEnters::first};
  for (int i = 0; i < kProducts; ++i) chain.blocks.front().push_back(i);
  ChainParameters values;
  values.block.alignment_fraction_bits = 0;
  values.block.alignment_rounding = AlignmentRounding::floor;
  values.block.normalisation = Normalisation::immediate;
  values.block.rounding = Rounding::nearest_even;
  values.block.output_fraction_bits = 52;
  const Signature formats{Format::fp16, Format::fp16, Format::fp64, Format::fp64};
  const UnitModel model = chain_model("sums", kProducts, formats, chain, values, canonical_nan(Format::fp64));
  DotInput in;
  in.a.assign(kProducts, 0xbfff);  // just above -2
  in.b.assign(kProducts, 0x3fff);
  in.c = 0xc000000000000000;
  EXPECT_EQ(evaluate(model, in), oracle::evaluate(model, in));
}

}  // namespace
}  // namespace mmaprint::datapath_test
