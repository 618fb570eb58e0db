// The skeletons that are searched where a structure was measured.
#include "model/measured_skeletons.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "device/catalogue.h"
#include "model/joining.h"
#include "model/skeletons.h"
#include "model/structure_text.h"

namespace mmaprint::measured_skeletons_test {
namespace {

TEST(MeasuredSkeletons, AreSearchedOnceEach) {
  const Signature formats{Format::bf16, Format::bf16, Format::fp32, Format::fp32};
  std::size_t searched = 0;
  for (const int k : {1, 2, 3, 4, 8})
    for (const Skeleton& shape : wider_skeletons(k, formats))
      for (const MeasuredSkeletons& measured : measured_skeletons(joining_of(shape.tree), k, formats)) {
        searched += measured.skeletons.size();
        for (auto one = measured.skeletons.begin(); one != measured.skeletons.end(); ++one)
          EXPECT_EQ(std::find(one + 1, measured.skeletons.end(), *one), measured.skeletons.end())
              << "K = " << k;
      }
  EXPECT_GT(searched, 100U);
}

/// Even and odd products, the sum of both, and c: the sum of both is not seen.
TEST(MeasuredSkeletons, AreFirstThoseThatCarryOnWhatIsKnownToBe) {
  const auto unit = catalogued_model("mi300", "mfma.f32_32x32x16_fp8_bf8");
  ASSERT_TRUE(unit);
  const Joining even{.products = {0, 2, 4, 6, 8, 10, 12, 14}, .is_carried = true};
  const Joining odd{.products = {1, 3, 5, 7, 9, 11, 13, 15}, .is_carried = true};
  const auto measured = measured_skeletons({.c = true, .sums = {even, odd}}, 16, unit->formats);
  ASSERT_FALSE(measured.empty());
  const auto is_of_unit = [&](const Skeleton& one) { return one.tree == unit->tree; };
  EXPECT_TRUE(std::ranges::any_of(measured.front().skeletons, is_of_unit));
  for (const Skeleton& one : measured.front().skeletons) {
    const auto carries = [&](const Joining& sum) {
      return std::ranges::any_of(one.tree.nodes, [&](const Node& node) {
        return node.result.is_carried() && joining_of({{node}}).products == sum.products;
      });
    };
    EXPECT_TRUE(carries(even) && carries(odd)) << structure_text(one.tree);
  }
  // What each was is known from its skeletons alone.
  for (const MeasuredSkeletons& one : measured) {
    const auto like = measured_like(one.skeletons, 16, unit->formats);
    EXPECT_NE(std::ranges::find(like, one), like.end()) << structure_text(one.skeletons.front().tree);
  }
  // Not seen as carried, all is one sum to masks, whose named skeletons may carry, too, but come later.
  std::vector<int> all(16);
  std::iota(all.begin(), all.end(), 0);
  EXPECT_FALSE(std::ranges::any_of(
      measured_skeletons({.products = all, .c = true}, 16, unit->formats).front().skeletons, is_of_unit));
}

/// Without c, a sum that is carried on is rounded by a node that adds nothing to it.
TEST(MeasuredSkeletons, OfCarriedSumsWithoutCAreThoseOfTheirChain) {
  const Signature formats{Format::fp16, Format::fp16, std::nullopt, Format::fp32};
  Joining chain{.products = {4, 5, 6, 7}, .sums = {{.products = {0, 1, 2, 3}}}};
  const Tree carrying{
      {{{ProductLeaf{0}, ProductLeaf{1}, ProductLeaf{2}, ProductLeaf{3}}, 0, NodeResult::carried()},
       {{NodeLeaf{0}}, 1},
       {{ProductLeaf{4}, ProductLeaf{5}, ProductLeaf{6}, ProductLeaf{7}}, 0, NodeResult::carried()},
       {{NodeLeaf{2}, NodeLeaf{1}}, 1}}};
  EXPECT_EQ(joining_of(carrying).sums.size(), 2U);
  EXPECT_EQ(joining_of(carrying).sums.front(), (Joining{.products = {0, 1, 2, 3}}));
  std::size_t lists = 0;
  for (const MeasuredSkeletons& one : measured_skeletons(chain, 8, formats)) {
    ++lists;
    EXPECT_FALSE(measured_like(one.skeletons, 8, formats).empty());
  }
  EXPECT_GE(lists, 3U);
}

}  // namespace
}  // namespace mmaprint::measured_skeletons_test
