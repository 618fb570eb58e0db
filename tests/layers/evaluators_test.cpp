// The instances that are built for speed, against the plain specification: the evaluator with its tables of
// decoded operands and of their heads, the flat evaluator of device code, and that for chains of equal
// blocks. The specification itself is compared with the oracle, which shares no code with it.
#include <gtest/gtest.h>

#include "layers/toys.h"
#include "model/datapath.h"
#include "model/evaluator.h"
#include "model/heads.h"
#include "model/one_treatment.h"
#include "oracle/oracle.h"
#include "support/describe.h"
#include "support/flat.h"

namespace mmaprint::evaluators_test {
namespace {

using test::Random;

Pattern plain(const UnitModel& model, const Plan& plan, const DotInput& input) {
  using W = WideWord<640>;
  const FixedParameters source(model);
  const Concrete<W, const FixedParameters> a(source);
  std::vector<ConcreteWord<W>> wa, wb;
  for (const Pattern p : input.a) wa.push_back({W(p)});
  for (const Pattern p : input.b) wb.push_back({W(p)});
  const auto d = dot<Concrete<W, const FixedParameters>, PlainLowering>(a, plan, wa, wb, {W(input.c)});
  return d.nan.value ? constant_nan(model.nan).value() : low_word(d.pattern.value);
}

/// Blocks of four with most parameters as a BlockEvaluator wants them; half of them in the formats of
/// KnownWidths.
UnitModel nearly_usual(Random& random) {
  const Signature known{Format::e5m2, Format::e4m3, Format::e5m2, Format::fp16};
  const Signature formats =
      random.pick({Signature{Format::e2m1, Format::e2m3, Format::e5m2, Format::e5m2},
                   Signature{Format::fp16, Format::fp16, Format::fp16, Format::fp16},
                   Signature{Format::e3m2, Format::e2m1, Format::fp16, Format::e5m2}, known, known, known});
  ChainParameters values;
  values.conventions = test::random_conventions(random);
  values.block = test::random_adder(random, formats.d);
  const auto usual = [&] { return !random.chance(1, 4); };
  if (usual()) values.block.product = ProductKind::exact_unnormalised;
  if (usual()) values.block.alignment_rounding = AlignmentRounding::truncate;
  if (usual()) values.block.normalisation = Normalisation::late;
  if (usual()) values.block.extra_carry_bits.reset();
  if (usual()) values.block.alignment_fraction_bits = random.between(0, 12);
  if (random.chance(1, 8)) values.block.alignment_fraction_bits = random.between(55, 80);  // wide sums
  Chain chain;
  for (int first = 0; first < 4 * random.between(1, 2); first += 4)
    chain.blocks.push_back({first, first + 1, first + 2, first + 3});
  int k = 4 * static_cast<int>(chain.blocks.size());
  if (random.chance(1, 6)) chain.blocks.push_back({k++});  // shorter than the others
  return chain_model("nearly usual", k, formats, chain, values, canonical_nan(formats.d));
}

/// Among the formats above, with c of another than D's.
using KnownWidths = WidthsOf<Format::e5m2, Format::e4m3, Format::e5m2, Format::fp16>;

TEST(Evaluators, AgreeWithTheSpecificationOnRandomInputs) {
  Random random(test::starting_seed(75));
  int narrow = 0, blocks = 0, known = 0;
  for (long i = 0; i < test::count(800); ++i) {
    const UnitModel model = nearly_usual(random);
    const Plan plan(model.formats, model.k, skeleton_of(model));
    const Evaluator evaluator(model);
    const auto unit = flat_unit(model);
    ASSERT_TRUE(unit.has_value());
    const WordsNeeded needed = words_needed(model);
    for (int j = 0; j < 10; ++j) {
      const DotInput input = test::random_input(random, model);
      const Pattern expected = plain(model, plan, input);
      const auto what = [&] { return test::describe(model) + test::describe(model, input); };
      ASSERT_EQ(expected, oracle::evaluate(model, input)) << what();
      ASSERT_EQ(evaluator(input), expected) << what();
      ASSERT_EQ((test::run_flat<FlatEvaluator<Word128, Multiword<5>>>(*unit, input)), expected) << what();
      if (std::max(needed.operands, needed.sums) <= 64) {
        ++narrow;
        ASSERT_EQ((test::run_flat<FlatEvaluator<std::uint64_t, std::uint64_t>>(*unit, input)), expected)
            << what();
      }
      if (block_width(model) == 0) continue;
      ++blocks;
      ASSERT_EQ(test::run_flat<BlockEvaluator<4>>(*unit, input), expected) << what();
      if (!KnownWidths::fit(unit->widths)) continue;
      ++known;
      ASSERT_EQ((test::run_flat<BlockEvaluator<4, KnownWidths>>(*unit, input)), expected) << what();
    }
  }
  EXPECT_GT(narrow, 0);
  EXPECT_GT(blocks, known);
  EXPECT_GT(known, 0);
}

/// Every pattern of a format, subnormals treated in each way.
class HeadsOf : public testing::TestWithParam<Format> {};
INSTANTIATE_TEST_SUITE_P(Formats, HeadsOf,
                         testing::Values(Format::fp16, Format::bf16, Format::e4m3, Format::e5m2fnuz),
                         [](const auto& of) { return std::string(name(of.param)); });

TEST_P(HeadsOf, StandForWhatEveryPatternIsDecodedAsOrAreNotPlain) {
  for (const Subnormals treatment : {Subnormals::kept, Subnormals::flushed, Subnormals::flushed_positive}) {
    const Heads& heads = heads_of(info(GetParam()), treatment);
    OneTreatment source{treatment};
    const Concrete<std::uint64_t, OneTreatment> algebra(source);
    long plain = 0;
    for (Pattern p = 0; p <= info(GetParam()).pattern_mask(); ++p) {
      Heads::Prepared seen = 0;
      const Heads::Prepared operand = heads(p, seen);
      if (!heads.all_plain(seen)) continue;
      ++plain;
      const auto x = Datapath::read_operand<Parameter::input_subnormals>(algebra, info(GetParam()), {p});
      ASSERT_EQ(operand, PreparedOperand::of(x)) << std::hex << p;
      if (x.significand.value == 0) {
        ASSERT_EQ(operand >> PreparedOperand::kExponentAt, std::uint32_t(PreparedOperand::kZeroExponent));
      }
    }
    EXPECT_GT(plain, static_cast<long>(info(GetParam()).pattern_mask()) * 3 / 4);
  }
}

}  // namespace
}  // namespace mmaprint::evaluators_test
