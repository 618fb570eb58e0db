// Which alignments are said to round as exact sums do, pair by pair of exponents, against toy units of a
// product and c on every input; and how many of those that do so are known.
#include "solver/exponent_pairs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <iostream>

#include "layers/toys.h"
#include "model/evaluator.h"
#include "solver/exact_rounding.h"
#include "solver/members.h"

namespace mmaprint::exponent_pairs_test {
namespace {

using test::floating;
using test::Random;
using test::Toy;
using enum Parameter;

/// Products above c and below it, of bits below all that results have, and beyond their largest number.
std::vector<test::ToyFormats> formats() {
  return {{floating(2, 1, 1), floating(2, 1, 1), floating(3, 2, 3), floating(3, 2, 3)},
          {floating(2, 2, 3), floating(2, 1, 3), floating(3, 1, 2), floating(3, 2, 2)},
          {floating(2, 1, 4), floating(2, 1, 4), floating(3, 1, 2), floating(3, 1, 2)},
          {floating(3, 1, 4), floating(2, 1, 1), floating(2, 2, 2), floating(3, 1, 3)},
          {floating(2, 2, 1), floating(2, 2, 1), floating(2, 2, 1), floating(2, 2, 1)},
          {floating(2, 1, 0), floating(2, 1, 0), floating(3, 2, 3), floating(2, 1, 1)}};
}

struct Trial {
  Toy toy;
  ParameterValues values;
  PairAlignment alignment;
};

/// Anything that makes a difference to what is rounded to what.
Trial any_trial(Random& random, const test::ToyFormats& f) {
  const Tree tree =
      random.chance(1, 8) ? Tree{{{{ProductLeaf{0}}, 0, {}}}} : Tree{{{{CLeaf{}, ProductLeaf{0}}, 0, {}}}};
  Trial trial{Toy(f, 1, tree, {}), test::random_toy_values(random, f.d), {}};
  Adder& adder = trial.values.adders.front();
  test::align_plainly(adder);
  adder.extra_carry_bits = std::nullopt;
  trial.alignment = {random.between(2, 9),
                     random.pick({AlignmentRounding::truncate, AlignmentRounding::floor,
                                  AlignmentRounding::nearest_even, AlignmentRounding::sticky}),
                     random.chance(1, 2) ? std::optional(random.between(-7, 2)) : std::nullopt};
  adder.alignment_fraction_bits = trial.alignment.fraction_bits;
  adder.alignment_rounding = trial.alignment.rounding;
  adder.minimum_alignment_exponent = trial.alignment.clamp;
  trial.values.adders.assign(4, adder);
  return trial;
}

/// On every input as with all bits?
bool rounds_as_exact(Trial& trial) {
  ParameterValues exact = trial.values;
  exact.adders.front().alignment_fraction_bits = std::nullopt;
  bool all_alike = true;
  test::for_each_input(trial.toy, [&](const DotInput& input) {
    if (!all_alike) return;
    test::take(trial.toy, trial.values);
    const Pattern d = test::result<PlainLowering>(trial.toy, input);
    test::take(trial.toy, exact);
    all_alike = test::result<PlainLowering>(trial.toy, input) == d;
  });
  return all_alike;
}

TEST(ExponentPairs, RoundAsExactOnlyWhereEveryInputDoesAndAreKnownToWhereMostDo) {
  Random random(test::starting_seed(6'100));
  const long trials = test::count(150);
  long known = 0, not_known = 0;
  ProductsBeside products;
  for (long i = 0; i < trials; ++i)
    for (const auto& f : formats()) {
      Trial trial = any_trial(random, f);
      const Box box(trial.values);
      const auto bounds = node_bounds(trial.toy.plan, box);
      ASSERT_TRUE(bounds);
      ASSERT_TRUE(has_few_exponent_pairs(bounds->front()));
      const bool is_known =
          pairs_round_as_exact(trial.toy.plan.nodes.front(), box, bounds->front(), trial.alignment, products);
      const bool is_so = rounds_as_exact(trial);
      ASSERT_TRUE(is_so || !is_known) << test::describe(trial.toy, trial.values, {});
      if (is_so) ++(is_known ? known : not_known);
    }
  std::cout << known << " of " << known + not_known << " that round as exact ones are known\n";
  if (trials >= 100) {
    EXPECT_GT(known, not_known);
  }
}

/// Alignments of a few bits more than results have, of sums that are normalised at once: what is lost where a
/// sum has grown, and beside a tie below a power of two.
TEST(ExponentPairs, RoundAsExactWhereSumsGrowOnlyIfEveryInputDoes) {
  const std::vector<test::ToyFormats> all{
      {floating(2, 1, 1), floating(2, 1, 1), floating(2, 1, 1), floating(3, 1, 2)},
      {floating(2, 1, 1), floating(2, 1, 1), floating(3, 2, 3), floating(3, 1, 3)},
      {floating(2, 1, 2), floating(2, 1, 2), floating(3, 1, 3), floating(3, 2, 3)},
      {floating(2, 2, 1), floating(2, 0, 1), floating(3, 2, 3), floating(3, 1, 3)},
      {floating(2, 2, 1), floating(2, 2, 1), floating(3, 1, 5), floating(3, 3, 3)},
      {floating(2, 2, 3), floating(2, 2, 3), floating(3, 1, 2), floating(3, 1, 2)}};
  Random random(test::starting_seed(6'300));
  const long trials = test::count(400);
  long known = 0;
  ProductsBeside products;
  for (long i = 0; i < trials; ++i)
    for (const auto& f : all) {
      Trial trial = any_trial(random, f);
      Adder& adder = trial.values.adders.front();
      adder.rounding =
          random.pick({Rounding::nearest_even, Rounding::nearest_away, Rounding::toward_zero, Rounding::up});
      adder.normalisation = random.chance(3, 4) ? Normalisation::immediate : Normalisation::late;
      trial.alignment.fraction_bits = f.d.fraction_bits + random.between(1, 6);
      if (random.chance(2, 3)) trial.alignment.clamp = std::nullopt;
      adder.alignment_fraction_bits = trial.alignment.fraction_bits;
      adder.minimum_alignment_exponent = trial.alignment.clamp;
      const Box box(trial.values);
      const auto bounds = node_bounds(trial.toy.plan, box);
      ASSERT_TRUE(bounds);
      if (!pairs_round_as_exact(trial.toy.plan.nodes.front(), box, bounds->front(), trial.alignment,
                                products))
        continue;
      ++known;
      ASSERT_TRUE(rounds_as_exact(trial)) << test::describe(trial.toy, trial.values, {});
    }
  EXPECT_GT(known, trials / 4);
}

/// Products that a node of their own rounds where they are small, beside c: what is whole has two factors,
/// and what was rounded has any bits.
TEST(ExponentPairs, OfProductsThatWereRoundedWhereTheyAreSmallRoundAsExactOnlyIfEveryInputDoes) {
  const std::vector<test::ToyFormats> all{
      {floating(2, 1, 3), floating(2, 1, 2), floating(2, 4, 1), floating(2, 4, 1)},
      {floating(2, 1, 3), floating(2, 1, 3), floating(3, 1, 3), floating(3, 4, 3)},
      {floating(2, 2, 2), floating(2, 1, 2), floating(2, 5, 0), floating(2, 5, 0)},
      {floating(2, 2, 3), floating(2, 2, 3), floating(3, 1, 4), floating(3, 6, 2)}};
  Random random(test::starting_seed(6'400));
  const long trials = test::count(60);
  long known = 0, known_of_rounded = 0;
  ProductsBeside products;
  for (long i = 0; i < trials; ++i)
    for (const auto& f : all) {
      Trial trial = any_trial(random, f);
      trial.toy = Toy(f, 1, Tree{{{{ProductLeaf{0}}, 1, {}}, {{CLeaf{}, NodeLeaf{0}}, 0, {}}}}, {});
      Adder& adder = trial.values.adders.front();
      adder.output_fraction_bits = f.d.fraction_bits;
      Adder& of_product = trial.values.adders[1];
      of_product = exact_adder(Format::fp16, adder.rounding);
      of_product.output_fraction_bits = f.d.fraction_bits;
      trial.alignment.fraction_bits = f.d.fraction_bits + random.between(1, 6);
      adder.alignment_fraction_bits = trial.alignment.fraction_bits;
      const Box box(trial.values);
      const auto bounds = node_bounds(trial.toy.plan, box);
      ASSERT_TRUE(bounds);
      if (!pairs_round_as_exact(trial.toy.plan.nodes.back(), box, bounds->back(), trial.alignment, products))
        continue;
      ++known;
      known_of_rounded +=
          std::ranges::any_of(bounds->back().each,
                              [](const OperandAlone& x) { return x.product && x.product->whole_from; })
              ? 1
              : 0;
      ASSERT_TRUE(rounds_as_exact(trial)) << test::describe(trial.toy, trial.values, {});
    }
  std::cout << known << " known, " << known_of_rounded << " of them of rounded products\n";
  EXPECT_GT(known_of_rounded, trials / 8);
}

/// MI100's BF16 adds two rounded products: 2^15 + 1 is no product of two factors of eight bits, and so F = 39
/// is as good as any more.
TEST(ExponentPairs, KnowWhatProductsThatWereRoundedAre) {
  using enum Format;
  const Signature formats{bf16, bf16, fp32, fp32};
  const Tree tree{{{{ProductLeaf{0}}, 1, fp32},
                   {{ProductLeaf{1}}, 1, fp32},
                   {{NodeLeaf{0}, NodeLeaf{1}}, 0, fp32},
                   {{CLeaf{}, NodeLeaf{2}}, 1, {}}}};
  const Adder exact = exact_adder(fp32, Rounding::nearest_even);
  ParameterValues values{{exact, exact}, {}};
  for (const AlignmentRounding rounding :
       {AlignmentRounding::truncate, AlignmentRounding::floor, AlignmentRounding::nearest_even})
    for (const int f : {38, 39}) {
      values.adders[0].alignment_fraction_bits = f;
      values.adders[0].alignment_rounding = rounding;
      const Plan plan(formats, 2, {{}, tree});
      const Box box(values);
      const auto bounds = node_bounds(plan, box);
      ProductsBeside products;
      EXPECT_EQ(pairs_round_as_exact(plan.nodes[2], box, (*bounds)[2], {f, rounding, std::nullopt}, products),
                f == 39);
    }
}

/// With fewer values of a parameter's, or other ones, of one operand or two.
ValueSet any_values(Random& random, int most, const auto& any) {
  ValueSet values;
  for (int i = random.between(1, most); i > 0; --i) values.insert(any());
  return values;
}

/// A set is known from what loses most, and from what normalises most.
TEST(ExponentPairs, RoundAsExactWithEachFAndClampOfASetThatDoes) {
  Random random(test::starting_seed(6'200));
  const long trials = test::count(200);
  long known = 0;
  for (long i = 0; i < trials; ++i)
    for (const auto& f : formats()) {
      Trial trial = any_trial(random, f);
      Adder& adder = trial.values.adders.front();
      adder.normalisation = random.chance(2, 3) ? Normalisation::immediate : Normalisation::late;
      AlignmentValues alignment;
      alignment.roundings = ValueSet::single(static_cast<int>(trial.alignment.rounding));
      alignment.fraction_bits = any_values(random, 3, [&] { return random.between(2, 9); });
      alignment.clamps = any_values(random, 3, [&] {
        return ClampDomain::index(random.chance(1, 3) ? std::nullopt : std::optional(random.between(-9, 4)));
      });
      Box box(trial.values);
      box[{alignment_fraction_bits, 0}] = alignment.fraction_bits;
      box[{minimum_alignment_exponent, 0}] = alignment.clamps;
      const auto bounds = node_bounds(trial.toy.plan, box);
      ASSERT_TRUE(bounds);
      if (!rounds_as_exact(trial.toy.plan.nodes.front(), box, bounds->front(), alignment)) continue;
      ++known;
      for (const int bits : alignment.fraction_bits.values())
        for (const int clamp : alignment.clamps.values()) {
          adder.alignment_fraction_bits = AlignmentBitsDomain::value(bits);
          adder.minimum_alignment_exponent = ClampDomain::value(clamp);
          ASSERT_TRUE(rounds_as_exact(trial)) << test::describe(trial.toy, trial.values, {});
        }
    }
  EXPECT_GT(known, trials / 4);
}

/// Nothing is left of a product beside the smallest normal c: less that product it is flushed, if that is
/// asked before it is rounded.
TEST(ExponentPairs, KnowThatTheSmallestNormalNumberLessALittleMayBeFlushed) {
  const test::ToyFormats f{floating(2, 1, 6), floating(2, 1, 6), floating(3, 1, 2), floating(3, 1, 2)};
  Random random(1);
  Trial trial = any_trial(random, f);
  trial.toy = Toy(f, 1, {{{{CLeaf{}, ProductLeaf{0}}, 0, {}}}}, {});
  trial.alignment = {5, AlignmentRounding::truncate, std::nullopt};
  Adder adder = exact_adder(Format::fp16, Rounding::nearest_even);
  adder.alignment_fraction_bits = trial.alignment.fraction_bits;
  adder.alignment_rounding = trial.alignment.rounding;
  adder.output_fraction_bits = f.d.fraction_bits;
  trial.values = {{adder}, {}};
  trial.values.conventions.output_subnormals = Subnormals::flushed;
  for (const FlushTest test : {FlushTest::after, FlushTest::before}) {
    trial.values.conventions.flush_test = test;
    const Box box(trial.values);
    const auto bounds = node_bounds(trial.toy.plan, box);
    ProductsBeside products;
    const bool is_after = test == FlushTest::after;
    EXPECT_EQ(rounds_as_exact(trial), is_after);
    EXPECT_EQ(
        pairs_round_as_exact(trial.toy.plan.nodes.front(), box, bounds->front(), trial.alignment, products),
        is_after);
  }
}

/// FMAs of FP16 that keep no subnormal numbers, aligned with so many bits.
struct Fmas {
  ParameterValues values{{exact_adder(Format::fp16, Rounding::nearest_even)}, {}};
  Skeleton skeleton{{}, tree_of(Chain{{{0}}})};
  Signature formats{Format::fp16, Format::fp16, Format::fp16, Format::fp16};

  Fmas() {
    values.conventions.input_subnormals = values.conventions.c_subnormals = Subnormals::flushed;
    values.conventions.output_subnormals = Subnormals::flushed;
  }
  [[nodiscard]] bool are_known_to_round_as_exact(const PairAlignment& alignment) {
    align(alignment);
    const Plan plan(formats, 1, skeleton);
    const Box box(values);
    const auto bounds = node_bounds(plan, box);
    ProductsBeside products;
    return pairs_round_as_exact(plan.nodes.front(), box, bounds->front(), alignment, products);
  }
  [[nodiscard]] bool differ_from_exact(const PairAlignment& alignment, const DotInput& input) {
    align(alignment);
    const Pattern aligned = evaluate(unit(), input);
    align({100, AlignmentRounding::truncate, std::nullopt});
    return aligned != evaluate(unit(), input);
  }

 private:
  void align(const PairAlignment& alignment) {
    Adder& adder = values.adders.front();
    adder.alignment_fraction_bits = alignment.fraction_bits;
    adder.alignment_rounding = alignment.rounding;
    adder.minimum_alignment_exponent = alignment.clamp;
  }
  [[nodiscard]] UnitModel unit() const {
    return unit_model("fma", 1, formats, skeleton, values, canonical_nan(Format::fp16));
  }
};

/// 1527 times 1991 is 1 more than a tie; less all but 2^-11 of that 1, it is just above. The sum is cut
/// toward zero, and so c is cut up.
TEST(ExponentPairs, KnowThatASumThatHasGrownIsCutAndNotItsOperand) {
  Fmas fmas;
  const PairAlignment cut{31, AlignmentRounding::truncate, std::nullopt};
  const DotInput just_above_tie{{0x4df7}, {0x4bc7}, 0x87ff};
  for (const Normalisation when : {Normalisation::late, Normalisation::immediate}) {
    fmas.values.adders.front().normalisation = when;
    EXPECT_EQ(fmas.differ_from_exact(cut, just_above_tie), when == Normalisation::immediate);
    fmas.values.adders.front().product = ProductKind::exact_unnormalised;
    EXPECT_EQ(fmas.are_known_to_round_as_exact(cut), when == Normalisation::late);
    fmas.values.adders.front().rounding = Rounding::nearest_away;  // as what is above the tie
    EXPECT_TRUE(fmas.are_known_to_round_as_exact(cut));
    fmas.values.adders.front().rounding = Rounding::nearest_even;
  }
}

/// A half of the last place below a power of two is rounded to that, as what is above it is.
TEST(ExponentPairs, KnowTiesThatRoundingUpToMakesNoDifference) {
  Fmas fmas;
  fmas.values.adders.front().product = ProductKind::exact_unnormalised;
  for (const AlignmentRounding rounding : {AlignmentRounding::floor, AlignmentRounding::nearest_even}) {
    EXPECT_TRUE(fmas.are_known_to_round_as_exact({31, rounding, std::nullopt}));
    EXPECT_FALSE(fmas.are_known_to_round_as_exact({30, rounding, std::nullopt}));
  }
}

/// 2047 times 2047 leaves 2^-22 less than 2^-8 of 4: a sticky bit in the last place above that is as good.
TEST(ExponentPairs, KnowTheOnlyProductThatLeavesLittle) {
  using enum Format;
  const Plan plan({fp16, fp16, fp16, fp16}, 1, {{}, tree_of(Chain{{{0}}})});
  ParameterValues values{{exact_adder(fp16, Rounding::toward_zero)}, {}};
  values.conventions.input_subnormals = values.conventions.c_subnormals = Subnormals::flushed;
  values.conventions.output_subnormals = Subnormals::flushed;
  const auto is_known = [&](int f, std::optional<int> clamp) {
    Adder& adder = values.adders.front();
    adder.alignment_fraction_bits = f;
    adder.alignment_rounding = AlignmentRounding::sticky;
    adder.minimum_alignment_exponent = clamp;
    const Box box(values);
    const auto bounds = node_bounds(plan, box);
    ProductsBeside products;
    return pairs_round_as_exact(plan.nodes.front(), box, bounds->front(),
                                {f, AlignmentRounding::sticky, clamp}, products);
  };
  EXPECT_TRUE(is_known(21, std::nullopt));
  EXPECT_FALSE(is_known(20, std::nullopt));
  // With subnormal results flushed, places down to 2^-24 decide.
  EXPECT_TRUE(is_known(21, -4));
  EXPECT_FALSE(is_known(21, -3));
}

}  // namespace
}  // namespace mmaprint::exponent_pairs_test
