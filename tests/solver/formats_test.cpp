// A formula in three formats: what a stranger's solver reads is what ours was asked.
#include <gtest/gtest.h>
#include <z3++.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <sstream>

#include "aiger_circuit.h"
#include "solver/aiger.h"
#include "solver/dimacs.h"
#include "solver/sat.h"
#include "solver/smtlib.h"
#include "support/random.h"

namespace mmaprint::formats_test {
namespace {

using test::Circuit;
using test::circuit_of;
using test::Random;

/// A random formula over words of inputs, few enough to try all of their values.
struct Drawn {
  Aig graph;
  AigGates gates{graph};
  std::vector<Literal> asserted;
  int inputs = 0;
};

void draw(Random& random, Drawn& drawn) {
  std::vector<Literal> known;
  for (const char* name : {"a0", "b0", "b0", "block_rounding[1]"}) {
    const auto word = drawn.gates.inputs(random.between(1, 2), name);
    drawn.inputs += static_cast<int>(word.size());
    known.insert(known.end(), word.begin(), word.end());
  }
  const auto any = [&] {
    const Literal x = known[random.bits() % known.size()];
    return random.chance(1, 2) ? !x : x;
  };
  for (int i = random.between(5, 40); i > 0; --i) {
    const int kind = random.between(0, 2);
    known.push_back(kind == 0   ? drawn.graph.conjunction(any(), any())
                    : kind == 1 ? drawn.graph.exclusive(any(), any())
                                : drawn.graph.multiplexer(any(), any(), any()));
  }
  for (int i = random.between(1, 3); i > 0; --i) drawn.asserted.push_back(any());
}

Formula formula_of(const Drawn& drawn) { return {drawn.graph, drawn.gates.named_inputs(), drawn.asserted}; }

/// Values of all words as bits of a number, in the order of the inputs.
bool holds(const Drawn& drawn, std::uint32_t values) {
  std::vector<bool> of(drawn.graph.size(), false);
  std::uint32_t next = 0;
  const auto value = [&](Literal x) { return of[x.node()] != x.complemented(); };
  for (std::uint32_t n = 1; n < drawn.graph.size(); ++n) {
    const Aig::Gate& g = drawn.graph.gate(n);
    if (g.kind == Aig::Kind::input)
      of[n] = (values >> next++ & 1U) != 0;
    else if (g.kind == Aig::Kind::conjunction)
      of[n] = value(g.x[0]) && value(g.x[1]);
    else if (g.kind == Aig::Kind::exclusive)
      of[n] = value(g.x[0]) != value(g.x[1]);
    else
      of[n] = value(g.x[0]) ? value(g.x[1]) : value(g.x[2]);
  }
  return std::ranges::all_of(drawn.asserted, value);
}

Cnf cnf_of(const Drawn& drawn) {
  Cnf cnf(drawn.graph);
  for (const Literal x : drawn.asserted) cnf.assert_unit(x);
  return cnf;
}

bool output_of(const Circuit& circuit, const std::vector<bool>& inputs) {
  std::vector<bool> values{false};
  values.insert(values.end(), inputs.begin(), inputs.end());
  const auto value = [&](unsigned x) { return values[x / 2] != (x % 2 == 1); };
  for (const auto& [result, x, y] : circuit.gates) values.push_back(value(x) && value(y));
  return value(circuit.output);
}

TEST(Formats, HoldTheFormulaInAigerOnRandomInputs) {
  Random random(test::starting_seed(7'100));
  for (long i = test::count(100); i > 0; --i) {
    Drawn drawn;
    draw(random, drawn);
    const Circuit circuit = circuit_of(aiger_text(formula_of(drawn)));
    ASSERT_EQ(circuit.symbols.size(), circuit.inputs);
    for (std::uint32_t values = 0; values < 1U << drawn.inputs; ++values) {
      std::vector<bool> of_circuit;
      std::map<std::string, bool> by_name;
      std::uint32_t next = 0;
      for (const NamedWord& word : drawn.gates.named_inputs())
        for (std::size_t b = 0; b < word.bits.size(); ++b)
          by_name[word.name + "[" + std::to_string(b) + "]"] = (values >> next++ & 1U) != 0;
      for (const std::string& symbol : circuit.symbols) of_circuit.push_back(by_name.at(symbol));
      ASSERT_EQ(output_of(circuit, of_circuit), holds(drawn, values));
    }
  }
}

bool is_satisfiable(const Drawn& drawn) {
  for (std::uint32_t values = 0; values < 1U << drawn.inputs; ++values)
    if (holds(drawn, values)) return true;
  return false;
}

TEST(Formats, HaveTheSameAnswerForZ3InSmtLibOnRandomInputs) {
  Random random(test::starting_seed(7'200));
  for (long i = test::count(100); i > 0; --i) {
    Drawn drawn;
    draw(random, drawn);
    const Verdict expected = is_satisfiable(drawn) ? Verdict::satisfiable : Verdict::unsatisfiable;
    const std::string text = smtlib_text(formula_of(drawn), expected, {"drawn"});
    ASSERT_TRUE(text.starts_with("; drawn\n(set-info "));
    ASSERT_NE(text.find(expected == Verdict::satisfiable ? ":status sat)" : ":status unsat)"),
              std::string::npos);
    z3::context context;
    z3::solver solver(context);
    solver.from_string(text.c_str());
    ASSERT_EQ(solver.check(), expected == Verdict::satisfiable ? z3::sat : z3::unsat) << text;
  }
}

/// The clauses of a text in DIMACS CNF, which holds as many as it says, of no other variables.
std::vector<int> clauses_of_dimacs(const std::string& text) {
  std::istringstream lines(text);
  std::vector<int> clauses;
  int variables = -1, stated = -1;
  for (std::string line; std::getline(lines, line);) {
    if (line.starts_with('c')) continue;
    std::istringstream numbers(line);
    if (std::string p, cnf; line.starts_with('p')) {
      EXPECT_TRUE(variables < 0 && numbers >> p >> cnf >> variables >> stated && cnf == "cnf") << line;
      continue;
    }
    for (int x = 0; numbers >> x;) {
      EXPECT_LE(std::abs(x), variables) << line;
      clauses.push_back(x);
    }
    EXPECT_TRUE(numbers.eof() && !clauses.empty() && clauses.back() == 0) << line;
  }
  EXPECT_EQ(std::ranges::count(clauses, 0), stated);
  return clauses;
}

TEST(Formats, HaveTheSameAnswerForASolverInDimacsOnRandomInputs) {
  Random random(test::starting_seed(7'300));
  for (long i = test::count(100); i > 0; --i) {
    Drawn drawn;
    draw(random, drawn);
    const Cnf cnf = cnf_of(drawn);
    const std::string text = dimacs_text(formula_of(drawn), cnf, {"drawn"});
    const auto clauses = clauses_of_dimacs(text);
    ASSERT_EQ(clauses, cnf.clauses());
    const auto engine = make_cadical();
    for (const int x : clauses) engine->add(x);
    ASSERT_EQ(engine->solve({}), is_satisfiable(drawn) ? Verdict::satisfiable : Verdict::unsatisfiable);
  }
}

TEST(Formats, NameEveryOperandByItsBits) {
  Aig graph;
  AigGates gates(graph);
  const auto a = gates.inputs(2, "a0");
  const auto other = gates.inputs(1, "a0");
  const std::vector<Literal> asserted{graph.conjunction(a[1], !other[0])};
  const Formula formula{graph, gates.named_inputs(), asserted};
  Cnf cnf(graph);
  cnf.assert_unit(asserted[0]);
  EXPECT_EQ(smtlib_text(formula, Verdict::unknown),
            "(set-info :smt-lib-version 2.6)\n(set-info :status unknown)\n(set-logic QF_BV)\n"
            "(declare-const a0 (_ BitVec 2))\n"
            "(define-fun a0@1 () Bool (= ((_ extract 1 1) a0) #b1))\n"
            "(declare-const a0_1 (_ BitVec 1))\n"
            "(define-fun a0_1@0 () Bool (= ((_ extract 0 0) a0_1) #b1))\n"
            "(declare-const n4 Bool) (assert (= n4 (and a0@1 (not a0_1@0))))\n"
            "(assert n4)\n(check-sat)\n");
  EXPECT_EQ(dimacs_text(formula, cnf), "c a0[1] = 3\nc a0_1[0] = 4\np cnf 5 4\n-1 0\n-5 3 0\n-5 -4 0\n5 0\n");
  const std::string aiger = aiger_text(formula, {"said"});
  EXPECT_TRUE(aiger.starts_with("aig 3 2 0 1 1\n6\n")) << aiger;
  EXPECT_TRUE(aiger.ends_with("i0 a0[1]\ni1 a0_1[0]\no0 all that is asserted\nc\nsaid\n")) << aiger;
}

}  // namespace
}  // namespace mmaprint::formats_test
