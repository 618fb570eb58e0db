// Products that have a node of their own, in the question about the node that takes their results.
#include "solver/relays.h"

#include <gtest/gtest.h>

#include "model/evaluator.h"
#include "model/hypotheses.h"

namespace mmaprint::relays_test {
namespace {

/// Two E3M2 products, each cut to one fraction bit by a node of its own, and their FP16 sum.
UnitModel sum_of_rounded_products() {
  UnitModel unit;
  unit.instruction = "relays";
  unit.k = 2;
  unit.formats = {Format::e3m2, Format::e3m2, std::nullopt, Format::fp16};
  unit.tree.nodes = {Node{{ProductLeaf{0}}, 0}, Node{{ProductLeaf{1}}, 0},
                     Node{{NodeLeaf{0}, NodeLeaf{1}}, 1}};
  Adder product = exact_adder(Format::fp16, Rounding::toward_zero);
  product.output_fraction_bits = 1;
  unit.adders = {product, exact_adder(Format::fp16, Rounding::nearest_even)};
  unit.nan = canonical_nan(Format::fp16);
  validate(unit);
  return unit;
}

constexpr ParameterKey kBitsOfProducts{Parameter::output_fraction_bits, 0};
constexpr ParameterKey kBitsOfSum{Parameter::alignment_fraction_bits, 1};

UnitModel with_bits(int bits_of_products, std::optional<int> bits_of_sum) {
  UnitModel unit = sum_of_rounded_products();
  unit.adders[0].output_fraction_bits = bits_of_products;
  unit.adders[1].alignment_fraction_bits = bits_of_sum;
  return unit;
}

/// Does any input tell F = 13 from one that loses nothing? Signs but for that of one product make no more.
bool differs_somewhere(int bits_of_products) {
  const Evaluator few(with_bits(bits_of_products, 13)), all(with_bits(bits_of_products, std::nullopt));
  constexpr Pattern kMagnitudes = 32;
  for (Pattern a0 = 0; a0 < kMagnitudes; ++a0)
    for (Pattern b0 = a0; b0 < kMagnitudes; ++b0)
      for (Pattern a1 = 0; a1 < 2 * kMagnitudes; ++a1)
        for (Pattern b1 = a1 % kMagnitudes; b1 < kMagnitudes; ++b1) {
          const DotInput input{{a0, a1}, {b0, b1}, 0};
          if (few(input) != all(input)) return true;
        }
  return false;
}

/// Is it shown of the sum's node that F = 13 keeps enough, where products are cut to any of these bits?
bool thirteen_bits_are_enough(std::initializer_list<int> bits_of_products) {
  const UnitModel unit = sum_of_rounded_products();
  Box box(values_of(unit));
  box[kBitsOfProducts] = {};
  for (const int bits : bits_of_products)
    box[kBitsOfProducts].insert(value_index(values_of(with_bits(bits, std::nullopt)), kBitsOfProducts));
  const Space space{unit.instruction, unit.k, unit.formats, {skeleton_of(unit)}, box};
  const HypothesisSet exact{0, box, constant_nan(unit.nan)};
  HypothesisSet both = exact;
  both.box[kBitsOfSum].insert(AlignmentBitsDomain::index(13));
  const Side left = Hypotheses{&space, exact}, right = Hypotheses{&space, both, true};
  const auto answer = make_checker(Solver::cadical)->compare_node(left, right, 2, {}, {});
  return std::holds_alternative<Equivalent>(answer);
}

TEST(Relays, HaveTheResultsOfProductsAloneWhereTheirParametersAreKnown) {
  EXPECT_FALSE(differs_somewhere(1));
  EXPECT_TRUE(thirteen_bits_are_enough({1}));
}

TEST(Relays, MayHaveAnyResultsWhereAParameterOfTheirsIsOpen) {
  EXPECT_TRUE(differs_somewhere(5));
  EXPECT_FALSE(thirteen_bits_are_enough({5}));
  EXPECT_FALSE(thirteen_bits_are_enough({1, 5}));
}

TEST(Relays, AreNodesOfOneProduct) {
  UnitModel unit = sum_of_rounded_products();
  const auto relays = [&] { return relays_to(Side(unit), Plan(unit.formats, unit.k, skeleton_of(unit)), 2); };
  EXPECT_EQ(relays(), (std::vector<bool>{true, true}));
  unit.tree.nodes[1].operands = {NodeLeaf{0}, ProductLeaf{1}};
  unit.tree.nodes[2].operands = {NodeLeaf{1}};
  validate(unit);
  EXPECT_EQ(relays(), (std::vector<bool>{false, false}));
}

}  // namespace
}  // namespace mmaprint::relays_test
