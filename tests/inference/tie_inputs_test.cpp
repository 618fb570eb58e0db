// Inputs that are made to lie on ties find what random ones don't.
#include "inference/tie_inputs.h"

#include <gtest/gtest.h>

#include "inference/edge_inputs.h"
#include "model/alike_nodes.h"
#include "model/evaluator.h"
#include "support/chains.h"

namespace mmaprint::tie_inputs_test {
namespace {

constexpr Signature kHalf{Format::fp16, Format::fp16, Format::fp16, Format::fp16};
constexpr Signature kE5m2{Format::e5m2, Format::e5m2, Format::fp32, Format::fp32};

/// Pairs of products, one after the other, that flush subnormal factors.
UnitModel of_pairs(const Signature& formats, ChainParameters values) {
  values.conventions.input_subnormals = Subnormals::flushed;
  return chain_model("ties", 4, formats, Chain{{{0, 1}, {2, 3}}, CEnters::first}, values,
                     canonical_nan(formats.d));
}
UnitModel with_clamp(std::optional<int> clamp) {
  ChainParameters values;
  values.block.alignment_fraction_bits = 24;
  values.block.minimum_alignment_exponent = clamp;
  values.block.rounding = Rounding::nearest_away;
  values.block.output_fraction_bits = 7;
  return of_pairs(kHalf, values);
}
UnitModel with_normalisation(Normalisation normalisation) {
  ChainParameters values;
  values.block.alignment_fraction_bits = 28;
  values.block.alignment_rounding = AlignmentRounding::truncate;
  values.block.normalisation = normalisation;
  values.block.rounding = Rounding::nearest_even;
  values.block.output_fraction_bits = 15;
  return of_pairs(kE5m2, values);
}

TEST(InputsAtTies, FindClampsThatOnlyTheSumOfTwoProductsShows) {
  // Products are multiples of 2^-48, so the last clamp that loses something is -23.
  for (const int clamp : {-15, -20, -22, -23}) {
    const UnitModel none = with_clamp(std::nullopt), other = with_clamp(clamp);
    const auto input = difference_at_ties(none, other, 4'000, 1);
    ASSERT_TRUE(input) << clamp;
    EXPECT_NE(evaluate(none, *input), evaluate(other, *input)) << clamp;
  }
}

/// Results are multiples of 2^-134; and no product of the exponent -138, or two of them, are as large as
/// that.
TEST(InputsAtTies, FindAClampThatOnlyManyProductsBelowItShow) {
  constexpr int kProducts = 7;
  const auto with = [](std::optional<int> clamp) {
    ChainParameters values;
    values.block.alignment_fraction_bits = 14;
    values.block.alignment_rounding = AlignmentRounding::nearest_even;
    values.block.minimum_alignment_exponent = clamp;
    values.block.rounding = Rounding::toward_zero;
    values.block.output_fraction_bits = 8;
    values.conventions.input_subnormals = Subnormals::flushed;
    const Signature formats{Format::bf16, Format::bf16, Format::fp32, Format::fp32};
    std::vector<int> block;
    for (int i = 0; i < kProducts; ++i) block.push_back(i);
    return chain_model("ties", kProducts, formats, Chain{{block}, CEnters::first}, values,
                       canonical_nan(formats.d));
  };
  const UnitModel none = with(std::nullopt), other = with(-137);
  const auto input = difference_at_ties(none, other, 60'000, 1);
  ASSERT_TRUE(input);
  EXPECT_NE(evaluate(none, *input), evaluate(other, *input));
}

TEST(InputsAtTies, FindWhenPartialSumsAreNormalised) {
  const UnitModel late = with_normalisation(Normalisation::late);
  const UnitModel immediate = with_normalisation(Normalisation::immediate);
  const auto input = difference_at_ties(late, immediate, 60'000, 1);
  ASSERT_TRUE(input);
  EXPECT_NE(evaluate(late, *input), evaluate(immediate, *input));
}

/// A product one of its last places above a tie, and a c that takes all but half of that away: of c nothing
/// but what is lost keeps it there.
TEST(InputsAtTies, FindWhatIsLostOfACThatBringsAProductToATie) {
  const auto fma = [](AlignmentRounding rounding) {
    ChainParameters values;
    values.block.alignment_fraction_bits = 31;
    values.block.alignment_rounding = rounding;
    values.block.rounding = Rounding::nearest_even;
    values.conventions.input_subnormals = values.conventions.output_subnormals = Subnormals::flushed;
    return chain_model("fma", 1, kHalf, Chain{{{0}}, CEnters::first}, values, canonical_nan(kHalf.d));
  };
  const UnitModel truncates = fma(AlignmentRounding::truncate);
  for (const auto rounding : {AlignmentRounding::floor, AlignmentRounding::nearest_even})
    EXPECT_TRUE(difference_at_ties(truncates, fma(rounding), 40'000, 1)) << static_cast<int>(rounding);
}

TEST(InputsAtTies, FindTheFirstOfSeveralModelsThatDiffersWhateverTheThreads) {
  const UnitModel none = with_clamp(std::nullopt);
  // No product has a bit that these leave.
  const std::vector<UnitModel> alike{with_clamp(-24), with_clamp(-25)};
  std::vector<UnitModel> others = alike;
  for (const int clamp : {-22, -15}) others.push_back(with_clamp(clamp));
  const auto first = difference_at_ties(none, others, 4'000, 1, 1, {});
  for (const int threads : {1, 2, 3, 9}) {
    const auto found = difference_at_ties(none, others, 4'000, 1, threads, {});
    ASSERT_TRUE(first && found) << threads;
    EXPECT_EQ(found->input, first->input) << threads;
    EXPECT_EQ(found->other, 2U) << threads;
    EXPECT_NE(evaluate(none, found->input), evaluate(others[found->other], found->input)) << threads;
    EXPECT_FALSE(difference_at_ties(none, alike, 400, 1, threads, {})) << threads;
    EXPECT_FALSE(difference_at_ties(none, {}, 400, 1, threads, {})) << threads;
  }
}

TEST(InputsAtTies, FindACarryThatOnlyAllProductsAndAnEarlierResultTogetherNeed) {
  constexpr Signature kFormats{Format::fp16, Format::fp16, Format::fp32, Format::fp32};
  ChainParameters values;
  values.block.product = ProductKind::exact_unnormalised;
  values.block.alignment_fraction_bits = 24;
  values.block.output_fraction_bits = 23;
  const auto with_carry = [&](int bits) {
    values.block.extra_carry_bits = bits;
    return chain_model("carry", 8, kFormats, Chain{{{0, 1, 2, 3}, {4, 5, 6, 7}}, CEnters::last}, values,
                       canonical_nan(kFormats.d));
  };
  const UnitModel x = with_carry(3), y = with_carry(4);
  const auto input = difference_at_ties(x, y, 20'000, 1);
  ASSERT_TRUE(input);
  EXPECT_NE(evaluate(x, *input), evaluate(y, *input));
}

/// One product and c: an IEEE FMA but for what alignment loses.
UnitModel fma(const Adder& adder) {
  return chain_model("fma", 1, kHalf, Chain{{{0}}, CEnters::first},
                     {adder, Rounding::nearest_even, Conventions{}}, canonical_nan(kHalf.d));
}
Adder of_fma() {
  Adder adder = exact_adder(Format::fp16, Rounding::nearest_even);
  adder.product = ProductKind::exact_normalised;
  adder.normalisation = Normalisation::immediate;
  return adder;
}

TEST(InputsAtTies, FindAClampThatOnlyAProductShowsWithASubnormalFactorJustBesideATie) {
  for (const int clamp : {-5, -4, -3}) {
    Adder adder = of_fma();
    adder.alignment_fraction_bits = 39;
    adder.alignment_rounding = AlignmentRounding::floor;
    adder.minimum_alignment_exponent = clamp;
    EXPECT_TRUE(difference_at_ties(fma(of_fma()), fma(adder), 60'000, 1)) << clamp;
  }
}

TEST(InputsAtTies, FindAProductsExponentFarAboveAProductWithASubnormalFactor) {
  for (const int f : {21, 22}) {
    Adder adder = of_fma();
    adder.product = ProductKind::exact_unnormalised;
    adder.alignment_fraction_bits = f;
    adder.alignment_rounding = AlignmentRounding::sticky;
    EXPECT_TRUE(difference_at_ties(fma(of_fma()), fma(adder), 60'000, 1)) << f;
  }
}

/// Aligned to so many bits, and as exactly as can be: of an FMA that keeps no subnormal numbers, or all.
void expect_fmas_apart(const Adder& adder, Subnormals subnormals) {
  Conventions conventions;
  conventions.input_subnormals = conventions.c_subnormals = conventions.output_subnormals = subnormals;
  Adder exact = of_fma();
  exact.rounding = adder.rounding;
  const auto unit = [&](const Adder& of) {
    return chain_model("fma", 1, kHalf, Chain{{{0}}, CEnters::first}, {of, of.rounding, conventions},
                       canonical_nan(kHalf.d));
  };
  const auto input = difference_at_ties(unit(exact), unit(adder), 40'000, 1);
  ASSERT_TRUE(input);
  EXPECT_NE(evaluate(unit(exact), *input), evaluate(unit(adder), *input));
}

/// 1838 times 1141 is 6 more than 2^21, and no pair of factors has a product nearer to it.
TEST(InputsAtTies, FindAProductThatLiesSixOfItsLastPlacesBesideATie) {
  Adder adder = of_fma();
  adder.product = ProductKind::exact_unnormalised;
  adder.alignment_fraction_bits = 30;
  adder.alignment_rounding = AlignmentRounding::truncate;
  adder.normalisation = Normalisation::late;
  expect_fmas_apart(adder, Subnormals::flushed);
}

/// 2047 times 2047 leaves 2^-22 less than 2^-8 of 4, whatever a clamp does to smaller ones.
TEST(InputsAtTies, FindTheProductThatNearlyCancelsAPowerOfTwo) {
  Adder adder = of_fma();
  adder.alignment_fraction_bits = 21;
  adder.alignment_rounding = AlignmentRounding::sticky;
  adder.minimum_alignment_exponent = -13;
  adder.rounding = Rounding::down;
  expect_fmas_apart(adder, Subnormals::flushed);
}

/// Of 2047 times 2047 and the next power of two 4095 last places are left; with a sticky last place of twice
/// that 4094 or 4096.
TEST(InputsAtTies, FindTheProductThatLosesItsLastPlaceBesideTheNextPowerOfTwo) {
  Adder adder = of_fma();
  adder.product = ProductKind::exact_unnormalised;
  adder.alignment_fraction_bits = 21;
  adder.alignment_rounding = AlignmentRounding::sticky;
  expect_fmas_apart(adder, Subnormals::flushed);
}

/// Where subnormal results are flushed, products that lie beside the tie below the smallest normal result are
/// the only ones that show what is lost so far down.
TEST(InputsAtTies, FindWhatIsLostJustBelowTheSmallestNormalResult) {
  Adder adder = of_fma();
  adder.rounding = Rounding::nearest_away;
  adder.alignment_fraction_bits = 32;
  adder.minimum_alignment_exponent = -11;
  expect_fmas_apart(adder, Subnormals::flushed);
}

TEST(InputsAtTies, FindTheSmallestSubnormalFactorAndACThatIsLost) {
  Adder adder = of_fma();
  adder.product = ProductKind::exact_unnormalised;
  adder.alignment_rounding = AlignmentRounding::sticky;
  for (const Rounding rounding : {Rounding::nearest_away, Rounding::down, Rounding::toward_zero}) {
    adder.rounding = rounding;
    // The last place that decides is a half of a result's, or its own.
    adder.alignment_fraction_bits = rounding == Rounding::nearest_away ? 22 : 21;
    expect_fmas_apart(adder, Subnormals::kept);
  }
}

TEST(InputsAtTies, FindASubnormalCThatIsLostBesideALargeProductOnATie) {
  Adder adder = of_fma();
  adder.alignment_fraction_bits = 38;
  for (const auto rounding : {AlignmentRounding::truncate, AlignmentRounding::floor}) {
    adder.alignment_rounding = rounding;
    expect_fmas_apart(adder, Subnormals::kept);
  }
}

/// A product at 2 or more that c brings to an edge, but for one bit of c that is lost where products are
/// normalised.
TEST(InputsAtTies, FindAProductsExponentThatOnlyTheLastBitOfCShows) {
  constexpr Signature kFormats{Format::tf32, Format::tf32, Format::fp32, Format::fp32};
  ChainParameters values;
  values.block.alignment_fraction_bits = 40;
  values.block.alignment_rounding = AlignmentRounding::floor;
  values.block.normalisation = Normalisation::immediate;
  values.block.rounding = Rounding::up;
  values.block.output_fraction_bits = 1;
  const auto with_product = [&](ProductKind kind) {
    values.block.product = kind;
    return chain_model("product", 4, kFormats, Chain{{{0}, {1}, {2}, {3}}, CEnters::first}, values,
                       canonical_nan(kFormats.d));
  };
  const UnitModel x = with_product(ProductKind::exact_normalised);
  const UnitModel y = with_product(ProductKind::exact_unnormalised);
  const auto input = difference_at_ties(x, y, 150'000, 1);
  ASSERT_TRUE(input);
  EXPECT_NE(evaluate(x, *input), evaluate(y, *input));
}

/// One product after the other, of which one fraction bit is left.
UnitModel of_single_products(ProductKind product) {
  ChainParameters values;
  values.block.product = product;
  values.block.alignment_fraction_bits = 40;
  values.block.alignment_rounding = AlignmentRounding::floor;
  values.block.normalisation = Normalisation::immediate;
  values.block.rounding = Rounding::up;
  values.block.output_fraction_bits = 1;
  return chain_model("ties", 4, {Format::tf32, Format::tf32, Format::fp32, Format::fp32},
                     Chain{{{0}, {1}, {2}, {3}}, CEnters::first}, values, canonical_nan(Format::fp32));
}

TEST(InputsAtTies, FindAProductsExponentBesideACThatBringsItToAnEdge) {
  // No product of two significands below 2 is 2 or 3: c makes up the rest, and has the bit that is lost.
  const UnitModel x = of_single_products(ProductKind::exact_normalised);
  const UnitModel y = of_single_products(ProductKind::exact_unnormalised);
  const auto input = difference_at_ties(x, y, 150'000, 1);
  ASSERT_TRUE(input);
  EXPECT_NE(evaluate(x, *input), evaluate(y, *input));
}

TEST(InputsAtTies, FindNothingBetweenModelsThatComputeAlike) {
  EXPECT_FALSE(difference_at_ties(with_clamp(std::nullopt), with_clamp(-24), 4'000, 1));
}

TEST(InputsAtTies, EndWhereAllProductsLieFarBelowResults) {
  constexpr Signature kFormats{Format::bf16, Format::bf16, Format::fp32, Format::fp32};
  ChainParameters values;
  values.block.alignment_fraction_bits = 24;
  values.block.output_fraction_bits = 23;
  const UnitModel none = of_pairs(kFormats, values);
  for (const int clamp : {-245, -200, -150}) {
    values.block.minimum_alignment_exponent = clamp;
    const UnitModel other = of_pairs(kFormats, values);
    InputsAtTies inputs(none, other, 1);
    int made = 0;
    for (int i = 0; i < 1'000; ++i)
      if (const auto input = inputs.next()) {
        EXPECT_EQ(input->a.size(), 4U);
        ++made;
      }
    EXPECT_GT(made, 0) << clamp;
  }
}

TEST(InputsAtTies, EndWhereAClampLiesBelowAllProductsOfNormalFactors) {
  constexpr Signature kFormats{Format::e4m3, Format::e4m3, Format::fp32, Format::fp32};
  ChainParameters values;
  values.block.alignment_fraction_bits = 24;
  const auto with_clamp_at = [&](int clamp) {
    values.block.minimum_alignment_exponent = clamp;
    return chain_model("clamped", 8, kFormats, Chain{{{0, 1, 2, 3, 4, 5, 6, 7}}, CEnters::first}, values,
                       canonical_nan(kFormats.d));
  };
  InputsAtTies inputs(with_clamp_at(-14), with_clamp_at(-13), 1);
  int made = 0;
  for (int i = 0; i < 2'000; ++i) made += inputs.next() ? 1 : 0;
  EXPECT_GT(made, 0);
}

/// Eight products below the clamp reach half of the smallest result, rounded down on the way or not: only a
/// sum of nearly all that they can be, of FP32 factors, with two last bits that the clamp takes.
TEST(InputsAtTies, TakeManyFp32ProductsToATieFarAboveTheClamp) {
  constexpr Signature kFormats{Format::fp32, Format::fp32, Format::fp32, Format::fp32};
  ChainParameters values;
  values.block.product = ProductKind::exact_unnormalised;
  values.block.alignment_fraction_bits = 29;
  values.block.alignment_rounding = AlignmentRounding::floor;
  values.block.output_fraction_bits = 23;
  const auto with_clamp_at = [&](std::optional<int> clamp) {
    values.block.minimum_alignment_exponent = clamp;
    return chain_model("clamped", 8, kFormats, Chain{{{0, 1, 2, 3, 4, 5, 6, 7}}, CEnters::last}, values,
                       canonical_nan(kFormats.d));
  };
  const UnitModel x = with_clamp_at(std::nullopt), y = with_clamp_at(-153);
  const auto input = difference_at_ties(x, y, 100'000, 1);
  ASSERT_TRUE(input);
  EXPECT_NE(evaluate(x, *input), evaluate(y, *input));
}

/// A factor that is subnormal in E4M3 has another exponent once it is an FP16 number.
TEST(InputsAtTies, FindHowFactorsAreConvertedThoughASumStartsFromZero) {
  constexpr Signature kFormats{Format::e4m3, Format::e4m3, Format::fp16, Format::fp16};
  ChainParameters values;
  values.block.product = ProductKind::exact_unnormalised;
  values.block.alignment_fraction_bits = 16;
  values.block.output_fraction_bits = 10;
  const UnitModel x = chain_model("converted", 4, kFormats, Chain{{{0, 1}, {2, 3}}, CEnters::last}, values,
                                  canonical_nan(kFormats.d));
  UnitModel y = x;
  y.paths.a = y.paths.b = Converted{Format::fp16, Conversion::exact};
  y.tree.nodes[0].operands.insert(y.tree.nodes[0].operands.begin(), ZeroLeaf{});
  const auto both = with_common_classes(x, y);
  ASSERT_TRUE(both);
  EXPECT_EQ(both->first, x);
  EXPECT_EQ(both->second, y);
  const auto input = difference_at_ties(both->first, both->second, 50'000, 1);
  ASSERT_TRUE(input);
  EXPECT_NE(evaluate(x, *input), evaluate(y, *input));
  y.tree.nodes[0].operands.pop_back();
  EXPECT_FALSE(with_common_classes(x, y));
}

TEST(InputsAtTies, AreTheSameForTheSameSeed) {
  const UnitModel x = with_clamp(std::nullopt), y = with_clamp(-20);
  InputsAtTies first(x, y, 7), again(x, y, 7);
  for (int i = 0; i < 100; ++i) {
    const auto one = first.next(), other = again.next();
    ASSERT_EQ(one.has_value(), other.has_value());
    ASSERT_EQ(one.value_or(DotInput{}), other.value_or(DotInput{}));
  }
}

TEST(InputsAtTies, WorkForEveryFloatingFormatAndWithoutC) {
  for (const Format f :
       {Format::e2m1, Format::e4m3, Format::bf16, Format::tf32, Format::fp32, Format::fp64}) {
    const Format d = f == Format::fp64 ? Format::fp64 : Format::fp32;
    for (const std::optional<Format> c : {std::optional(d), std::optional<Format>()}) {
      ChainParameters values;
      values.block.output_fraction_bits = info(d).fraction_bits;
      const UnitModel unit =
          chain_model("ties", 4, {f, f, c, d}, Chain{{{0, 1, 2, 3}}, c ? CEnters::first : CEnters::last},
                      values, canonical_nan(d));
      InputsAtTies inputs(unit, unit, 1);
      int made = 0;
      for (int i = 0; i < 200; ++i)
        if (const auto input = inputs.next()) {
          ++made;
          EXPECT_EQ(input->a.size(), 4U);
          EXPECT_TRUE(c || input->c == 0);
        }
      EXPECT_GT(made, 0) << name(f);
    }
  }
}

}  // namespace
}  // namespace mmaprint::tie_inputs_test
