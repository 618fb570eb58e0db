// The instances of the datapath that device code uses, run on the host: they agree with the evaluator.
#include "model/flat_evaluator.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "model/evaluator.h"
#include "support/describe.h"
#include "support/flat.h"
#include "support/generate.h"

namespace mmaprint::flat_evaluator_test {
namespace {

using test::Random;

/// Where the instance can be told which places are special, so, too.
template <class Instance>
Pattern run(const FlatUnit& unit, const DotInput& input) {
  const Instance instance(unit);
  const auto [a, b] = test::PreparedOperands<Instance>(instance, unit, input);
  const Pattern d = instance(a.data(), b.data(), input.c);
  if constexpr (requires { instance.evaluated(a.data(), b.data(), input.c, 0); }) {
    std::uint64_t specials = 0;
    for (std::size_t k = 0; k < a.size(); ++k)
      if (Instance::is_special(a[k]) || Instance::is_special(b[k]))
        specials |= std::uint64_t{1} << Instance::place(static_cast<int>(k));
    EXPECT_EQ(instance.evaluated(a.data(), b.data(), input.c, specials), d);
  }
  return d;
}

using Fp16ToFp32 = WidthsOf<Format::fp16, Format::fp16, Format::fp32, Format::fp32>;
using Fp16ToFp16 = WidthsOf<Format::fp16, Format::fp16, Format::fp16, Format::fp16>;
using Bf16ToFp32 = WidthsOf<Format::bf16, Format::bf16, Format::fp32, Format::fp32>;

/// With the formats known, too, where they are among those that device code knows.
template <std::size_t Width>
Pattern run_block(const FlatUnit& unit, const DotInput& input) {
  const Pattern d = run<BlockEvaluator<Width>>(unit, input);
  if (Fp16ToFp32::fit(unit.widths)) {
    EXPECT_EQ((run<BlockEvaluator<Width, Fp16ToFp32>>(unit, input)), d);
  }
  if (Fp16ToFp16::fit(unit.widths)) {
    EXPECT_EQ((run<BlockEvaluator<Width, Fp16ToFp16>>(unit, input)), d);
  }
  if (Bf16ToFp32::fit(unit.widths)) {
    EXPECT_EQ((run<BlockEvaluator<Width, Bf16ToFp32>>(unit, input)), d);
  }
  return d;
}

Pattern run_blocks(int width, const FlatUnit& unit, const DotInput& input) {
  switch (width) {
    case 4:
      return run_block<4>(unit, input);
    case 8:
      return run_block<8>(unit, input);
    case 16:
      return run_block<16>(unit, input);
    default:
      return run_block<32>(unit, input);
  }
}

/// The smallest instance that is wide enough; nullopt if none is.
std::optional<Pattern> run_flat(const UnitModel& model, const FlatUnit& unit, const DotInput& input) {
  const WordsNeeded needed = words_needed(model);
  if (std::max(needed.operands, needed.sums) <= 64)
    return run<FlatEvaluator<std::uint64_t, std::uint64_t>>(unit, input);
  if (std::max(needed.operands, needed.sums) <= 128) return run<FlatEvaluator<Word128, Word128>>(unit, input);
  if (needed.operands <= 128 && needed.sums <= 320)
    return run<FlatEvaluator<Word128, Multiword<5>>>(unit, input);
  return std::nullopt;
}

/// Draws inputs until `inputs` were compared. False where the unit can't be run so.
bool expect_agreement(const UnitModel& model, Random& random, int inputs) {
  const auto unit = flat_unit(model);
  if (!unit) return false;
  const Evaluator evaluator(model);
  const int width = block_width(model);
  for (int i = 0; i < inputs; ++i) {
    const DotInput input = test::random_input(random, model);
    const Pattern expected = evaluator(input);
    const auto flat = run_flat(model, *unit, input);
    if (!flat) return false;
    EXPECT_EQ(*flat, expected) << test::describe(model) << test::describe(model, input);
    if (width != 0) {
      EXPECT_EQ(run_blocks(width, *unit, input), expected)
          << "blocks of " << width << "\n"
          << test::describe(model) << test::describe(model, input);
    }
    if (testing::Test::HasFailure()) return true;
  }
  return true;
}

TEST(FlatEvaluator, AgreesWithTheEvaluatorOnRandomInputs) {
  Random random(test::starting_seed(91));
  int compared = 0;
  for (int i = 0; i < test::count(400); ++i) {
    const int k = random.between(1, 32);
    const Signature formats = test::random_formats(random);
    const int adders = random.between(1, 3);
    UnitModel model{"random", k, formats, {}, {}, test::random_conventions(random), {}};
    model.tree = random.chance(1, 2)
                     ? test::random_tree(random, k, adders)
                     : tree_of(test::random_chain(random, k, random.pick({CEnters::first, CEnters::last})));
    for (int n = 0; n < std::max(2, adders); ++n)
      model.adders.push_back(test::random_adder(random, formats.d));
    model.nan = test::random_nan(random, formats.d);
    compared += expect_agreement(model, random, 100) ? 1 : 0;
    if (HasFailure()) return;
  }
  EXPECT_GT(compared, test::count(200));
}

UnitModel usual(Random& random, int width, int blocks) {
  const Signature formats = random.pick({Signature{Format::fp16, Format::fp16, Format::fp32, Format::fp32},
                                         Signature{Format::fp16, Format::fp16, Format::fp16, Format::fp16},
                                         Signature{Format::bf16, Format::bf16, Format::fp32, Format::fp32},
                                         Signature{Format::tf32, Format::tf32, Format::fp32, Format::fp32},
                                         Signature{Format::e4m3, Format::e5m2, Format::fp32, Format::fp32},
                                         Signature{Format::e5m2, Format::e4m3, Format::fp16, Format::fp16}});
  Chain chain;
  chain.blocks.assign(static_cast<std::size_t>(blocks), std::vector<int>(static_cast<std::size_t>(width)));
  const int layout = random.between(0, 2);  // contiguous, strided, reversed
  for (int i = 0; i < width * blocks; ++i) {
    const int block = layout == 0 ? i / width : layout == 1 ? i % blocks : blocks - 1 - i / width;
    const int place = layout == 1 ? i / blocks : i % width;
    chain.blocks[static_cast<std::size_t>(block)][static_cast<std::size_t>(place)] = i;
  }
  ChainParameters values;
  values.conventions = test::random_conventions(random);
  values.block = test::random_adder(random, formats.d);
  for (const ParameterInfo& row : all_parameters())
    if (row.is_newer) row.set(values.block, values.conventions, default_index(row));
  values.block.product = ProductKind::exact_unnormalised;
  values.block.alignment_rounding = AlignmentRounding::truncate;
  values.block.normalisation = Normalisation::late;
  values.block.extra_carry_bits.reset();
  values.block.alignment_fraction_bits = random.between(8, 40);
  return chain_model("usual", width * blocks, formats, chain, values, canonical_nan(formats.d));
}

TEST(BlockEvaluator, AgreesWithTheEvaluatorOnRandomInputs) {
  Random random(test::starting_seed(92));
  for (int i = 0; i < test::count(400); ++i) {
    const int width = random.pick({4, 8, 16, 32});
    const UnitModel model =
        usual(random, width, random.chance(1, 8) ? 96 / width : random.between(1, 32 / width));
    ASSERT_EQ(block_width(model), width);
    EXPECT_TRUE(expect_agreement(model, random, 50));
    if (HasFailure()) return;
  }
}

TEST(FlatEvaluator, RunsChainsOfFusedMultiplyAddsInDoublePrecision) {
  Random random(test::starting_seed(93));
  for (const int k : {4, 8, 16}) {
    Chain chain;
    for (int i = 0; i < k; ++i) chain.blocks.push_back({i});
    ChainParameters values;
    values.block.output_fraction_bits = 52;
    const UnitModel model = chain_model("fma", k, {Format::fp64, Format::fp64, Format::fp64, Format::fp64},
                                        chain, values, canonical_nan(Format::fp64));
    EXPECT_TRUE(expect_agreement(model, random, 200));
  }
}

TEST(Multiword, ComputesAsMachineWordsDo) {
  Random random(test::starting_seed(94));
  using Two = Multiword<2>;
  for (int i = 0; i < 2000; ++i) {
    const auto draw = [&] {
      return (Word128{random.bits()} << 64 | random.bits()) >> random.between(0, 127);
    };
    const Word128 x = draw(), y = draw();
    const int n = random.between(0, 127);
    EXPECT_TRUE(Word128(Two(x) + Two(y)) == Word128(x + y));
    EXPECT_TRUE(Word128(Two(x) - Two(y)) == Word128(x - y));
    EXPECT_TRUE(Word128(Two(x) << n) == Word128(x << n));
    EXPECT_TRUE(Word128(Two(x) >> n) == x >> n);
    EXPECT_TRUE(Word128(~Two(x) & (Two(x) | Two(y))) == (~x & (x | y)));
    EXPECT_EQ(Two(x) > Two(y), x > y);
    EXPECT_EQ(bit_length(Two(x)), bit_length(x));
    if (x != 0) {
      EXPECT_EQ(lowest_bit(Two(x)), lowest_bit(x));
    }
  }
}

TEST(Word256, ComputesAsALibrarysNumbersDo) {
  Random random(test::starting_seed(95));
  using Wide = WideWord<256>;
  const auto same = [](const Word256& x, const Wide& y) {
    return x == (Word256(static_cast<Word128>(y >> 128)) << 128 |
                 Word256(static_cast<Word128>(y & Wide(~Word128{0}))));
  };
  for (int i = 0; i < 2000; ++i) {
    const int dropped = random.between(0, 255), other = random.between(0, 255), n = random.between(0, 255);
    const auto draw = [&](int bits) {
      Word256 narrow;
      Wide wide = 0;
      for (int limb = 0; limb < 4; ++limb) {
        const std::uint64_t part = random.chance(1, 8) ? ~std::uint64_t{0} : random.bits();
        narrow = narrow << 64 | Word256(part);
        wide = (wide << 64) | Wide(part);
      }
      return std::pair(narrow >> bits, Wide(wide >> bits));
    };
    const auto [x, wide_x] = draw(dropped);
    const auto [y, wide_y] = draw(other);
    EXPECT_TRUE(same(x, wide_x) && same(y, wide_y));
    EXPECT_TRUE(same(x + y, wide_x + wide_y));
    EXPECT_TRUE(same(x - y, wide_x - wide_y));
    EXPECT_TRUE(same(x << n, wide_x << n)) << n;
    EXPECT_TRUE(same(x >> n, wide_x >> n)) << n;
    EXPECT_TRUE(same(~x & (x | y), ~wide_x & (wide_x | wide_y)));
    EXPECT_EQ(x > y, wide_x > wide_y);
    EXPECT_EQ(x == y, wide_x == wide_y);
    EXPECT_EQ(bit_length(x), bit_length(wide_x));
    if (x != Word256()) {
      EXPECT_EQ(lowest_bit(x), lowest_bit(wide_x));
    }
  }
}

}  // namespace
}  // namespace mmaprint::flat_evaluator_test
