// What published work found on V100, T4, A100 and H100, as sentences about units with their parameters. Every
// row is also put to the oracle, so that a row that fails tells whether the definition or the datapath is at
// fault.
//
// Fasi: Fasi, Higham, Mikaitis, Pranesh, "Numerical behavior of NVIDIA tensor cores", 2021.
// Khattak: Khattak, Mikaitis, on determining features of matrix multipliers, 2025. Valpey: Valpey et al., NFM
// 2025.
#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "model/unit_model.h"
#include "oracle/oracle.h"
#include "support/describe.h"

namespace mmaprint::published_test {
namespace {

constexpr Signature kHalfToSingle{Format::fp16, Format::fp16, Format::fp32, Format::fp32};
constexpr Signature kHalfToHalf{Format::fp16, Format::fp16, Format::fp16, Format::fp16};
constexpr Signature kBfloatToSingle{Format::bf16, Format::bf16, Format::fp32, Format::fp32};

/// A truncated fused dot-add of `width` products a block, `blocks` blocks.
UnitModel tensor_core(int width, int f, Signature formats, int blocks = 1) {
  ChainParameters values;
  values.block.alignment_fraction_bits = f;
  values.block.output_fraction_bits = info(formats.d).fraction_bits;
  values.block.rounding = formats.d == Format::fp16 ? Rounding::nearest_even : Rounding::toward_zero;
  values.final_rounding = values.block.rounding;
  Chain chain;
  for (int block = 0; block < blocks; ++block) {
    chain.blocks.emplace_back(static_cast<std::size_t>(width));
    std::iota(chain.blocks.back().begin(), chain.blocks.back().end(), block * width);
  }
  return chain_model("dot", width * blocks, formats, chain, values,
                     formats.d == Format::fp16 ? 0x7fff : 0x7fffffff);
}
UnitModel v100(Signature formats = kHalfToSingle) { return tensor_core(4, 23, formats); }
UnitModel t4(Signature formats = kHalfToSingle) { return tensor_core(4, 24, formats); }
UnitModel a100(Signature formats = kHalfToSingle) { return tensor_core(8, 24, formats); }
UnitModel h100(Signature formats = kHalfToSingle) { return tensor_core(16, 25, formats); }

UnitModel with(UnitModel model, const std::function<void(Adder&)>& change) {
  for (Adder& adder : model.adders) change(adder);
  return model;
}
UnitModel with_rounding(UnitModel model, Rounding rounding) {
  return with(std::move(model), [rounding](Adder& adder) { adder.rounding = rounding; });
}

struct Factors {
  double a = 0, b = 0;
};
double value_of(Format format, Pattern pattern) { return oracle::decode(format, pattern).value.get_d(); }

/// d for c and the products, which take the first places; the others are zero.
double result(const UnitModel& model, double c, const std::vector<Factors>& products) {
  DotInput input;
  for (std::size_t i = 0; i < static_cast<std::size_t>(model.k); ++i) {
    const Factors factors = i < products.size() ? products[i] : Factors{};
    input.a.push_back(oracle::pattern_of(model.formats.a, factors.a));
    input.b.push_back(oracle::pattern_of(model.formats.b, factors.b));
  }
  input.c = oracle::pattern_of(model.formats.c.value(), c);
  const Pattern d = evaluate(model, input);
  EXPECT_EQ(test::hex(model.formats.d, d), test::hex(model.formats.d, oracle::evaluate(model, input)))
      << "the oracle disagrees on\n"
      << test::describe(model) << test::describe(model, input);
  return value_of(model.formats.d, d);
}
/// The same for products that are given by their values: powers of two and short sums of them.
double result_of(const UnitModel& model, double c, const std::vector<double>& products) {
  std::vector<Factors> factors;
  for (const double product : products) {
    const int exponent = product == 0 ? 0 : std::ilogb(product) / 2;
    factors.push_back({std::ldexp(product, -exponent), std::ldexp(1.0, exponent)});
  }
  return result(model, c, factors);
}
std::vector<double> times(int n, double value) {
  return std::vector<double>(static_cast<std::size_t>(n), value);
}

const double kQuantum = 0x1p-23;  // of FP32 numbers in [1, 2)

// --- subnormals and products (Fasi)
// -------------------------------------------------------------------------------

TEST(PublishedSubnormals, AreReadAsFactors) { EXPECT_EQ(result(v100(), 0, {{0x1p-24, 0x1p2}}), 0x1p-22); }
TEST(PublishedSubnormals, AreKeptInTheAccumulator) { EXPECT_EQ(result(v100(), 0x1p-149, {}), 0x1p-149); }
TEST(PublishedSubnormals, AreProducedByMultiplication) {
  EXPECT_EQ(result(v100(kHalfToHalf), 0, {{0x1p-14, 0x1p-1}}), 0x1p-15);
  EXPECT_EQ(result(a100(kBfloatToSingle), 0, {{0x1p-126, 0x1p-1}}), 0x1p-127);
}
TEST(PublishedSubnormals, AreProducedByAddition) {
  EXPECT_EQ(result(v100(kHalfToHalf), -0x1p-15, {{0x1p-14, 1}}), 0x1p-15);
}
TEST(PublishedSubnormals, OfAnFp16ResultAreRoundedToNearest) {
  const std::vector<Factors> products{{0x1p-24, 0x1p-1}, {0x1p-24, 0x1p-2}};
  EXPECT_EQ(result(v100(kHalfToHalf), 0, products), 0x1p-24);
  EXPECT_EQ(result(with_rounding(v100(kHalfToHalf), Rounding::down), 0, products), 0);
  EXPECT_EQ(result(with_rounding(v100(kHalfToHalf), Rounding::toward_zero), 0, products), 0);
}

TEST(PublishedProducts, AreExact) {
  const double x = 1 - 0x1p-11;
  EXPECT_EQ(result(v100(), 0, {{x, x}, {x, x}, {x, x}, {x, x}}), 4 * x * x);
  EXPECT_EQ(result(v100(kHalfToHalf), 0, {{x, x}, {x, 0x1p-11}}), x);
}

// --- order and alignment (Fasi)
// -----------------------------------------------------------------------------------

TEST(PublishedAlignment, LosesWhatLiesBelowTheLastKeptBitOfTheLargestAddend) {
  EXPECT_EQ(result_of(v100(), 1, times(4, 0x1p-24)), 1);
  EXPECT_EQ(result_of(t4(), 1, times(4, 0x1p-24)), 1 + 0x1p-22);
  EXPECT_EQ(result_of(t4(), 1, times(4, 0x1p-25)), 1);
  EXPECT_EQ(result_of(a100(), 1, times(4, 0x1p-25)), 1);
  EXPECT_EQ(result_of(h100(), 1, times(4, 0x1p-25)), 1 + kQuantum);
}

TEST(PublishedAlignment, DoesNotDependOnWhichAddendIsTheLargest) {
  for (std::size_t place = 0; place < 4; ++place) {
    std::vector<double> products = times(4, 0x1p-24);
    products[place] = 1;
    EXPECT_EQ(result_of(v100(), 0x1p-24, products), 1) << "the 1 at place " << place;
    EXPECT_EQ(result_of(t4(), 0x1p-24, products), 1 + 0x1p-22) << "the 1 at place " << place;
  }
}

TEST(PublishedAlignment, OfN_ExtraBitsKeepsTheOneAt23PlusNAndLosesTheNext) {
  for (int n = 0; n <= 8; ++n) {
    const UnitModel model =
        with(tensor_core(4, 23 + n, kHalfToSingle), [](Adder& adder) { adder.rounding = Rounding::up; });
    EXPECT_EQ(result_of(model, 1, {std::ldexp(1.0, -23 - n)}), 1 + kQuantum) << n;
    EXPECT_EQ(result_of(model, 1, {std::ldexp(1.0, -24 - n)}), 1) << n;
  }
}

TEST(PublishedAlignment, ShowsItsExtraBitInSubtraction) {
  EXPECT_EQ(result_of(v100(), -1 + 0x1p-24, {1}), 0x1p-23);
  EXPECT_EQ(result_of(t4(), -1 + 0x1p-24, {1}), 0x1p-24);
  EXPECT_EQ(result_of(a100(), -1 + 0x1p-24, {1}), 0x1p-24);
}

TEST(PublishedAlignment, CutsOffASmallNegativeAddendAsAWhole) {  // Valpey
  for (const UnitModel& model : {v100(), t4(), a100(), h100()})
    EXPECT_EQ(result(model, 2, {{-0x1p-20, 0x1p-21}}), 2);
  const UnitModel exact = with(v100(), [](Adder& adder) { adder.alignment_fraction_bits.reset(); });
  EXPECT_EQ(result(exact, 2, {{-0x1p-20, 0x1p-21}}), 2 - 0x1p-23);  // IEEE rounding toward zero
}

// --- rounding
// -----------------------------------------------------------------------------------------------------

TEST(PublishedRounding, OfASumIsTowardZero) {
  const std::vector<Factors> products{{3 * 0x1p-12, 0x1p-12}};
  for (const UnitModel& model : {v100(), t4(), a100(), h100()}) {
    EXPECT_EQ(result(model, 2, products), 2);
    EXPECT_EQ(result(model, -2, {{-3 * 0x1p-12, 0x1p-12}}), -2);
  }
}

TEST(PublishedRounding, DirectionShowsInFourOnesAndAnAccumulator) {
  const double c = 1 + 0x1p-22 + 0x1p-23, larger = 5 + 0x1p-21;
  struct Row {
    Rounding rounding;
    double positive, negative;
  };
  for (const Row& row : {Row{Rounding::toward_zero, 5, -5}, Row{Rounding::nearest_even, larger, -larger},
                         Row{Rounding::up, larger, -5}, Row{Rounding::down, 5, -larger}}) {
    const UnitModel model = with_rounding(v100(), row.rounding);
    EXPECT_EQ(result_of(model, c, times(4, 1)), row.positive);
    EXPECT_EQ(result_of(model, -c, times(4, -1)), row.negative);
  }
}

TEST(PublishedRounding, OfAnFp16ResultHappensOnceWhereTheLastBitIsKept) {
  EXPECT_EQ(result_of(t4(kHalfToHalf), 1, {0x1p-11, 0x1p-24}), 1 + 0x1p-10);
  EXPECT_EQ(result_of(v100(kHalfToHalf), 1, {0x1p-11, 0x1p-24}), 1);  // lost in alignment: a tie, to even
}

TEST(PublishedRounding, HappensBetweenBlocks) {  // Khattak
  const double c = 1 + kQuantum;
  const std::vector<double> products{0, 0, 0, 0, 0x1p-24 + 0x1p-25};
  const UnitModel two_blocks = tensor_core(4, 25, kHalfToSingle, 2);
  for (const double sign : {1.0, -1.0}) {
    std::vector<double> signed_products = products;
    for (double& product : signed_products) product *= sign;
    EXPECT_EQ(result_of(two_blocks, sign * c, signed_products), sign * c);
    EXPECT_EQ(result_of(with_rounding(two_blocks, Rounding::nearest_even), sign * c, signed_products),
              sign * (c + kQuantum));
  }
}

TEST(PublishedBlocks, AreAddedInOrderAndNotAsOneSum) {
  // A large product and its negation in the first block leave the small one of the second alone, and not
  // otherwise.
  const UnitModel two_blocks = tensor_core(4, 24, kHalfToSingle, 2);
  EXPECT_EQ(result_of(two_blocks, 0, {2, -2, 0, 0, 0x1p-24}), 0x1p-24);
  EXPECT_EQ(result_of(two_blocks, 0, {2, 0x1p-24, 0, 0, -2}), 0);
  EXPECT_EQ(result_of(a100(), 0, {2, -2, 0, 0, 0x1p-24}), 0);
}

// --- normalisation and carries
// ------------------------------------------------------------------------------------

TEST(PublishedNormalisation, HappensOnceAtTheEnd) {
  const double c = 1 - 0x1p-24;
  const auto immediate = [](UnitModel model) {
    return with(std::move(model), [](Adder& adder) { adder.normalisation = Normalisation::immediate; });
  };
  EXPECT_EQ(result_of(v100(), c, times(4, 0x1p-24)), 1 + kQuantum);
  EXPECT_EQ(result_of(immediate(v100()), c, times(4, 0x1p-24)), 1);
  EXPECT_EQ(result_of(t4(), c, times(4, 0x1p-24)),
            1 + kQuantum);  // with an extra bit the row decides nothing
  EXPECT_EQ(result_of(immediate(t4()), c, times(4, 0x1p-24)), 1 + kQuantum);
}

TEST(PublishedNormalisation, WhereImmediateDropsBitsThatAreKeptWhereLate) {  // Khattak
  const std::vector<double> products = times(3, kQuantum);
  const UnitModel immediate =
      with(v100(), [](Adder& adder) { adder.normalisation = Normalisation::immediate; });
  EXPECT_EQ(result_of(immediate, 2 - kQuantum, products), 2);
  EXPECT_EQ(result_of(v100(), 2 - kQuantum, products), 2 + 0x1p-22);
}

TEST(PublishedCarries, AreKeptInEveryOrder) {
  const double c = 1 + 0x1p-22 + 0x1p-23;
  for (std::size_t place = 0; place < 4; ++place) {
    std::vector<double> products = times(4, 1);
    products[place] = kQuantum;
    for (const UnitModel& model : {v100(), t4(), a100(), h100()})
      EXPECT_EQ(result_of(model, c, products), 4 + 0x1p-21);
  }
}

TEST(PublishedCarries, OfThreeBitsHoldEight) {
  const std::vector<double> products{1, 1.5, 1.75, 1.875};
  for (const UnitModel& model : {v100(), t4(), a100(), h100()})
    EXPECT_EQ(result_of(model, 1.875, products), 8);
}

TEST(CarryBits, ThatAreTooFewWrapTheSum) {
  const std::vector<double> products{1, 1.5, 1.75, 1.875};
  const auto with_carry = [](int n) {
    return with(v100(), [n](Adder& adder) { adder.extra_carry_bits = n; });
  };
  EXPECT_EQ(result_of(with_carry(3), 1.875, products), 8);
  EXPECT_EQ(result_of(with_carry(2), 1.875, products), -8);  // -2^3 <= sum < 2^3
}

TEST(CarryBits, OfThePublishedBoundNeverWrap) {
  // N products just below 4 and c just below 2 need floor(log2(N(2-2^(1-p_in))^2 + 2 - 2^(1-p_out))) bits.
  const double x = 2 - 0x1p-10, c = 2 - kQuantum;
  for (const UnitModel& model : {v100(), a100(), h100()}) {
    const int bits = static_cast<int>(std::floor(std::log2(model.k * x * x + c)));
    const std::vector<Factors> products(static_cast<std::size_t>(model.k), Factors{x, x});
    const auto with_carry = [&](int n) {
      return with(model, [n](Adder& adder) { adder.extra_carry_bits = n; });
    };
    EXPECT_EQ(result(with_carry(bits), c, products), result(model, c, products)) << model.k;
    EXPECT_NE(result(with_carry(bits - 1), c, products), result(model, c, products)) << model.k;
  }
}

// --- monotonicity
// -------------------------------------------------------------------------------------------------

TEST(PublishedMonotonicity, FailsWhereALargerAccumulatorGivesASmallerResult) {
  const double smaller = 1 - 0x1p-24, larger = 1;
  EXPECT_GT(result_of(v100(), smaller, times(4, 0x1p-24)), result_of(v100(), larger, times(4, 0x1p-24)));
  for (const UnitModel& model : {t4(), a100()}) {
    std::vector<double> products = times(3, 0x1p-25);
    products.push_back(3 * 0x1p-25);
    EXPECT_EQ(result_of(model, smaller, products), 1 + kQuantum);
    EXPECT_EQ(result_of(model, larger, products), 1);
  }
  EXPECT_GT(result_of(h100(), smaller, times(16, 0x1p-26)), result_of(h100(), larger, times(16, 0x1p-26)));
}

// --- specials
// -----------------------------------------------------------------------------------------------------

TEST(PublishedSpecials, GiveTheOneNanOfTheUnit) {
  const Pattern infinity = 0x7c00, one = 0x3c00, payload = 0x7e55, minus_infinity = 0xff800000;
  const UnitModel model = v100();
  const auto d = [&](Pattern a, Pattern b, Pattern c) {
    return evaluate(model, {{a, 0, 0, 0}, {b, 0, 0, 0}, c});
  };
  EXPECT_EQ(d(payload, one, 0), 0x7fffffffu);
  EXPECT_EQ(d(infinity, 0, 0), 0x7fffffffu);
  EXPECT_EQ(d(infinity, one, minus_infinity), 0x7fffffffu);
  EXPECT_EQ(d(infinity, one, 0), 0x7f800000u);
  EXPECT_EQ(d(one, one, minus_infinity), minus_infinity);
}

TEST(PublishedSpecials, OverflowIsInfinityEvenWhereRoundingIsTowardZero) {
  const double largest = 0x1.fffffep127;
  UnitModel model = a100(kBfloatToSingle);
  const auto d = [&] {
    DotInput input{std::vector<Pattern>(8, 0), std::vector<Pattern>(8, 0),
                   oracle::pattern_of(Format::fp32, largest)};
    input.a[0] = oracle::pattern_of(Format::bf16, 0x1p104);
    input.b[0] = oracle::pattern_of(Format::bf16, 1);
    return evaluate(model, input);
  };
  EXPECT_EQ(d(), 0x7f800000u);
  model.conventions.overflow = Overflow::saturate;
  EXPECT_EQ(d(), 0x7f7fffffu);
}

TEST(FlushedSubnormals, AreZerosBeforeTheyMeetAnInfinity) {
  UnitModel model = v100();
  const DotInput input{{0x7c00, 0, 0, 0}, {0x0001, 0, 0, 0}, 0};
  EXPECT_EQ(evaluate(model, input), 0x7f800000u);
  model.conventions.input_subnormals = Subnormals::flushed;
  EXPECT_EQ(evaluate(model, input), 0x7fffffffu);
}

}  // namespace
}  // namespace mmaprint::published_test
