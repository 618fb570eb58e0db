// Products as words that are not known: what is said of these holds of every product.
#include <gtest/gtest.h>

#include "solver/simulation.h"

namespace mmaprint::free_products_test {
namespace {

using test::simulated;

/// Two words with some known bits, and their free product.
struct Free {
  Aig graph;
  AigGates gates{graph};
  AigGates::Bits x, y, product;

  Free(int width_of_x, int width_of_y, int zeros_below_x) {
    gates.free_products();
    x = gates.concat(gates.inputs(width_of_x - zeros_below_x), gates.word(zeros_below_x, 0));
    y = gates.inputs(width_of_y);
    product = gates.multiply(x, y);
  }
  /// Is there a value of the product's inputs for which it is `expected`, as the facts allow?
  [[nodiscard]] bool may_be(std::uint64_t value_of_x, std::uint64_t value_of_y,
                            std::uint64_t expected) const {
    std::vector<bool> inputs;
    const auto add = [&](const AigGates::Bits& bits, std::uint64_t value) {
      for (std::size_t i = 0; i < bits.size(); ++i)
        if (!is_constant(bits[i])) inputs.push_back(((value >> i) & 1) != 0);
    };
    add(x, value_of_x);
    add(y, value_of_y);
    add(product, expected);
    const auto values = simulated(graph, inputs);
    const auto of = [&](Literal l) { return values[l.node()] != l.complemented(); };
    std::uint64_t result = 0;
    for (std::size_t i = 0; i < product.size(); ++i)
      result |= static_cast<std::uint64_t>(of(product[i])) << i;
    return of(gates.facts_of_products()) && result == expected;
  }
};

TEST(FreeProducts, MayBeWhatTheProductIs) {
  for (const int zeros : {0, 1, 2}) {
    const Free free(4, 3, zeros);
    for (std::uint64_t x = 0; x < 16; x += std::uint64_t{1} << zeros)
      for (std::uint64_t y = 0; y < 8; ++y) ASSERT_TRUE(free.may_be(x, y, x * y)) << x << " * " << y;
  }
}

TEST(FreeProducts, AreZeroWhereAFactorIsAndOnlyThere) {
  const Free free(4, 3, 0);
  for (std::uint64_t x = 0; x < 16; ++x)
    for (std::uint64_t y = 0; y < 8; ++y)
      ASSERT_FALSE(free.may_be(x, y, x * y == 0 ? 5 : 0)) << x << " * " << y;
}

TEST(FreeProducts, AreTheSameForTheSameFactors) {
  Free free(4, 4, 0);
  EXPECT_EQ(free.gates.multiply(free.y, free.x), free.product);
  EXPECT_NE(free.gates.multiply(free.x, free.x), free.product);
}

TEST(FreeProducts, OfAKnownFactorAreKnownGates) {
  Free free(4, 4, 0);
  const auto inputs = free.graph.inputs().size();
  (void)free.gates.multiply(free.x, free.gates.word(4, 9));
  EXPECT_EQ(free.graph.inputs().size(), inputs);
}

}  // namespace
}  // namespace mmaprint::free_products_test
