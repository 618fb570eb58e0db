// Inputs made for mutants of single places and nodes: they show them, and one shows many.
#include "inference/mutant_examples.h"

#include <gtest/gtest.h>

#include <set>
#include <tuple>

#include "model/evaluator.h"
#include "mutant_units.h"
#include "support/chains.h"

namespace mmaprint::mutant_examples_test {
namespace {

constexpr int kProducts = 16;

/// As a Hopper's FP64 is.
UnitModel chain_of_fmas(Rounding rounding) {
  ChainParameters values;
  values.block = exact_adder(Format::fp64, rounding);
  Chain chain;
  for (int i = 0; i < kProducts; ++i) chain.blocks.push_back({i});
  return chain_model("dot", kProducts, {Format::fp64, Format::fp64, Format::fp64, Format::fp64}, chain,
                     values, canonical_nan(Format::fp64));
}

/// Mutants whose names have these words.
Mutants mutants_with(const UnitModel& model, std::string_view words) {
  Mutants all = test::all_mutants(model);
  std::erase_if(all, [&](const Mutant& mutant) { return mutant.name.find(words) == std::string::npos; });
  return all;
}

/// Expects each to be shown by its example, and gives how many inputs these are.
std::size_t inputs_that_show(const UnitModel& model, std::string_view words, std::size_t mutants) {
  SCOPED_TRACE(words);
  const Mutants all = mutants_with(model, words);
  EXPECT_EQ(all.size(), mutants);
  std::set<std::tuple<std::vector<Pattern>, std::vector<Pattern>, Pattern>> inputs;
  for (const Mutant& mutant : all) {
    if (!mutant.aim.example) {
      ADD_FAILURE() << mutant.name << " has no example";
      continue;
    }
    const DotInput& in = *mutant.aim.example;
    const Pattern d = evaluate(model, in);
    EXPECT_NE(mutant.answer(in, d), d) << mutant.name;
    inputs.insert({in.a, in.b, in.c});
  }
  return inputs.size();
}

TEST(MutantExamples, ShowSignsOfZerosAtEveryPlaceByOneInputForEachRole) {
  for (const Rounding rounding : {Rounding::nearest_even, Rounding::toward_zero, Rounding::down}) {
    const UnitModel model = chain_of_fmas(rounding);
    EXPECT_LE(inputs_that_show(model, "taken for +0", 2 * kProducts + 1), 3U);
    EXPECT_LE(inputs_that_show(model, "taken for -0", kProducts + 1), 2U);
    EXPECT_LE(inputs_that_show(model, "a zero product", 2 * kProducts), 2U);
  }
}

TEST(MutantExamples, ShowFlushedAndDroppedOperandsAtEveryPlaceByOneInputForEachRole) {
  const UnitModel model = chain_of_fmas(Rounding::nearest_even);
  EXPECT_EQ(inputs_that_show(model, "subnormals flushed at", 2 * kProducts + 1), 3U);
  for (const char* least :
       {"is a zero where its exponent is below -1073", "is a zero where its exponent is below -1021"})
    EXPECT_EQ(inputs_that_show(model, least, 2 * kProducts + 1), 3U);
}

TEST(MutantExamples, ShowASignOfZeroAtEachNodeAlone) {
  const UnitModel down = chain_of_fmas(Rounding::down);
  EXPECT_EQ(inputs_that_show(down, "zero_sign.all_zero positive (not ieee) at node", kProducts), 1U);
  EXPECT_EQ(inputs_that_show(down, "zero_sign.cancelled positive (not ieee) at node", kProducts), kProducts);
  const UnitModel nearest = chain_of_fmas(Rounding::nearest_even);
  EXPECT_EQ(inputs_that_show(nearest, "zero_sign.rounded positive (not sign-of-sum) at node", kProducts),
            kProducts);
}

/// Two sums of two products each.
UnitModel sum_of_sums() {
  const Tree tree{
      {{{ProductLeaf{0}, ProductLeaf{1}}}, {{ProductLeaf{2}, ProductLeaf{3}}}, {{NodeLeaf{0}, NodeLeaf{1}}}}};
  ParameterValues values;
  values.adders = {exact_adder(Format::fp32, Rounding::down)};
  return unit_model("dot4", 4, {Format::fp16, Format::fp16, std::nullopt, Format::fp32}, {{}, tree}, values,
                    canonical_nan(Format::fp32));
}

/// The last node of these trees is exact; with F bits it is not.
TEST(MutantExamples, ShowHowManyBitsANodeKeepsBesideNumbersAndTies) {
  const Node even{{ProductLeaf{0}, ProductLeaf{2}}, 0, std::nullopt},
      other{{ProductLeaf{1}, ProductLeaf{3}}, 0, std::nullopt};
  const Tree of_sums{{even, other, {{NodeLeaf{0}, NodeLeaf{1}}, 1, std::nullopt}}};
  const Tree beside_c{{even, {{CLeaf{}, NodeLeaf{0}, ProductLeaf{1}, ProductLeaf{3}}, 1, std::nullopt}}};
  const Tree with_c{{{{ProductLeaf{0}, ProductLeaf{1}, ProductLeaf{2}, ProductLeaf{3}}, 0, std::nullopt},
                     {{CLeaf{}, NodeLeaf{0}}, 1, std::nullopt}}};
  using enum Rounding;
  for (const Tree& tree : {of_sums, beside_c, with_c})
    for (const Rounding rounding : {nearest_even, nearest_away, toward_zero, Rounding::odd, down, up})
      for (int f = 24; f <= 30; f += 2) {
        const std::size_t root = tree.nodes.size() - 1;
        const bool has_c = tree != of_sums;
        ParameterValues values{{exact_adder(Format::fp32, nearest_even), exact_adder(Format::fp32, rounding)},
                               {}};
        const Signature formats{Format::e4m3, Format::e4m3,
                                has_c ? std::optional(Format::fp32) : std::nullopt, Format::fp32};
        const UnitModel exact =
            unit_model("dot4", 4, formats, {{}, tree}, values, canonical_nan(Format::fp32));
        values.adders[1].alignment_fraction_bits = f;
        const UnitModel loses =
            unit_model("dot4", 4, formats, {{}, tree}, values, canonical_nan(Format::fp32));
        const auto input = mutants::with_lost_bits(exact, root, f);
        ASSERT_TRUE(input);
        // To nearest, away from zero, a tie is rounded up with what is lost and without.
        const bool shows = rounding != nearest_away || tree.nodes[root].operands.size() > 2;
        EXPECT_EQ(evaluate(exact, *input) != evaluate(loses, *input), shows)
            << "F " << f << ", rounding " << static_cast<int>(rounding) << ", nodes " << tree.nodes.size();
      }
}

TEST(MutantExamples, OfNodesThatAddSumsAloneCancelTheseSums) {
  EXPECT_EQ(inputs_that_show(sum_of_sums(), "zero_sign.cancelled positive (not ieee) at node", 3), 3U);
}

}  // namespace
}  // namespace mmaprint::mutant_examples_test
