// The range in which all results of a unit's earlier nodes lie, against units that are run on all inputs.
#include "solver/node_range.h"

#include <gtest/gtest.h>

#include <cstdlib>

#include "model/evaluator.h"
#include "model/value.h"
#include "support/generate.h"

namespace mmaprint::node_range_test {
namespace {

using test::Random;
using enum Format;

constexpr Signature kTiny{e2m1, e2m1, e2m3, fp16};

/// One block of products that keeps everything, and what rounds it.
ChainParameters exact_blocks(Format d) { return {exact_adder(d, Rounding::nearest_even), {}, {}}; }

UnitModel chain_of(const Chain& chain, const Signature& formats) {
  int k = 0;
  for (const auto& block : chain.blocks) k += static_cast<int>(block.size());
  return chain_model("dot", k, formats, chain, exact_blocks(formats.d), canonical_nan(formats.d));
}

bool holds(const NodeRange& range, Format format, Pattern result) {
  const Value v = decode(format, result);
  if (v.nan || v.infinite || v.significand == 0) return true;
  int lowest = v.exponent - info(format).fraction_bits;
  std::uint64_t odd = v.significand;
  for (; odd % 2 == 0; odd /= 2) ++lowest;
  const int leading = lowest + static_cast<int>(std::bit_width(odd)) - 1;
  return lowest >= range.lowest_bit && leading <= range.largest_exponent;
}

TEST(NodeRange, HoldsEveryResultOfAUnitWithOneNode) {
  Random random(test::starting_seed(81));
  for (long i = 0; i < test::count(40); ++i) {
    const UnitModel model = chain_model(
        "dot", 1, kTiny, {{{0}}, CEnters::first},
        {test::random_adder(random, fp16), {}, test::random_conventions(random)}, canonical_nan(fp16));
    const NodeRange range = node_ranges(Side(model)).front();
    const Evaluator evaluator(model);
    for (Pattern a = 0; a < 16; ++a)
      for (Pattern b = 0; b < 16; ++b)
        for (Pattern c = 0; c < 64; ++c) {
          const Pattern d = evaluator({{a}, {b}, c});
          ASSERT_TRUE(holds(range, fp16, d)) << "a " << a << ", b " << b << ", c " << c << ": " << d << " in "
                                             << range.lowest_bit << ".." << range.largest_exponent;
        }
  }
}

TEST(NodeRange, IsThatOfWhatTheProductsCanBe) {
  // At most two products of 6 and 6, and multiples of a half and a half.
  const NodeRange range =
      node_ranges(Side(chain_of({{{0, 1}, {2}}, std::nullopt}, {e2m1, e2m1, {}, fp32}))).front();
  EXPECT_EQ(range.lowest_bit, -2);
  EXPECT_EQ(range.largest_exponent, 6) << "72 is below 2^7";
}

TEST(NodeRange, LeavesOutTheRootWhoseResultIsNobodysOperand) {
  const Signature formats{e4m3, e4m3, fp32, fp32};
  const NodeRange c_last = node_ranges(Side(chain_of({{{0, 1}}, CEnters::last}, formats))).front();
  EXPECT_EQ(c_last.lowest_bit, -18) << "of products alone";
  EXPECT_LE(c_last.largest_exponent, 18);
  const NodeRange alone = node_ranges(Side(chain_of({{{0, 1}}, CEnters::first}, formats))).front();
  EXPECT_EQ(alone.lowest_bit, -149) << "there is no other node, and it adds c";
}

TEST(NodeRange, OfProductsAloneIsFarFromCs) {
  UnitModel model = chain_of({{{0, 1, 2, 3}}, CEnters::first}, {e4m3, e4m3, fp32, fp32});
  model.tree.nodes = {{{CLeaf{}, ProductLeaf{0}}, 0},
                      {{ProductLeaf{1}, ProductLeaf{2}}, 0},
                      {{NodeLeaf{1}, ProductLeaf{3}}, 0},
                      {{NodeLeaf{0}, NodeLeaf{2}}, 0}};
  const std::vector<NodeRange> ranges = node_ranges(Side(model));
  EXPECT_EQ(ranges[0].largest_exponent, 127);
  EXPECT_EQ(ranges[0].lowest_bit, -149);
  for (const std::size_t n : {1U, 2U}) {
    EXPECT_LE(ranges[n].largest_exponent, 20) << n;
    EXPECT_EQ(ranges[n].lowest_bit, -18) << n;
  }
  EXPECT_EQ(have_c(model.tree), (std::vector<bool>{true, false, false, true}));
}

TEST(NodeRange, IsOneForAllNodes) {
  // The first block's results are c's last place, the others' could be no finer; and all sums get larger.
  const Signature formats{e2m1, e2m1, fp16, fp32};
  const NodeRange one = node_ranges(Side(chain_of({{{0}, {1}}, CEnters::first}, formats))).front();
  const NodeRange three =
      node_ranges(Side(chain_of({{{0}, {1}, {2}, {3}}, CEnters::first}, formats))).front();
  EXPECT_EQ(one.lowest_bit, -24) << "fp16's";
  EXPECT_EQ(three.lowest_bit, one.lowest_bit);
  EXPECT_GE(three.largest_exponent, one.largest_exponent);
  // Sums grow from node to node, and the first one's range holds the last one's, too; and of products alone.
  for (const auto c : {std::optional(CEnters::first), std::optional<CEnters>()}) {
    const Signature own{e2m1, e2m1, c ? std::optional(e2m1) : std::nullopt, fp32};
    const auto ranges = node_ranges(Side(chain_of({{{0}, {1}, {2}, {3}}, c}, own)));
    EXPECT_EQ(ranges[0].largest_exponent, ranges[2].largest_exponent);
    const auto fewer = node_ranges(Side(chain_of({{{0}, {1}}, c}, own)));
    EXPECT_LT(fewer[0].largest_exponent, ranges[0].largest_exponent);
  }
}

TEST(NodeRange, IsBoundedByTheFormatsAloneWhereSumsAreCarried) {
  UnitModel model = chain_of({{{0, 1}, {2}, {3}}, CEnters::first}, {e2m1, e2m1, fp16, fp32});
  model.adders.front().alignment_fraction_bits = 24;
  const NodeRange rounded = node_ranges(Side(model)).front();
  model.tree.nodes.front().result = NodeResult::carried();
  const NodeRange carried = node_ranges(Side(model)).front();
  EXPECT_LE(carried.lowest_bit, rounded.lowest_bit);
  EXPECT_GE(carried.largest_exponent, rounded.largest_exponent);
  EXPECT_LT(carried.largest_exponent, 127) << "far from all of D's";
}

TEST(NodeRange, OfASetHoldsThatOfEachMember) {
  const UnitModel model = chain_of({{{0, 1}, {2, 3}}, CEnters::first}, {e4m3, e4m3, fp16, fp32});
  Space space{"dot", 4, model.formats, {skeleton_of(model)}, Box(values_of(model)), NanResults::one_pattern};
  space.box[Parameter::alignment_fraction_bits] =
      ValueSet::range(AlignmentBitsDomain::index(2), AlignmentBitsDomain::index(30));
  const NodeRange all = node_ranges(Side(Hypotheses{&space, space.whole(0)})).front();
  for (const int f : {2, 10, 30}) {
    UnitModel one = model;
    one.adders.front().alignment_fraction_bits = f;
    const NodeRange its = node_ranges(Side(one)).front();
    EXPECT_GE(its.lowest_bit, all.lowest_bit) << f;
    EXPECT_LE(its.largest_exponent, all.largest_exponent) << f;
  }
}

TEST(NodeRange, KnowsNoBoxOfAModelWithMoreClassesThanASetCanHave) {
  UnitModel model = chain_of({{{0}, {1}}, CEnters::first}, kTiny);
  EXPECT_TRUE(box_of(Side(model)).has_value());
  model.adders.resize(kMostClasses + 1);
  EXPECT_FALSE(box_of(Side(model)).has_value());
}

}  // namespace
}  // namespace mmaprint::node_range_test
