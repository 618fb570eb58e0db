// The check of a solver's proofs: it takes those of CaDiCaL, and no proof that something is impossible which
// is not.
#include "solver/unsat_proof.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "solver/sat_engine.h"
#include "support/random.h"

namespace mmaprint::refutation_test {
namespace {

using test::Random;

struct Formula {
  int variables;
  std::vector<int> clauses;  ///< each ended by 0
};

Formula random_formula(Random& random, int variables, int clauses) {
  Formula formula{variables, {}};
  for (int i = 0; i < clauses; ++i) {
    for (int n = random.between(2, 3); n > 0; --n)
      formula.clauses.push_back(random.between(1, variables) * (random.chance(1, 2) ? 1 : -1));
    formula.clauses.push_back(0);
  }
  return formula;
}

/// By trying every assignment.
bool is_satisfiable(const Formula& formula) {
  for (std::uint32_t values = 0; values < 1U << formula.variables; ++values) {
    bool all = true, some = false;
    for (const int x : formula.clauses) {
      if (x == 0) {
        all = all && some;
        some = false;
      } else {
        some = some || ((values >> (std::abs(x) - 1) & 1U) != 0) == (x > 0);
      }
    }
    if (all) return true;
  }
  return false;
}

/// nullopt where there is a solution.
std::optional<std::string> proof_of(const Formula& formula) {
  const auto solver = make_cadical();
  for (const int x : formula.clauses) solver->add(x);
  if (solver->solve({}) == Verdict::satisfiable) return std::nullopt;
  return solver->proof();
}

TEST(Refutation, IsAcceptedOfEveryFormulaThatHasOneOnRandomInputs) {
  Random random(test::starting_seed(6'100));
  int refuted = 0;
  for (long i = test::count(300); i > 0; --i) {
    const Formula formula = random_formula(random, 12, random.between(30, 60));
    const auto proof = proof_of(formula);
    ASSERT_EQ(proof.has_value(), !is_satisfiable(formula));
    if (!proof) continue;
    ++refuted;
    ASSERT_EQ(refutes(*proof, formula.clauses), true);
  }
  EXPECT_GT(refuted, 0);
}

TEST(Refutation, IsAcceptedOfPigeonsInTooFewHoles) {
  constexpr int kHoles = 6;
  const auto in = [](int pigeon, int hole) { return pigeon * kHoles + hole + 1; };
  Formula formula{(kHoles + 1) * kHoles, {}};
  for (int p = 0; p <= kHoles; ++p) {
    for (int h = 0; h < kHoles; ++h) formula.clauses.push_back(in(p, h));
    formula.clauses.push_back(0);
  }
  for (int h = 0; h < kHoles; ++h)
    for (int p = 0; p <= kHoles; ++p)
      for (int q = 0; q < p; ++q) formula.clauses.insert(formula.clauses.end(), {-in(p, h), -in(q, h), 0});
  const auto proof = proof_of(formula);
  ASSERT_TRUE(proof);
  EXPECT_EQ(refutes(*proof, formula.clauses), true);
  EXPECT_EQ(refutes(*proof, formula.clauses, Deadline(0)), std::nullopt);
  EXPECT_EQ(refutes("", formula.clauses), false);
  EXPECT_EQ(refutes(std::string{'a', '\0'}, formula.clauses), false);
  EXPECT_EQ(refutes(std::string_view(*proof).substr(0, proof->size() / 2), formula.clauses), false);
}

TEST(Refutation, IsNeverAcceptedOfWhatHasASolutionOnRandomInputs) {
  Random random(test::starting_seed(6'200));
  int tried = 0;
  for (long i = test::count(600); i > 0; --i) {
    // The proof of a formula, for one that lacks some of its clauses or has other ones; bytes changed.
    Formula formula = random_formula(random, 9, random.between(25, 45));
    auto proof = proof_of(formula);
    if (!proof) continue;
    if (random.chance(1, 2)) {
      const auto end = std::find(formula.clauses.begin(), formula.clauses.end(), 0);
      formula.clauses.erase(formula.clauses.begin(), end + 1);
    } else {
      formula = random_formula(random, 9, 35);
    }
    if (!is_satisfiable(formula)) continue;
    ++tried;
    for (int n = random.between(0, 3); n > 0 && !proof->empty(); --n)
      (*proof)[random.bits() % proof->size()] = static_cast<char>(random.between(0, 20));
    ASSERT_EQ(refutes(*proof, formula.clauses), false);
  }
  EXPECT_GT(tried, 0);
}

TEST(Refutation, NeedsNoStepWherePropagationEndsInAConflict) {
  const int clauses[] = {1, 0, -1, 2, 0, -2, -1, 0};
  EXPECT_EQ(refutes("", clauses), true);
  const int with_empty_one[] = {1, 2, 0, 0};
  EXPECT_EQ(refutes("", with_empty_one), true);
}

}  // namespace
}  // namespace mmaprint::refutation_test
