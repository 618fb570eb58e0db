// Structures measured by masks, of trees that nobody named.
#include "inference/structure.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "inference/masked_levels.h"
#include "inference/masking.h"
#include "model/evaluator.h"
#include "model/skeletons.h"
#include "model/structure_text.h"
#include "skeleton_units/skeleton_unit.h"
#include "support/random.h"
#include "whole_search.h"

namespace mmaprint::structure_test {
namespace {

using enum Format;
using samples::aligned;

constexpr Signature kFp16{fp16, fp16, fp32, fp32};

/// A sum of some of these leaves, in any way; `c` is one of them.
Joining random_joining(test::Random& random, std::vector<int> leaves, int c) {
  Joining node;
  const auto parts =
      static_cast<std::size_t>(random.between(2, std::min<int>(9, static_cast<int>(leaves.size()))));
  std::vector<std::vector<int>> split(parts);
  for (std::size_t i = 0; i < leaves.size(); ++i)
    split[i < parts ? i
                    : static_cast<std::size_t>(
                          random.between(0, random.chance(1, 2) ? 0 : static_cast<int>(parts) - 1))]
        .push_back(leaves[i]);
  for (std::vector<int>& part : split) {
    if (part.size() > 1)
      node.sums.push_back(random_joining(random, std::move(part), c));
    else if (part.front() == c)
      node.c = true;
    else
      node.products.push_back(part.front());
  }
  return node;
}
Joining random_joining(test::Random& random, int k, bool with_c) {
  std::vector<int> leaves(static_cast<std::size_t>(k + (with_c ? 1 : 0)));
  std::iota(leaves.begin(), leaves.end(), 0);
  for (std::size_t i = leaves.size(); i > 1; --i)
    std::swap(leaves[i - 1], leaves[static_cast<std::size_t>(random.between(0, static_cast<int>(i) - 1))]);
  return random_joining(random, std::move(leaves), k);
}

UnitModel unit_of(const Tree& tree, int k, const Signature& formats, const Adder& adder) {
  ParameterValues values;
  values.adders.assign(static_cast<std::size_t>(classes_of(tree)), adder);
  return unit_model("dot", k, formats, {{}, tree}, values, canonical_nan(formats.d));
}

/// What is measured of a unit, and by how many inputs.
struct Found {
  std::optional<Joining> structure;
  std::size_t inputs = 0;
};
Found measured(const UnitModel& unit) {
  const Evaluator evaluator(unit);
  Found found;
  const AskAll ask = [&](std::span<const DotInput> inputs) {
    std::vector<Pattern> all;
    for (const DotInput& input : inputs) all.push_back(evaluator(input));
    found.inputs += inputs.size();
    return std::optional(all);
  };
  found.structure = measured_structure(unit.k, unit.formats, ask);
  return found;
}
std::string text_of(const std::optional<Joining>& structure) {
  return structure ? structure_text(tree_of(*structure)) : "nothing";
}
std::size_t expect_measured(const UnitModel& unit) {
  const Joining actual = joining_of(unit.tree);
  const Found found = measured(unit);
  EXPECT_EQ(text_of(found.structure), text_of(actual));
  EXPECT_LE(found.inputs, 9 * most_masking_inputs(unit.k));
  return found.inputs;
}

TEST(Structure, IsMeasuredOfAnyTreeWhoseNodesLoseWhatIsSmall) {
  const std::uint64_t seed = test::starting_seed(20261);
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  test::Random random(seed);
  for (long n = test::count(200); n > 0; --n) {
    const int k = random.between(2, 32);
    const bool with_c = random.chance(2, 3);
    Signature formats = kFp16;
    if (!with_c) formats.c = std::nullopt;
    const Tree tree = tree_of(random_joining(random, k, with_c));
    Adder adder =
        aligned(random.between(10, 30), random.pick({Rounding::nearest_even, Rounding::toward_zero}), fp32);
    adder.alignment_rounding = random.pick({AlignmentRounding::truncate, AlignmentRounding::nearest_even});
    expect_measured(unit_of(tree, k, formats, adder));
  }
}

TEST(Structure, IsMeasuredOfAnyTreeWhoseNodesAddExactly) {
  const std::uint64_t seed = test::starting_seed(20262);
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  test::Random random(seed);
  for (long n = test::count(200); n > 0; --n) {
    const int k = random.between(2, 24);
    const bool with_c = random.chance(2, 3);
    Signature formats = kFp16;
    if (!with_c) formats.c = std::nullopt;
    expect_measured(unit_of(tree_of(random_joining(random, k, with_c)), k, formats,
                            exact_adder(fp32, Rounding::nearest_even)));
  }
}

/// M that cancelled still has its say where such a sum joins others, and all that is small is lost there.
TEST(Structure, TellsSumsThatAreCarriedOnFromWhatTheyJoin) {
  const std::uint64_t seed = test::starting_seed(20264);
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  test::Random random(seed);
  for (long n = test::count(100); n > 0; --n) {
    const int sums = random.between(2, 4), size = random.between(3, 8), k = sums * size;
    Joining join{{}, true};
    for (int i = 0; i < sums; ++i) join.sums.push_back({.is_carried = true});
    const bool is_interleaved = random.chance(1, 2);
    for (int p = 0; p < k; ++p)
      join.sums[static_cast<std::size_t>(is_interleaved ? p % sums : p / size)].products.push_back(p);
    Tree tree = tree_of(join);
    tree.nodes.back().adder = 1;
    UnitModel unit = unit_of(tree, k, kFp16, aligned(random.between(12, 24), Rounding::nearest_even, fp32));
    unit.adders.back().alignment_fraction_bits =
        *unit.adders.front().alignment_fraction_bits + random.between(6, 12);
    if (random.chance(1, 2)) unit.adders.back().alignment_rounding = AlignmentRounding::floor;
    EXPECT_EQ(text_of(measured(unit).structure), text_of(joining_of(unit.tree)));
  }
}

/// (c + (p0 + .. + p7)~ + (p8 + .. + p15)): M that cancels in the rounded sum has no say afterwards.
TEST(Structure, DoesNotTakeARoundedSumBesideOneThatIsCarriedOnForSuch) {
  Joining carried{.is_carried = true}, rounded;
  for (int p = 0; p < 8; ++p) carried.products.push_back(p), rounded.products.push_back(p + 8);
  Tree tree = tree_of({.c = true, .sums = {carried, rounded}});
  tree.nodes[0].adder = 0;
  tree.nodes[1].adder = tree.nodes[2].adder = 1;
  for (const int bits : {14, 18, 24}) {
    UnitModel unit = unit_of(tree, 16, kFp16, aligned(bits, Rounding::nearest_even, fp32));
    unit.adders.back().alignment_fraction_bits = bits + 7;
    const Joining found = joining_of(tree_of(measured(unit).structure.value()));
    // The carried one may stay unseen: its products then join c.
    EXPECT_NE(text_of(found).find("(p8..15)"), std::string::npos) << text_of(found);
    EXPECT_EQ(text_of(found).find("(p8..15)~"), std::string::npos) << text_of(found);
  }
}

TEST(Structure, IsMeasuredOfFewProductsWhateverTheRounding) {
  const std::uint64_t seed = test::starting_seed(20263);
  SCOPED_TRACE(testing::Message() << "seed " << seed);
  test::Random random(seed);
  for (long n = test::count(200); n > 0; --n) {
    const int k = random.between(2, 6);
    Adder adder = exact_adder(fp32, random.pick({Rounding::toward_zero, Rounding::up, Rounding::down,
                                                 Rounding::nearest_away, Rounding::odd}));
    if (random.chance(1, 2)) {
      adder.alignment_fraction_bits = random.between(10, 30);
      adder.alignment_rounding = random.pick({AlignmentRounding::floor, AlignmentRounding::sticky});
    }
    expect_measured(unit_of(tree_of(random_joining(random, k, true)), k, kFp16, adder));
  }
}

TEST(Structure, IsMeasuredOfNearlyAllUnitsWhateverTheirParameters) {
  int measured_right = 0, units = 0;
  const std::uint64_t first = test::starting_seed(1);
  for (long n = test::count(20); n > 0; --n)
    for (const auto family :
         {test::SkeletonFamily::chain, test::SkeletonFamily::groups, test::SkeletonFamily::split_k,
          test::SkeletonFamily::skewed, test::SkeletonFamily::pairwise}) {
      const UnitModel unit = test::skeleton_unit(family, first + static_cast<std::uint64_t>(n));
      ++units;
      measured_right += text_of(measured(unit).structure) == text_of(joining_of(unit.tree)) ? 1 : 0;
    }
  EXPECT_GE(20 * measured_right, 19 * units) << "seeds from " << first << " on";
}

/// Four units that are added before they join the others are none where no carry bit holds their sum.
TEST(Structure, IsMeasuredWhereSumsWrap) {
  Adder adder = aligned(10, Rounding::nearest_even, fp32);
  for (const auto alignment : {AlignmentRounding::truncate, AlignmentRounding::floor})
    for (const int carry : {0, 1})
      for (const int k : {8, 12}) {
        adder.alignment_rounding = alignment;
        adder.extra_carry_bits = carry;
        Joining root{{}, true, {{{}, false, {}}}};
        for (int i = 0; i < k; ++i)
          (i < (2 << (carry + 1)) ? root.sums.front().products : root.products).push_back(i);
        expect_measured(unit_of(tree_of(root), k, kFp16, adder));
      }
}

TEST(Structure, TakesFewInputs) {
  const Adder truncating = aligned(25, Rounding::toward_zero, fp32);
  const Adder exact = exact_adder(fp32, Rounding::nearest_even);
  for (const int k : {8, 16, 32, 64, 128})
    for (const int width : {1, 4, 8}) {
      Chain chain;
      for (int i = 0; i < k; i += width) {
        chain.blocks.emplace_back(static_cast<std::size_t>(width));
        std::iota(chain.blocks.back().begin(), chain.blocks.back().end(), i);
      }
      const std::size_t inputs =
          expect_measured(unit_of(tree_of(chain), k, kFp16, width == 1 ? exact : truncating));
      RecordProperty("inputs_k" + std::to_string(k) + "_w" + std::to_string(width), static_cast<int>(inputs));
      EXPECT_LE(inputs, static_cast<std::size_t>(3 * k + 12));
    }
  for (const int k : {8, 16, 32, 64}) {
    const std::size_t inputs = expect_measured(unit_of(pairwise_tree(k), k, kFp16, exact));
    RecordProperty("inputs_pairwise_k" + std::to_string(k), static_cast<int>(inputs));
  }
}

TEST(Structure, IsNotMeasuredWhereNothingHidesBesideAnything) {
  const UnitModel unit =
      unit_of(pairwise_tree(8), 8, {e2m1, e2m1, fp32, fp32}, exact_adder(fp32, Rounding::nearest_even));
  EXPECT_EQ(measured(unit).structure, std::nullopt);
}

TEST(Structure, IsNotMadeUpWhereAnswersFitNoTree) {
  test::Random random(test::starting_seed(20264));
  for (int n = 0; n < 50; ++n) {
    const AskAll ask = [&](std::span<const DotInput> inputs) {
      std::vector<Pattern> all(inputs.size());
      for (Pattern& d : all) d = random.bits() & 0xffffffff;
      return std::optional(all);
    };
    EXPECT_EQ(measured_structure(8, kFp16, ask), std::nullopt);
  }
}

}  // namespace
}  // namespace mmaprint::structure_test
