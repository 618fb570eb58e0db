// Proofs by way of gates that are equal: what is merged, what is not, and that the proofs hold.
#include "solver/sweeping.h"

#include <gtest/gtest.h>

#include "solver/aig_checker.h"
#include "solver/by_nodes.h"
#include "solver/encoding.h"
#include "solver/likely_inputs.h"
#include "solver/unsat_proof.h"
#include "support/random.h"

namespace mmaprint::sweeping_test {
namespace {

using Bits = AigGates::Bits;

/// Random words, all of them the same in each run.
InputLanes random_lanes() {
  return [](std::uint32_t node, int round, const auto& /*value*/) {
    test::Random random(std::uint64_t{node} << 8 | static_cast<unsigned>(round));
    return random.bits();
  };
}

/// x + y + z, and the same in another order.
struct Sums {
  Aig graph;
  AigGates gates{graph};
  Bits left, right;

  explicit Sums(int width) {
    const Bits x = gates.inputs(width, "x"), y = gates.inputs(width, "y"), z = gates.inputs(width, "z");
    left = gates.add(gates.add(x, y, kFalse), z, kFalse);
    right = gates.add(x, gates.add(y, z, kFalse), kFalse);
  }
  [[nodiscard]] Literal difference() { return !gates.is_zero(gates.exclusive(left, right)); }
};

TEST(Sweeping, LeadsToAProofThatHolds) {
  Sums sums(6);
  const Literal goal = sums.difference();
  Sat sat(sums.graph, {}, make_cadical, Sat::Use::with_lemmas);
  sat.define(goal);
  Sweeping sweeping(sums.graph, sat, goal, random_lanes());
  sweeping({});
  EXPECT_GE(sweeping.merged(), 5U) << "bits of the two sums";
  sat.assert_unit(goal);
  ASSERT_EQ(sat.check({}, {}), Verdict::unsatisfiable);
  const std::string proof = sat.take_proof();
  EXPECT_EQ(refutes(proof, sat.cnf().clauses()), std::optional(true));
}

TEST(Sweeping, LeavesAsTheyAreGatesThatSimulationAloneTakesForEqual) {
  Aig graph;
  std::vector<Literal> inputs;
  for (int i = 0; i < 40; ++i) inputs.push_back(graph.input());
  // All forty, and the first thirty-nine: true in no simulation.
  Literal most = kTrue;
  for (int i = 0; i < 39; ++i) most = graph.conjunction(most, inputs[static_cast<std::size_t>(i)]);
  const Literal all = graph.conjunction(most, inputs.back());
  const Literal goal = graph.exclusive(most, all);
  Sat sat(graph, {}, make_cadical, Sat::Use::with_lemmas);
  sat.define(goal);
  Sweeping sweeping(graph, sat, goal, random_lanes());
  sweeping({});
  sat.assert_unit(goal);
  ASSERT_EQ(sat.check({}, {}), Verdict::satisfiable);
  EXPECT_TRUE(sat.value(most));
  EXPECT_FALSE(sat.value(inputs.back()));
}

TEST(Sweeping, EndsWhereItsStepsDo) {
  Sums sums(24);
  const Literal goal = sums.difference();
  Sat sat(sums.graph, {}, make_cadical, Sat::Use::with_lemmas);
  sat.define(goal);
  Sweeping sweeping(sums.graph, sat, goal, random_lanes());
  Limits limits;
  limits.steps = 300;
  sweeping(limits);
  EXPECT_GT(sweeping.steps(), 0);
  EXPECT_LT(sweeping.steps() + sat.conflicts(), 300 + 300);
  Sweeping not_begun(sums.graph, sat, goal, random_lanes());
  limits.steps = 10;
  not_begun(limits);
  EXPECT_EQ(not_begun.steps(), 0) << "simulation alone would take more";
}

/// Two nodes whose first one's result is rounded to odd, or not at all, before the second keeps fewer bits.
UnitModel rounded_first(Rounding first, int bits) {
  const Signature formats{Format::e5m2, Format::e5m2, std::nullopt, Format::fp32};
  Adder inner = exact_adder(Format::fp32, first), outer = exact_adder(Format::fp32, Rounding::toward_zero);
  inner.alignment_fraction_bits = 12;
  inner.output_fraction_bits = bits;
  outer.alignment_fraction_bits = 6;
  outer.alignment_rounding = AlignmentRounding::floor;
  const Tree tree = tree_of(Chain{{{0, 1}, {2}}, std::nullopt});
  UnitModel model = unit_model("twice", 3, formats, {{}, tree}, {{inner}, {}}, canonical_nan(Format::fp32));
  model.adders.push_back(outer);
  model.tree.nodes.back().adder = 1;
  return model;
}

TEST(Sweeping, ShowsThatRoundingToOddMakesNoDifferenceToWhoKeepsFewerBits) {
  const UnitModel left = rounded_first(Rounding::toward_zero, 23), right = rounded_first(Rounding::odd, 9);
  validate(left);
  validate(right);
  const auto checker = make_aig_checker(make_cadical, {nullptr, true});
  EXPECT_TRUE(std::holds_alternative<Unknown>(compare_by_nodes(*checker, left, right, {})))
      << "the first nodes' results differ";
  Limits limits;
  limits.steps = 200'000;
  const auto answer = checker->distinguish(left, right, {}, limits);
  const auto* equal = std::get_if<Equivalent>(&answer);
  ASSERT_NE(equal, nullptr);
  ASSERT_EQ(equal->proved.size(), 1U);
  // Whoever checks it comes to the same formula.
  const ProvedQuestion& q = equal->proved.front();
  const auto formula = encode(left, right, q.question, {});
  ASSERT_TRUE(formula.has_value());
  ASSERT_NE(q.refuted, nullptr);
  EXPECT_EQ(formula->cnf, q.refuted->cnf);
  EXPECT_EQ(refutes(q.refuted->proof, formula->clauses), std::optional(true));
  // Of nine bits one too few is left to what is kept.
  const auto other = checker->distinguish(left, rounded_first(Rounding::odd, 6), {}, limits);
  EXPECT_TRUE(std::holds_alternative<Witness>(other));
}

TEST(Sweeping, OfTheFormulaInBothDirectionsHasTheSameMeaning) {
  const UnitModel left = rounded_first(Rounding::toward_zero, 23), right = rounded_first(Rounding::odd, 9);
  UnitQuestion question;
  const auto needed = encode(left, right, question, {});
  question.formula.gates = GateClauses::both;
  const auto both = encode(left, right, question, {});
  ASSERT_TRUE(needed && both);
  EXPECT_GT(both->clauses.size(), needed->clauses.size());
}

TEST(Sweeping, SimulatesProductsWhoseFactorsFoldAway) {
  // E2M1 computed as FP16: all of a factor's bits but the highest vanish from "is it zero".
  UnitModel left = rounded_first(Rounding::toward_zero, 23), right = rounded_first(Rounding::odd, 9);
  for (UnitModel* m : {&left, &right}) {
    m->formats.a = m->formats.b = Format::e2m1;
    m->paths.a = m->paths.b = Converted{Format::fp16, Conversion::exact};
  }
  const auto checker = make_aig_checker();
  Limits limits;
  limits.steps = 100'000;
  EXPECT_FALSE(std::holds_alternative<Witness>(checker->distinguish(left, right, {}, limits)));
}

TEST(LikelyInputs, HaveProductsOfTheirFactorsAndOperandsNearEachOther) {
  Aig graph;
  AigGates gates(graph);
  gates.free_products();
  const UnitModel model = rounded_first(Rounding::odd, 9);
  const Bits a = gates.inputs(8, "a0"), b = gates.inputs(8, "b0");
  const Bits product = gates.multiply(gates.slice(a, 0, 3), gates.slice(b, 0, 3));
  LikelyInputs likely(gates, model);
  std::vector<Lanes> lanes(graph.size());
  const auto of = [&](Literal x) { return x.complemented() ? ~lanes[x.node()] : lanes[x.node()]; };
  for (std::uint32_t node = 1; node < graph.size(); ++node) {
    const auto& [kind, x] = graph.gate(node);
    if (kind == Aig::Kind::input) lanes[node] = likely(node, 0, of);
    if (kind == Aig::Kind::conjunction) lanes[node] = of(x[0]) & of(x[1]);
    if (kind == Aig::Kind::exclusive) lanes[node] = of(x[0]) ^ of(x[1]);
    if (kind == Aig::Kind::multiplexer) lanes[node] = (of(x[0]) & of(x[1])) | (~of(x[0]) & of(x[2]));
  }
  const auto word = [&](const Bits& bits, int lane) {
    std::uint64_t value = 0;
    for (std::size_t i = 0; i < bits.size(); ++i) value |= (of(bits[i]) >> lane & 1U) << i;
    return value;
  };
  int alike = 0;
  for (int lane = 0; lane < 64; ++lane) {
    const std::uint64_t x = word(a, lane), y = word(b, lane);
    EXPECT_EQ(word(product, lane), (x & 7U) * (y & 7U));
    const int apart = static_cast<int>(x >> 2 & 31U) - static_cast<int>(y >> 2 & 31U);
    alike += apart >= -6 && apart <= 6 ? 1 : 0;
  }
  EXPECT_GT(alike, 24);
}

}  // namespace
}  // namespace mmaprint::sweeping_test
