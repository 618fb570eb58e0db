// Units are compared node by node, one after the other or side by side.
#include "solver/by_nodes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <mutex>
#include <thread>
#include <utility>

#include "base/deadline.h"
#include "model/evaluator.h"
#include "support/chains.h"

namespace mmaprint::by_nodes_test {
namespace {

/// Three nodes of different shapes: the first one has c, the last one's results are the unit's.
UnitModel of_three_nodes() {
  const Signature formats{Format::fp16, Format::fp16, Format::fp32, Format::fp32};
  return chain_model("chain", 6, formats, Chain{{{0, 1}, {2, 3}, {4, 5}}, CEnters::first}, ChainParameters{},
                     canonical_nan(formats.d));
}

struct Asked {
  std::size_t node;
  std::int64_t steps;
  int threads;
  friend bool operator==(const Asked&, const Asked&) = default;
};

/// Says what it was asked; each answer takes it ten steps.
class Noting final : public EquivalenceChecker {
 public:
  explicit Noting(std::optional<std::size_t> open) : open_(open) {}
  [[nodiscard]] std::string_view name() const override { return "noting"; }
  [[nodiscard]] Distinction distinguish(const Side&, const Side&, const Restriction&,
                                        const Limits&) const override {
    return Unknown{};
  }
  [[nodiscard]] Distinction compare_node(const Side&, const Side&, std::size_t node, const OperandFacts&,
                                         const Limits& limits) const override {
    *limits.spent += 10;
    const std::lock_guard lock(mutex_);
    asked_.push_back({node, *limits.steps, limits.threads});
    if (node == open_) return Unknown{};
    return Equivalent{};
  }
  /// By node.
  [[nodiscard]] std::vector<Asked> asked() const {
    std::vector<Asked> all = asked_;
    std::ranges::sort(all, {}, &Asked::node);
    return all;
  }

 private:
  std::optional<std::size_t> open_;
  mutable std::mutex mutex_;
  mutable std::vector<Asked> asked_;
};

struct Outcome {
  bool is_equivalent;
  std::int64_t spent;
  std::vector<Asked> asked;
};
Outcome compared(int threads, std::optional<std::size_t> open = std::nullopt) {
  const UnitModel unit = of_three_nodes();
  const Noting checker(open);
  Outcome outcome{false, 0, {}};
  Limits limits;
  limits.steps = 1'000;
  limits.threads = threads;
  limits.spent = &outcome.spent;
  outcome.is_equivalent = std::holds_alternative<Equivalent>(compare_by_nodes(checker, unit, unit, limits));
  outcome.asked = checker.asked();
  return outcome;
}

TEST(Nodes, AreComparedOneAfterTheOtherWithHalfOfWhatIsLeftWhereMoreFollow) {
  const Outcome outcome = compared(1);
  EXPECT_TRUE(outcome.is_equivalent);
  EXPECT_EQ(outcome.spent, 30);
  EXPECT_EQ(outcome.asked, (std::vector<Asked>{{0, 500, 1}, {1, 495, 1}, {2, 980, 1}}));
}

TEST(Nodes, AreComparedSideBySideWithTheSameShareEach) {
  const Outcome outcome = compared(2);
  EXPECT_TRUE(outcome.is_equivalent);
  EXPECT_EQ(outcome.spent, 30);
  EXPECT_EQ(outcome.asked, (std::vector<Asked>{{0, 334, 1}, {1, 334, 1}, {2, 980, 2}}));
  EXPECT_EQ(compared(7).asked, (std::vector<Asked>{{0, 334, 2}, {1, 334, 2}, {2, 334, 2}}));
}

/// Two nodes that add a product's own result, a sum and a product, the first two of them in another order.
TEST(Nodes, AreNotOneQuestionWhereAProductsResultAndASumComeInAnotherOrder) {
  const ProductLeaf p0{0}, p1{1}, p2{2}, p3{3}, p4{4}, p5{5}, p6{6}, p7{7};
  UnitModel unit = of_three_nodes();
  unit.k = 8;
  unit.formats.c = std::nullopt;
  unit.adders.front().output_fraction_bits = 23;
  const auto add = [&](std::vector<Leaf> operands) { unit.tree.nodes.push_back({std::move(operands)}); };
  const auto with_second = [&](std::vector<Leaf> first_two) {
    unit.tree.nodes.clear();
    add({p0});
    add({p1, p2});
    add({NodeLeaf{0}, NodeLeaf{1}, p3});
    add({p4});
    add({p5, p6});
    add({first_two[0], first_two[1], p7});
    add({NodeLeaf{2}, NodeLeaf{5}});
    validate(unit);
    return nodes_to_compare(unit, unit);
  };
  EXPECT_EQ(with_second({NodeLeaf{3}, NodeLeaf{4}}), (std::vector<std::size_t>{0, 1, 2, 6}));
  EXPECT_EQ(with_second({NodeLeaf{4}, NodeLeaf{3}}), (std::vector<std::size_t>{0, 1, 2, 5, 6}));
}

/// The first node has a witness after ten steps; the others search until they know that theirs is needless.
class FirstNodeDiffers final : public EquivalenceChecker {
 public:
  explicit FirstNodeDiffers(DotInput input) : input_(std::move(input)) {}
  [[nodiscard]] std::string_view name() const override { return "first node differs"; }
  [[nodiscard]] Distinction distinguish(const Side&, const Side&, const Restriction&,
                                        const Limits&) const override {
    return Unknown{};
  }
  [[nodiscard]] Distinction compare_node(const Side&, const Side&, std::size_t node, const OperandFacts&,
                                         const Limits& limits) const override {
    constexpr std::int64_t kConflicts = 1'000;
    if (node == 0) {
      *limits.spent += 10;
      return Witness{input_, {}, {}};
    }
    const Deadline deadline(60.0);
    while (!limits.racing.has_lost(kConflicts) && !deadline.passed()) std::this_thread::yield();
    EXPECT_FALSE(deadline.passed());
    *limits.spent += kConflicts;
    return Unknown{};
  }

