// Units without c through an identification, and the questions about them.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "device/simulated.h"
#include "inference/inputs.h"
#include "inference/minimal.h"
#include "inference/simplify.h"
#include "model/evaluator.h"
#include "model/skeletons.h"
#include "support/random.h"
#include "whole_search.h"

namespace mmaprint::no_c_test {
namespace {

using enum Format;
using samples::aligned;
using samples::characterised;
using samples::expect_found;
using samples::for_finding;
using Verdict = Identification::Verdict;

constexpr Signature kFormats{fp16, fp16, std::nullopt, fp32};

UnitModel two_blocks(int f) {
  return chain_model("dot8", 8, kFormats, {{{0, 1, 2, 3}, {4, 5, 6, 7}}, std::nullopt},
                     {aligned(f, Rounding::toward_zero, fp32), {}, {}}, 0x7fffffff);
}

TEST(UnitsWithoutC, AreIdentifiedFromADevice) {
  if (test::counts_are_reduced()) GTEST_SKIP() << test::kTakesMinutesThen;
  expect_found(two_blocks(24));
  const Characterisation found = characterised(two_blocks(24), for_finding());
  EXPECT_EQ(chain_of(found.result.model->tree)->blocks, chain_of(two_blocks(24).tree)->blocks);
  EXPECT_EQ(found.result.model->adders.front().alignment_fraction_bits, 24);
}

TEST(UnitsWithoutC, OfIntegersAreIdentified) {
  ParameterValues values{{exact_adder(int32, Rounding::nearest_even)}, {}};
  values.conventions.overflow = Overflow::saturate;
  expect_found(unit_model("dot4", 4, {int8, int8, std::nullopt, int32},
                          {{}, tree_of(Chain{{{0, 1, 2, 3}}, std::nullopt})}, values, std::nullopt));
}

TEST(UnitsWithoutC, OfFormatsWithoutNanAreIdentifiedThoughNoneIsSeen) {
  const UnitModel hidden =
      chain_model("dot4", 4, {e2m1, e2m1, std::nullopt, fp16}, {{{0, 1, 2, 3}}, std::nullopt},
                  {exact_adder(fp16, Rounding::nearest_even), {}, {}}, std::nullopt);
  const Space space = default_space("dot4", 4, hidden.formats);
  EXPECT_EQ(space.nan_results, NanResults::several);
  EXPECT_EQ(default_space("dot4", 4, {e2m1, e2m1, fp16, fp16}).nan_results, NanResults::one_pattern);
  // The unit's own hypotheses alone: there are very many that small numbers can't tell apart.
  SimulatedUnit device("hidden", "hidden", {hidden});
  VersionSpace own{{0, Box(values_of(hidden)), canonical_nan(fp16)}};
  own.front().box[Parameter::overflow] = ValueSet::range(0, 1);
  const Identification found = identify(space, own, device, {"dot4", 4, hidden.formats}, {}, {}, {});
  EXPECT_EQ(found.verdict(), Verdict::equivalent) << found.reason();
  ASSERT_TRUE(found.model);
  EXPECT_EQ(found.model->nan, NanBehaviour(SeveralNans{}));
}

TEST(UnitsWithoutC, AreFoundAmongWiderSkeletons) {
  if (test::counts_are_reduced()) GTEST_SKIP() << test::kTakesMinutesThen;
  const auto wider = wider_skeletons(4, {bf16, bf16, std::nullopt, bf16});
  EXPECT_NE(std::ranges::find(wider, Skeleton{{}, pairwise_tree_without_c(4)}), wider.end());
  expect_found(chain_model("dot4", 4, {bf16, bf16, std::nullopt, bf16},
                           {{{0, 1}, {2, 3}}, std::nullopt, Inside{fp32, true}},
                           {aligned(24, Rounding::toward_zero, fp32), Rounding::nearest_even, {}}, 0x7fff));
}

/// With immediate normalisation the first addend keeps its bits; after +0 it does not.
TEST(UnitsWithoutC, ThatStartFromZeroAreAmongWiderSkeletons) {
  UnitModel from_zero = two_blocks(23);
  auto& first = from_zero.tree.nodes.front().operands;
  first.insert(first.begin(), ZeroLeaf{});
  const auto wider = wider_skeletons(8, kFormats);
  EXPECT_NE(std::ranges::find(wider, skeleton_of(from_zero)), wider.end());
}

TEST(UnitsWithoutC, ThatContradictThemselvesHaveThePairAsConflict) {
  const UnitModel model = two_blocks(24);
  const DotInput input = InputGenerator(8, kFormats, 3).next();
  const Pattern d = evaluate(model, input);
  SimulatedUnit device("hidden", "hidden", {model});
  const Search search = search_for("dot8", 8, kFormats);
  const Identification found = identify(search.space, search.space.whole(), device, {"dot8", 8, kFormats},
                                        {{input, d}, {input, d ^ 1U}}, {}, {});
  EXPECT_EQ(found.verdict(), Verdict::none);
  EXPECT_EQ(found.conflict.size(), 2U);
}

TEST(UnitsWithoutC, AreAskedWithoutOne) {
  for (const Signature& formats : {kFormats, Signature{int8, int8, std::nullopt, int32}})
    for (const int k : {1, 2, 8}) {
      InputGenerator inputs(k, formats, 5);
      DotInput last = inputs.next();
      for (const InputFamily family :
           {InputFamily::any, InputFamily::edges, InputFamily::few_addends, InputFamily::chained_ties})
        for (int i = 0; i < 5000; ++i) {
          EXPECT_EQ(inputs.mutated(last).c, 0U);
          last = inputs.next(family);
          EXPECT_EQ(last.c, 0U);
        }
    }
  InputGenerator inputs(2, kFormats, 5);
  EXPECT_TRUE(is_nan(fp32, evaluate(two_blocks(24), InputGenerator(8, kFormats, 5).with_nan())));
  // Where c would join a product, another product does.
  int two = 0;
  for (int i = 0; i < 100; ++i) {
    const DotInput in = inputs.next(InputFamily::few_addends);
    two += in.a[0] != 0 && in.a[1] != 0 ? 1 : 0;
  }
  EXPECT_GT(two, 90);
}

TEST(UnitsWithoutC, DifferSmallestInProductsAlone) {
  for (const auto& [first, second] : {std::pair(two_blocks(24), two_blocks(25))}) {
    const auto found = smallest_difference(first, second, {});
    ASSERT_TRUE(std::holds_alternative<Different>(found));
    const auto& different = std::get<Different>(found);
    EXPECT_EQ(different.input.c, 0U);
    EXPECT_TRUE(different.terms_minimal());
    EXPECT_EQ(evaluate(first, different.input), different.left);
    EXPECT_EQ(evaluate(second, different.input), different.right);
    EXPECT_NE(different.left, different.right);
  }
  UnitModel other_class = two_blocks(24);
  EXPECT_TRUE(std::holds_alternative<SameEverywhere>(smallest_difference(two_blocks(24), other_class, {})));
  other_class.formats.c = fp32;
  EXPECT_THROW((void)smallest_difference(two_blocks(24), other_class, {}), std::invalid_argument);
}

TEST(UnitsWithoutC, HaveNoFreeCInFormulas) {
  if (test::counts_are_reduced()) GTEST_SKIP() << test::kTakesMinutesThen;
  for (const Solver solver : {Solver::cadical, Solver::z3}) {
    const auto checker = make_checker(solver);
    const auto found = checker->distinguish(two_blocks(24), two_blocks(13), {}, {});
    ASSERT_TRUE(std::holds_alternative<Witness>(found));
    EXPECT_EQ(std::get<Witness>(found).input.c, 0U);
    EXPECT_NE(evaluate(two_blocks(24), std::get<Witness>(found).input),
              evaluate(two_blocks(13), std::get<Witness>(found).input));
  }
}

TEST(UnitsWithoutC, AreMadeSimplerInProductsAlone) {
  const UnitModel model = two_blocks(24);
  const DotInput input = InputGenerator(8, kFormats, 11).next();
  const Shows always = [](std::span<const DotInput> inputs) {
    EXPECT_TRUE(std::ranges::all_of(inputs, [](const DotInput& in) { return in.c == 0; }));
    return std::optional(std::vector<bool>(inputs.size(), true));
  };
  const DotInput simple = simplified(model.formats, input, always);
  EXPECT_EQ(simple, (DotInput{std::vector<Pattern>(8, 0), std::vector<Pattern>(8, 0), 0}));
}

}  // namespace
}  // namespace mmaprint::no_c_test
