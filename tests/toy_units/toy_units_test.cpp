// What the prover says of toy units, against every input.
#include <gtest/gtest.h>

#include "model/evaluator.h"
#include "solver/by_nodes.h"
#include "solver/distinguish.h"
#include "solver/idle_values.h"
#include "support/random.h"
#include "toy_units/trial.h"
#include "toy_units/truth.h"

namespace mmaprint::toys {
namespace {

TEST(RandomPairs, OfToyUnitsGetNoVerdictThatAnInputContradicts) {
  constexpr int kInputBits = 12;
  const std::uint64_t first = test::starting_seed(20'000);
  Tallies all;
  const auto pairs = static_cast<std::uint64_t>(test::count(250));
  for (std::uint64_t i = 0; i < pairs; ++i) {
    const TrialResult result = try_pair(first + i, kInputBits, i % 8 == 0);
    ASSERT_EQ(result.wrong, "") << "seed " << first + i;
    add(all, result.by_method);
  }
  // Each way of asking that claims something has something to be held against.
  if (pairs < 250) return;
  for (const char* method : {"whole unit", "node by node", "set", "ledger", "nodes that add the same",
                             "set of another skeleton"}) {
    EXPECT_GT(all[method].equal, 0) << method;
    EXPECT_GT(all[method].different, 0) << method;
  }
  for (const char* method : {"plain form", "plain form, fewer nodes", "plain form, rounded once",
                             "without idle values", "subnormal c lost", "node by node, c subnormal"})
    EXPECT_GT(all[method].equal, 0) << method;
}

TEST(ToyUnits, AreProvedEqualByWayOfLegalUnitsAlone) {
  // Rules of one kind's own go with late normalisation, and are changed one after the other.
  for (const std::uint64_t seed : {101'296U, 103'312U})
    EXPECT_EQ(try_pair(seed, 12, false).wrong, "") << seed;
  // Nodes of one class have results of one format.
  EXPECT_EQ(try_pair(95'413, 12, false).wrong, "");
}

/// Converted, c's smallest number is subnormal, and has a larger exponent.
TEST(ToyUnits, HaveAPlainFormWithTheConversionsThatMoveExponentsUp) {
  EXPECT_EQ(try_pair(307'928, 12, false).wrong, "");
}

TEST(ToyUnits, AreProvedEqualWithoutStepsThatLeadOnFromTheModel) {
  EXPECT_EQ(try_pair(93'262, 12, false).wrong, "");
}

/// A chain of nodes of a class each that keep everything.
UnitModel exact_unit(const Signature& formats, Tree tree) {
  UnitModel model{"toy", 1, formats, std::move(tree), {}, {}, canonical_nan(formats.d), {}};
  for (std::size_t n = 0; n < model.tree.nodes.size(); ++n)
    model.adders.push_back(exact_adder(formats.d, Rounding::toward_zero));
  return model;
}
Plan plan_of(const UnitModel& model) { return {model.formats, model.k, skeleton_of(model)}; }

TEST(ToyUnits, AreSaturatedToANumberThatIsFinerThanAnyProduct) {
  // 4·4 becomes 3.5, though all products are integers.
  UnitModel model = exact_unit({Format::toy_e2m0, Format::toy_e2m0, std::nullopt, Format::toy_e2m2i},
                               {{{{ProductLeaf{0}}, 0, {}}, {{NodeLeaf{0}}, 1, {}}}});
  model.conventions.overflow = Overflow::saturate;
  const DotInput input{{3}, {3}, 0};
  EXPECT_EQ(evaluate(model, input), 0b01011);
  EXPECT_EQ(by_specification(model, input), 0b01011);
  UnitModel shorter = model;
  shorter.adders.back().output_fraction_bits = 1;
  ASSERT_NE(evaluate(shorter, input), evaluate(model, input));
  const auto answer = compare_by_nodes(*make_checker(Solver::cadical), model, shorter, {});
  EXPECT_FALSE(std::holds_alternative<Equivalent>(answer));
}

TEST(ToyUnits, OverflowByOperandsWhoseFormatLacksTheNanOfTheOneThatTheyAreComputedIn) {
  UnitModel model = exact_unit({Format::toy_e1m0, Format::toy_e2m2, Format::toy_e2m1i, Format::toy_e2m1i},
                               {{{{ProductLeaf{0}, CLeaf{}}, 0, {}}}});
  model.paths.a = Converted{Format::toy_e2m1n, Conversion::exact};
  model.adders.front().rounding = Rounding::up;
  UnitModel other = model;
  other.conventions.overflow = Overflow::saturate;
  const DotInput input{{1}, {4}, 5};  // 3 + 1
  ASSERT_NE(evaluate(model, input), evaluate(other, input));
  Box both(values_of(model));
  both[Parameter::overflow].insert(static_cast<int>(Overflow::saturate));
  EXPECT_TRUE(idle_values(plan_of(model), both, {Parameter::overflow}).empty());
}

}  // namespace
}  // namespace mmaprint::toys
