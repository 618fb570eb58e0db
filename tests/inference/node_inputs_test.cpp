// Inputs that meet at one node: where their operands stand.
#include "inference/node_inputs.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <set>
#include <utility>

#include "support/random.h"

namespace mmaprint::node_inputs_test {
namespace {

using enum Format;

constexpr std::uint64_t kSeed = 7'300;
constexpr Signature kFormats{fp16, fp16, fp32, fp32};

/// c + ((p0 + p1) + (p2 + p3)), its leaves of one class and what adds their sums of another.
Tree pairs() {
  const auto node = [](std::vector<Leaf> operands, int of_class) {
    return Node{std::move(operands), of_class};
  };
  return {{node({ProductLeaf{0}, ProductLeaf{1}}, 0), node({ProductLeaf{2}, ProductLeaf{3}}, 0),
           node({NodeLeaf{0}, NodeLeaf{1}}, 1), node({CLeaf{}, NodeLeaf{2}}, 1)}};
}

/// The products in use; 4 stands for c.
std::set<int> in_use(const DotInput& input) {
  std::set<int> all;
  for (int k = 0; std::cmp_less(k, input.a.size()); ++k)
    if (input.a[static_cast<std::size_t>(k)] != 0) all.insert(k);
  if (input.c != 0) all.insert(4);
  return all;
}

TEST(InputsAtNodes, MeetInLeavesOfATreeAsOftenAsInWhatAddsTheirSums) {
  const std::uint64_t seed = test::starting_seed(kSeed);
  InputsAtNodes inputs(4, kFormats, seed);
  const std::set<std::set<int>> leaves{{0, 1}, {2, 3}};
  int in_leaves = 0, elsewhere = 0;
  constexpr int kInputs = 2000;
  for (int n = 0; n < kInputs; ++n)
    ++(leaves.contains(in_use(inputs.next(pairs(), InputFamily::few_bits))) ? in_leaves : elsewhere);
  EXPECT_GT(in_leaves, kInputs / 5) << "seed " << seed;
  EXPECT_GT(elsewhere, kInputs / 5) << "seed " << seed;
}

/// Of an operand of the leaf, and by one of the other leaf, which is its negative.
TEST(InputsAtNodes, MayLoseAnOperandAgainWhereTheNodesResultJoins) {
  const std::uint64_t seed = test::starting_seed(kSeed);
  InputsAtNodes inputs(4, kFormats, seed);
  int cancelled = 0;
  for (int n = 0; n < 2000; ++n) {
    const DotInput input = inputs.next(pairs(), InputFamily::few_bits);
    if (in_use(input) != std::set{0, 1, 2}) continue;
    const auto is_negative_of = [&](std::size_t k) {
      return input.a[2] == negated(info(fp16), input.a[k]) && input.b[2] == input.b[k];
    };
    cancelled += is_negative_of(0) || is_negative_of(1) ? 1 : 0;
  }
  EXPECT_GT(cancelled, 20) << "seed " << seed;
}

/// By one operand each; what is taken away again stands elsewhere.
bool meet_at_a_node(const std::set<int>& all) {
  const std::vector<std::vector<std::set<int>>> nodes{
      {{0}, {1}}, {{2}, {3}}, {{0, 1}, {2, 3}}, {{4}, {0, 1, 2, 3}}};
  return std::ranges::any_of(nodes, [&](const std::vector<std::set<int>>& operands) {
    const auto met = std::ranges::count_if(operands, [&](const std::set<int>& operand) {
      return std::ranges::any_of(operand, [&](int leaf) { return all.contains(leaf); });
    });
    return met == 2 && all.size() <= 3;
  });
}

TEST(InputsAtNodes, HaveTwoOperandsOfANodeAndAtMostOneThatIsTakenAwayAgain) {
  const std::uint64_t seed = test::starting_seed(kSeed);
  InputsAtNodes inputs(4, kFormats, seed);
  int two = 0;
  for (int n = 0; n < 2000; ++n) {
    const std::set<int> all = in_use(inputs.next(pairs(), InputFamily::few_bits));
    EXPECT_LE(all.size(), 3U) << "seed " << seed << ", input " << n;
    if (all.size() < 2) continue;
    EXPECT_TRUE(meet_at_a_node(all)) << "seed " << seed << ", input " << n;
    ++two;
  }
  EXPECT_GT(two, 1000) << "seed " << seed;
}

TEST(InputsAtNodes, HaveNoCWhereThereIsNone) {
  const Tree chain{{Node{{ProductLeaf{0}, ProductLeaf{1}}, 0}, Node{{NodeLeaf{0}, ProductLeaf{2}}, 1}}};
  const std::uint64_t seed = test::starting_seed(kSeed);
  InputsAtNodes inputs(3, {fp16, fp16, std::nullopt, fp32}, seed);
  for (int n = 0; n < 500; ++n) {
    const DotInput input = inputs.next(chain, InputFamily::any);
    EXPECT_EQ(input.c, 0U) << "seed " << seed;
    EXPECT_EQ(input.a.size(), 3U);
  }
}

TEST(InputsAtNodes, HaveAllScales) {
  const Scales blocks{ue8m0, 4};
  const Signature formats{e4m3, e4m3, fp32, fp32, blocks, blocks};
  InputsAtNodes inputs(4, formats, test::starting_seed(kSeed));
  for (int n = 0; n < 100; ++n) {
    const DotInput input = inputs.next(pairs(), InputFamily::few_low_bits);
    EXPECT_EQ(input.sa.size(), 1U);
    EXPECT_EQ(input.sb.size(), 1U);
  }
}

TEST(InputsAtNodes, AreTheSameWithTheSameSeed) {
  InputsAtNodes one(4, kFormats, 5), other(4, kFormats, 5);
  for (int n = 0; n < 100; ++n)
    EXPECT_EQ(one.next(pairs(), InputFamily::any), other.next(pairs(), InputFamily::any));
}

/// Classes of a document's skeleton may have no node.
TEST(InputsAtNodes, MeetInNodesWhateverClassesHaveNone) {
  InputsAtNodes inputs(2, kFormats, kSeed);
  const Tree tree{{{{CLeaf{}, ProductLeaf{0}, ProductLeaf{1}}, 2, {}}}};
  for (int n = 0; n < 100; ++n) EXPECT_FALSE(in_use(inputs.next(tree, InputFamily::few_addends)).empty());
}

}  // namespace
}  // namespace mmaprint::node_inputs_test
