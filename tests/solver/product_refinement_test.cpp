// Questions about products that were left open are answered as if they were multiplied.
#include "solver/product_refinement.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>

#include "solver/justification.h"
#include "solver/simulation.h"
#include "support/random.h"

namespace mmaprint::product_refinement_test {
namespace {

using test::Random;

/// Two products of words of some bits, and another word; and a condition on some bits of all that.
struct Toy {
  Aig graph;
  AigGates gates{graph};
  std::array<AigGates::Bits, 4> factors;
  AigGates::Bits other;
  Literal goal = kTrue;

  Toy(Random& random, bool are_free) {
    if (are_free) gates.free_products();
    for (std::size_t i = 0; i < 4; ++i) factors[i] = gates.inputs(std::array{3, 4, 2, 3}[i]);
    other = gates.inputs(2);
    const AigGates::Bits first = gates.multiply(factors[0], factors[1]);
    const AigGates::Bits second = extended(gates.multiply(factors[2], factors[3]), first.size());
    const AigGates::Bits sum = gates.add(first, second, other[0]);
    for (int conditions = random.between(2, 4); conditions > 0; --conditions) condition(random, first, sum);
  }
  static AigGates::Bits extended(AigGates::Bits word, std::size_t width) {
    word.resize(width, kFalse);
    return word;
  }
  void condition(Random& random, const AigGates::Bits& first, const AigGates::Bits& sum) {
    std::vector<Literal> bits(first.begin(), first.end());
    bits.insert(bits.end(), sum.begin(), sum.end());
    for (const auto& word : factors) bits.insert(bits.end(), word.begin(), word.end());
    bits.push_back(other[1]);
    Literal all = kTrue;
    for (int i = random.between(3, 6); i > 0; --i) {
      Literal x = bits[static_cast<std::size_t>(random.between(0, static_cast<int>(bits.size()) - 1))];
      all = graph.conjunction(all, random.chance(1, 2) ? x : !x);
    }
    goal = random.chance(2, 3) ? graph.conjunction(goal, random.chance(3, 5) ? all : !all)
                               : graph.exclusive(goal, all);
  }
};

/// Is there an input for which the goal holds? Of `toy`, whose products are multiplied.
bool has_solution(const Toy& toy) {
  const std::size_t count = toy.graph.inputs().size();
  std::vector<bool> inputs(count);
  for (std::uint64_t word = 0; word < std::uint64_t{1} << count; ++word) {
    for (std::size_t i = 0; i < count; ++i) inputs[i] = ((word >> i) & 1) != 0;
    const auto values = test::simulated(toy.graph, inputs);
    if (values[toy.goal.node()] != toy.goal.complemented()) return true;
  }
  return false;
}

std::uint64_t value_of(const Sat& sat, const AigGates::Bits& word) {
  std::uint64_t value = 0;
  for (std::size_t i = 0; i < word.size(); ++i) value |= static_cast<std::uint64_t>(sat.value(word[i])) << i;
  return value;
}

TEST(ProductRefinement, AnswersAsMultipliersDo) {
  const std::uint64_t seed = test::starting_seed(5'300);
  int refuted = 0, by_lemmas = 0;
  for (std::uint64_t i = 0; i < static_cast<std::uint64_t>(test::count(150)); ++i) {
    Random draws(seed + i), again(seed + i);
    Toy toy(draws, true);
    const Toy exact(again, false);
    Sat sat(toy.graph);
    sat.assert_unit(toy.goal);
    sat.assert_unit(toy.gates.facts_of_products());
    Verdict verdict = sat.check({}, {});
    if (verdict == Verdict::satisfiable) {
      ProductRefinement refinement(toy.graph, toy.gates, sat, toy.goal);
      verdict = refinement({});
      by_lemmas += verdict == Verdict::unsatisfiable ? 1 : 0;
      for (const auto& free : toy.gates.free_products_made()) {
        if (verdict != Verdict::satisfiable) break;
        ASSERT_EQ(value_of(sat, free.x) * value_of(sat, free.y), value_of(sat, free.product)) << i;
      }
    }
    ASSERT_EQ(verdict == Verdict::satisfiable, has_solution(exact)) << i;
    refuted += verdict == Verdict::unsatisfiable ? 1 : 0;
  }
  EXPECT_GT(refuted, 0);
  EXPECT_GT(by_lemmas, 0);
}

TEST(Justification, NeedsInputsThatMakeTheGateWhatItIsWhateverTheOthersAre) {
  Random random(test::starting_seed(5'400));
  int spared = 0;
  for (int i = 0; i < 300; ++i) {
    const Toy toy(random, random.chance(1, 2));
    const std::size_t count = toy.graph.inputs().size();
    std::vector<bool> inputs(count);
    for (std::size_t k = 0; k < count; ++k) inputs[k] = random.chance(1, 2);
    const auto values = test::simulated(toy.graph, inputs);
    const auto of = [](const std::vector<bool>& all, Literal x) { return all[x.node()] != x.complemented(); };
    const Literal root = of(values, toy.goal) ? toy.goal : !toy.goal;
    Justification why(
        toy.graph, root, [&](Literal x) { return of(values, x); }, [](std::uint32_t) { return 1; });
    spared += why.needed().size() < count ? 1 : 0;
    for (int trial = 0; trial < 20; ++trial) {
      std::vector<bool> others = inputs;
      for (std::size_t k = 0; k < count; ++k) {
        const Literal input{2 * toy.graph.inputs()[k]};
        const bool is_needed =
            std::ranges::any_of(why.needed(), [&](Literal x) { return x.regular() == input; });
        if (!is_needed && random.chance(1, 2)) others[k] = !others[k];
      }
      const auto changed = test::simulated(toy.graph, others);
      ASSERT_TRUE(of(changed, root)) << i;
      for (std::uint32_t node = 0; node < toy.graph.size(); ++node)
        if (const auto implied = why.implied({2 * node})) {
          ASSERT_EQ(*implied, of(changed, {2 * node})) << i;
        }
    }
  }
  EXPECT_GT(spared, 100);
}

/// Of two words of these widths, by trying all.
bool lies_beside(Beside side, const FactorWidths& widths, int lost, int boundary, FactorKinds factors) {
  for (std::uint64_t x = 0; x < std::uint64_t{1} << widths.x; ++x)
    for (std::uint64_t y = 0; y < std::uint64_t{1} << widths.y; ++y) {
      if (factors == FactorKinds::normal && ((x >> (widths.x - 1)) == 0 || (y >> (widths.y - 1)) == 0))
        continue;
      const std::uint64_t product = x * y, step = std::uint64_t{1} << boundary;
      const std::uint64_t above = product % step, below = step - above;
      const std::uint64_t distance = side == Beside::above ? above : below;
      const bool has_multiple = side == Beside::below || product >= step;
      if (has_multiple && above != 0 && distance < std::uint64_t{1} << lost) return true;
    }
  return false;
}

TEST(ProductLemmas, SayWhichProductsLieBesideAMultipleOfAPowerOfTwo) {
  int far = 0;
  for (int x = 1; x <= 5; ++x)
    for (int y = 1; y <= 5; ++y)
      for (int lost = 1; lost <= 10; ++lost)
        for (int boundary = lost + 1; boundary <= 14; ++boundary)
          for (const Beside side : {Beside::above, Beside::below})
            for (const FactorKinds factors : {FactorKinds::any, FactorKinds::normal}) {
              const bool found = may_lie_beside(side, {x, y}, lost, boundary, factors);
              const bool truth = lies_beside(side, {x, y}, lost, boundary, factors);
              // More that may be lost is not searched, but for what lies far below the first multiple.
              if (truth || lost <= 6) {
                ASSERT_EQ(found, truth) << x << " " << y << " " << lost << " " << boundary;
              }
              far += lost > 6 && !found ? 1 : 0;
            }
  EXPECT_GT(far, 100);
  EXPECT_FALSE(may_lie_beside(Beside::below, {11, 11}, 100, 120));
  EXPECT_TRUE(may_lie_beside(Beside::below, {11, 11}, 20, 20));
}

}  // namespace
}  // namespace mmaprint::product_refinement_test