 private:
  DotInput input_;
};

TEST(Nodes, AreNotSearchedLongerThanAnotherTookToAWitness) {
  const UnitModel unit = of_three_nodes();
  UnitModel other = unit;
  other.nan = Pattern{0x7fc00001};
  const DotInput input{{0x7e00, 0, 0, 0, 0, 0}, {0, 0, 0, 0, 0, 0}, 0};  // a NaN
  std::int64_t spent = 0;
  Limits limits;
  limits.threads = 3;
  limits.spent = &spent;
  const auto answer = compare_by_nodes(FirstNodeDiffers(input), unit, other, limits);
  ASSERT_TRUE(std::holds_alternative<Witness>(answer));
  EXPECT_EQ(std::get<Witness>(answer).input, input);
  EXPECT_EQ(spent, 30);
}

TEST(Nodes, AreAllComparedWhereOneIsOpenAndTheUnitsThenAreToo) {
  for (const int threads : {1, 2, 3})
    for (const std::size_t open : {0U, 1U, 2U}) {
      const Outcome outcome = compared(threads, open);
      EXPECT_FALSE(outcome.is_equivalent);
      EXPECT_EQ(outcome.asked.size(), 3U) << threads << " " << open;
    }
}

/// As (c + p0) + (p1 + p2) with sums that lose what is far below c.
UnitModel with_c_in_one_branch() {
  const Signature formats{Format::e4m3, Format::e4m3, Format::fp32, Format::fp32};
  UnitModel unit =
      chain_model("branches", 3, formats, Chain{{{0, 1, 2}}, CEnters::first},
                  {exact_adder(formats.d, Rounding::nearest_even), {}, {}}, canonical_nan(formats.d));
  unit.tree.nodes = {
      {{CLeaf{}, ProductLeaf{0}}, 0}, {{ProductLeaf{1}, ProductLeaf{2}}, 0}, {{NodeLeaf{0}, NodeLeaf{1}}, 0}};
  unit.adders.front().alignment_fraction_bits = 25;
  validate(unit);
  return unit;
}

/// ((p0 + p1) + p2) and ((c + p3) + p4), whose second sums look alike: BF16's products are as fine as c.
TEST(Nodes, AreOtherQuestionsWhereCIsInAnEarlierResult) {
  const Signature formats{Format::bf16, Format::bf16, Format::fp32, Format::fp32};
  UnitModel unit =
      chain_model("branches", 5, formats, Chain{{{0, 1, 2, 3, 4}}, CEnters::first},
                  {exact_adder(formats.d, Rounding::nearest_even), {}, {}}, canonical_nan(formats.d));
  unit.tree.nodes = {{{ProductLeaf{0}, ProductLeaf{1}}, 0},
                     {{NodeLeaf{0}, ProductLeaf{2}}, 0},
                     {{CLeaf{}, ProductLeaf{3}}, 0},
                     {{NodeLeaf{2}, ProductLeaf{4}}, 0},
                     {{NodeLeaf{1}, NodeLeaf{3}}, 0}};
  validate(unit);
  EXPECT_EQ(nodes_to_compare(unit, unit), (std::vector<std::size_t>{0, 1, 2, 3, 4}));
}

TEST(Nodes, KnowThatSumsOfProductsDoNotMakeTheLargestCOverflow) {
  const UnitModel unit = with_c_in_one_branch();
  UnitModel other = unit;
  other.conventions.overflow = Overflow::saturate;
  const auto checker = make_checker(Solver::cadical);
  EXPECT_TRUE(std::holds_alternative<Equivalent>(compare_by_nodes(*checker, unit, other, {})));
}

TEST(Nodes, ThatDifferWhereALaterOneRoundsItAwayGiveAnInputOfTheUnit) {
  UnitModel unit = with_c_in_one_branch();
  unit.adders.push_back(unit.adders.front());
  unit.tree.nodes.back().adder = 1;
  unit.adders[1].output_fraction_bits = 2;
  UnitModel other = unit;
  other.adders[0].rounding = Rounding::toward_zero;
  const auto answer = compare_by_nodes(*make_checker(Solver::cadical), unit, other, {});
  ASSERT_TRUE(std::holds_alternative<Witness>(answer));
  const DotInput& input = std::get<Witness>(answer).input;
  EXPECT_NE(evaluate(unit, input), evaluate(other, input));
}

}  // namespace
}  // namespace mmaprint::by_nodes_test
