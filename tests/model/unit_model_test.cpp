#include "model/unit_model.h"

#include <gtest/gtest.h>

#include <functional>
#include <stdexcept>

#include "support/describe.h"
#include "support/generate.h"

namespace mmaprint::unit_model_test {
namespace {

using test::count;
using test::Random;

constexpr Signature kHalfToSingle{Format::fp16, Format::fp16, Format::fp32, Format::fp32};

UnitModel legal_model(CEnters c_enters = CEnters::first) {
  ChainParameters values;
  values.block.alignment_fraction_bits = 24;
  values.block.output_fraction_bits = 23;
  return chain_model("dot4", 4, kHalfToSingle, {{{0, 1}, {2, 3}}, c_enters}, values, 0x7fffffff);
}

/// What `validate` says about the legal model with one thing changed; empty if it finds nothing.
std::string complaint(const std::function<void(UnitModel&)>& change) {
  UnitModel model = legal_model();
  change(model);
  try {
    validate(model);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "";
}

void expect_complaint(const std::string& about, const std::function<void(UnitModel&)>& change) {
  const std::string said = complaint(change);
  EXPECT_NE(said.find(about), std::string::npos)
      << "expected a complaint about '" << about << "', got '" << said << "'";
  EXPECT_EQ(said.find('\n'), std::string::npos) << "one line: " << said;
}

TEST(Validate, AcceptsChainsAndPairwiseTrees) {
  EXPECT_NO_THROW(validate(legal_model(CEnters::first)));
  EXPECT_NO_THROW(validate(legal_model(CEnters::last)));
  for (int k = 1; k <= 17; ++k)
    EXPECT_EQ(complaint([k](UnitModel& model) {
                model.k = k;
                model.tree = pairwise_tree(k);
              }),
              "");
}

TEST(Validate, AcceptsTheWholeDefaultSpace) {
  Random random(test::starting_seed(41));
  for (long i = 0; i < count(2000); ++i) {
    const int k = random.between(1, 16);
    const Signature formats = test::random_formats(random);
    const Chain chain = test::random_chain(random, k, random.pick({CEnters::first, CEnters::last}));
    const UnitModel model = chain_model("random", k, formats, chain, test::random_values(random, formats.d),
                                        test::random_nan(random, formats.d));
    ASSERT_NO_THROW(validate(model)) << test::describe(model);
  }
}

TEST(Validate, RejectsAProductThatIsMissing) {
  expect_complaint("product 3", [](UnitModel& model) { model.tree.nodes[1].operands.pop_back(); });
}
TEST(Validate, RejectsAProductThatTakesPartTwice) {
  expect_complaint("product 0",
                   [](UnitModel& model) { model.tree.nodes[1].operands.emplace_back(ProductLeaf{0}); });
}
TEST(Validate, RejectsAProductThatTheUnitDoesNotHave) {
  expect_complaint("4", [](UnitModel& model) { model.tree.nodes[1].operands.emplace_back(ProductLeaf{4}); });
  expect_complaint("-1",
                   [](UnitModel& model) { model.tree.nodes[1].operands.emplace_back(ProductLeaf{-1}); });
}
TEST(Validate, RejectsATreeWithoutC) {
  expect_complaint("c ", [](UnitModel& model) { model.tree.nodes[0].operands.front() = ZeroLeaf{}; });
}
TEST(Validate, RejectsATreeWithCTwice) {
  expect_complaint("c ", [](UnitModel& model) { model.tree.nodes[1].operands.emplace_back(CLeaf{}); });
}
TEST(Validate, RejectsAnAdderThatIsNotThere) {
  expect_complaint("adder", [](UnitModel& model) { model.tree.nodes[1].adder = 1; });
  expect_complaint("adder", [](UnitModel& model) { model.tree.nodes[1].adder = -1; });
  expect_complaint("adder", [](UnitModel& model) { model.adders.clear(); });
}
TEST(Validate, RejectsANodeThatUsesItselfOrALaterOne) {
  expect_complaint("node", [](UnitModel& model) { model.tree.nodes[1].operands.front() = NodeLeaf{1}; });
  expect_complaint("node", [](UnitModel& model) { model.tree.nodes[0].operands.emplace_back(NodeLeaf{1}); });
}
TEST(Validate, RejectsANodeThatIsUsedTwiceOrNowhere) {
  expect_complaint("node 0",
                   [](UnitModel& model) { model.tree.nodes[1].operands.emplace_back(NodeLeaf{0}); });
  expect_complaint("tree[0]", [](UnitModel& model) {
    model.tree.nodes[1].operands.erase(model.tree.nodes[1].operands.begin());
  });
}
TEST(Validate, RejectsATreeOrANodeThatIsEmpty) {
  expect_complaint("tree", [](UnitModel& model) { model.tree.nodes.clear(); });
  expect_complaint("tree[0]", [](UnitModel& model) { model.tree.nodes[0].operands.clear(); });
}
TEST(Validate, RejectsFractionBitsThatDDoesNotHave) {
  for (const int bits : {-1, 0, 24})
    expect_complaint("output_fraction_bits",
                     [bits](UnitModel& model) { model.adders[0].output_fraction_bits = bits; });
}
TEST(Validate, RejectsParametersOutsideTheirDomains) {
  for (const int bits : {-1, kLargestAlignmentFractionBits + 1})
    expect_complaint("alignment_fraction_bits",
                     [bits](UnitModel& model) { model.adders[0].alignment_fraction_bits = bits; });
  for (const int exponent : {kLowestClamp - 1, 1})
    expect_complaint("minimum_alignment_exponent",
                     [exponent](UnitModel& model) { model.adders[0].minimum_alignment_exponent = exponent; });
  for (const int bits : {-1, kLargestCarry + 1})
    expect_complaint("extra_carry_bits",
                     [bits](UnitModel& model) { model.adders[0].extra_carry_bits = bits; });
}
TEST(Validate, RejectsANanPatternThatIsNone) {
  for (const Pattern nan : {Pattern{0}, Pattern{0x7f800000}, Pattern{0x1'7fffffff}})
    expect_complaint("nan", [nan](UnitModel& model) { model.nan = nan; });
}
TEST(Validate, RejectsAUnitWithoutProducts) {
  for (const int k : {-1, 0}) expect_complaint("k", [k](UnitModel& model) { model.k = k; });
}
TEST(Validate, RejectsFormatsThatItCannotCompute) {
  expect_complaint("formats", [](UnitModel& model) { model.formats.a = Format::int8; });
  expect_complaint("formats", [](UnitModel& model) { model.formats.d = Format::e4m3; });  // no infinity
}

TEST(Chain, IsReadBackFromItsTree) {
  Random random(test::starting_seed(42));
  for (long i = 0; i < count(20'000); ++i) {
    const Chain chain =
        test::random_chain(random, random.between(1, 16), random.pick({CEnters::first, CEnters::last}));
    ASSERT_EQ(chain_of(tree_of(chain)), chain);
  }
}

TEST(Chain, AddsTheAccumulatorBeforeTheProductsOfEachBlock) {
  const Tree tree = tree_of({{{2, 3}, {0, 1}}, CEnters::first});
  const Tree expected{
      {{{CLeaf{}, ProductLeaf{2}, ProductLeaf{3}}, 0}, {{NodeLeaf{0}, ProductLeaf{0}, ProductLeaf{1}}, 0}}};
  EXPECT_EQ(tree, expected);
}

TEST(Chain, ThatReceivesCLastStartsFromZeroAndEndsInARootOfItsOwn) {
  const Tree tree = tree_of({{{0}, {1}}, CEnters::last});
  const Tree expected{
      {{{ZeroLeaf{}, ProductLeaf{0}}, 0}, {{NodeLeaf{0}, ProductLeaf{1}}, 0}, {{NodeLeaf{1}, CLeaf{}}, 1}}};
  EXPECT_EQ(tree, expected);
}

TEST(ChainOf, FindsNoneInOtherTrees) {
  EXPECT_FALSE(chain_of(pairwise_tree(4)).has_value());
  EXPECT_FALSE(chain_of(Tree{}).has_value());
  Tree tree = tree_of({{{0, 1}, {2, 3}}, CEnters::first});
  std::swap(tree.nodes[1].operands[0], tree.nodes[1].operands[1]);  // the accumulator joins later
  EXPECT_FALSE(chain_of(tree).has_value());
  tree = tree_of({{{0, 1}, {2, 3}}, CEnters::first});
  tree.nodes[1].adder = 1;
  EXPECT_FALSE(chain_of(tree).has_value());
}

TEST(PairwiseTree, JoinsNeighboursAndThenC) {
  const Tree expected{{{{ProductLeaf{0}, ProductLeaf{1}}, 0},
                       {{ProductLeaf{2}, ProductLeaf{3}}, 0},
                       {{NodeLeaf{0}, NodeLeaf{1}}, 0},
                       {{NodeLeaf{2}, CLeaf{}}, 0}}};
  EXPECT_EQ(pairwise_tree(4), expected);
}

TEST(ParameterValues, AreReadBackFromAChainModel) {
  Random random(test::starting_seed(43));
  for (long i = 0; i < count(5'000); ++i) {
    const Signature formats = test::random_formats(random);
    const CEnters c_enters = random.pick({CEnters::first, CEnters::last});
    const ChainParameters values = test::random_values(random, formats.d);
    const Chain chain = test::random_chain(random, 8, c_enters);
    const UnitModel model = chain_model("random", 8, formats, chain, values, canonical_nan(formats.d));
    ParameterValues expected{{values.block}, values.conventions};
    if (c_enters == CEnters::last) expected.adders.push_back(exact_adder(formats.d, values.final_rounding));
    ASSERT_EQ(values_of(model), expected) << test::describe(model);
    ASSERT_EQ(
        unit_model(model.instruction, 8, formats, skeleton_of(model), expected, constant_nan(model.nan)),
        model);
    ASSERT_EQ(model.tree, tree_of(chain));
  }
}

TEST(ParameterValues, OfAPairwiseUnitAreItsOneAdders) {
  UnitModel model = legal_model();
  model.tree = pairwise_tree(4);
  EXPECT_FALSE(chain_of(model.tree).has_value());
  EXPECT_EQ(values_of(model), (ParameterValues{{model.adders.front()}, model.conventions}));
}

TEST(ExactAdder, KeepsEverythingAndRoundsToDsPrecision) {
  const Adder root = exact_adder(Format::fp16, Rounding::up);
  EXPECT_FALSE(root.alignment_fraction_bits || root.extra_carry_bits || root.minimum_alignment_exponent);
  EXPECT_EQ(root.normalisation, Normalisation::late);
  EXPECT_EQ(root.rounding, Rounding::up);
  EXPECT_EQ(root.output_fraction_bits, 10);
}

TEST(Parameters, AreSetAndReadByIndexOverTheirWholeDomains) {
  for (std::size_t i = 0; i < kParameterCount; ++i) {
    const ParameterInfo& parameter = all_parameters()[i];
    EXPECT_EQ(static_cast<std::size_t>(parameter.id), i);
    EXPECT_EQ(&info(parameter.id), &parameter);
    const int first =
        parameter.id == Parameter::output_fraction_bits ? 1 : 0;  // 0 fraction bits is no format
    for (int index = first; index < parameter.size; ++index) {
      ParameterValues values;
      set_value(values, {parameter.id}, index);
      ASSERT_EQ(value_index(values, {parameter.id}), index) << parameter.name;
    }
  }
}

TEST(Parameters, AreIndependentOfOneAnother) {
  for (const ParameterKey& changed : all_keys(2))
    for (const ParameterKey& other : all_keys(2)) {
      if (changed == other) continue;
      ParameterValues values{std::vector<Adder>(2), {}};
      const int before = value_index(values, other);
      set_value(values, changed, info(changed.parameter).size - 1);
      EXPECT_EQ(value_index(values, other), before)
          << name_of(changed, 2) << " changes " << name_of(other, 2);
    }
}

TEST(Parameters, WithMoreKeptBitsHaveLargerIndices) {
  ParameterValues few, many, all;
  few.adders.front().alignment_fraction_bits = 13;
  many.adders.front().alignment_fraction_bits = 25;
  all.adders.front().alignment_fraction_bits = std::nullopt;
  const auto index = [](const ParameterValues& values) {
    return value_index(values, {Parameter::alignment_fraction_bits});
  };
  EXPECT_LT(index(few), index(many));
  EXPECT_LT(index(many), index(all));
}

}  // namespace
}  // namespace mmaprint::unit_model_test
