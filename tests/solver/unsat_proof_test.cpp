// The check of a solver's proofs: it takes those of CaDiCaL, and no proof that something is impossible which
// is not.
#include "solver/unsat_proof.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <functional>

#include "solver/drat.h"
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
    const auto check = check_proof(*proof, formula.clauses);
    ASSERT_TRUE(std::holds_alternative<ProofHolds>(check)) << std::get<ProofBroken>(check).why;
    // What was needed is a proof by itself, and all of it is needed again.
    const std::string& needed = std::get<ProofHolds>(check).needed;
    ASSERT_LE(needed.size(), proof->size() + 2);
    ASSERT_EQ(refutes(needed, formula.clauses), true);
  }
  EXPECT_GT(refuted, 0);
}

/// More pigeons than holes, which takes a proof of some length.
Formula pigeons(int holes) {
  const auto in = [holes](int pigeon, int hole) { return pigeon * holes + hole + 1; };
  Formula formula{(holes + 1) * holes, {}};
  for (int p = 0; p <= holes; ++p) {
    for (int h = 0; h < holes; ++h) formula.clauses.push_back(in(p, h));
    formula.clauses.push_back(0);
  }
  for (int h = 0; h < holes; ++h)
    for (int p = 0; p <= holes; ++p)
      for (int q = 0; q < p; ++q) formula.clauses.insert(formula.clauses.end(), {-in(p, h), -in(q, h), 0});
  return formula;
}

std::string why_broken(const std::string& proof, const Formula& formula) {
  const auto check = check_proof(proof, formula.clauses);
  const auto* broken = std::get_if<ProofBroken>(&check);
  return broken != nullptr ? broken->why : "it is not";
}

/// A proof's steps, to be put together again otherwise.
std::string text_of(const DratProof& proof, const std::function<bool(std::size_t)>& keeps) {
  std::string text;
  for (std::size_t i = 0; i < proof.steps.size(); ++i)
    if (keeps(i)) append_drat(text, proof.steps[i].adds, proof.clause(proof.steps[i]));
  return text;
}

TEST(Refutation, IsAcceptedOfPigeonsInTooFewHoles) {
  const Formula formula = pigeons(6);
  const auto proof = proof_of(formula);
  ASSERT_TRUE(proof);
  EXPECT_EQ(refutes(*proof, formula.clauses), true);
  EXPECT_EQ(refutes(*proof, formula.clauses, Deadline(0)), std::nullopt);
  EXPECT_EQ(refutes("", formula.clauses), false);
  EXPECT_EQ(refutes(std::string{'a', '\0'}, formula.clauses), false);
  EXPECT_EQ(refutes(std::string_view(*proof).substr(0, proof->size() / 2), formula.clauses), false);
}

TEST(Refutation, IsBrokenByAChangedLiteral) {
  const Formula formula = pigeons(5);
  const std::string proof = std::get<ProofHolds>(check_proof(*proof_of(formula), formula.clauses)).needed;
  const DratProof good = *parse_drat(proof);
  int broken = 0;
  for (std::size_t i = 0; i < good.literals.size(); ++i) {
    DratProof changed = good;
    changed.literals[i] = -changed.literals[i];
    const std::string text = text_of(changed, [](std::size_t) { return true; });
    // Another literal may do as well; never where the formula has a solution.
    if (refutes(text, formula.clauses) == false) ++broken;
    Formula fewer = formula;
    fewer.clauses.erase(fewer.clauses.begin(), fewer.clauses.begin() + 6);
    ASSERT_EQ(refutes(text, fewer.clauses), false);
  }
  EXPECT_GT(broken, 0);
}

TEST(Refutation, IsBrokenByALemmaThatIsRemoved) {
  // Of what is needed nothing can be left out but what follows without it, too: one clause, then half of all.
  const Formula formula = pigeons(5);
  const std::string proof = std::get<ProofHolds>(check_proof(*proof_of(formula), formula.clauses)).needed;
  const DratProof good = *parse_drat(proof);
  int broken = 0;
  for (std::size_t removed = 0; removed < good.steps.size(); ++removed)
    if (why_broken(text_of(good, [&](std::size_t i) { return i != removed; }), formula)
            .ends_with("does not follow by unit propagation"))
      ++broken;
  EXPECT_GT(broken, 0);
  const auto late = [&](std::size_t i) { return i >= good.steps.size() / 2; };
  EXPECT_TRUE(why_broken(text_of(good, late), formula).ends_with("does not follow by unit propagation"));
}

TEST(Refutation, IsBrokenWhereItIsCutOff) {
  const Formula formula = pigeons(5);
  const std::string proof = *proof_of(formula);
  for (std::size_t size = 0; size < proof.size() / 2; ++size)
    ASSERT_EQ(refutes(proof.substr(0, size), formula.clauses), false) << size;
  EXPECT_EQ(why_broken(proof.substr(0, proof.size() / 2).append("a"), formula),
            "it is no binary DRAT, or cut off");
  EXPECT_EQ(why_broken("", formula), "it does not end in a conflict");
}

TEST(Refutation, IsBrokenForOtherClauses) {
  const Formula formula = pigeons(5);
  const std::string proof = *proof_of(formula);
  EXPECT_EQ(refutes(proof, pigeons(6).clauses), false);
  EXPECT_EQ(why_broken(*proof_of(pigeons(6)), formula),
            "it speaks of variables that the clauses do not have");
  Formula one_less = formula;
  one_less.clauses.erase(one_less.clauses.end() - 3, one_less.clauses.end());
  ASSERT_EQ(proof_of(one_less), std::nullopt) << "has a solution";
  EXPECT_EQ(refutes(proof, one_less.clauses), false);
}

TEST(Refutation, IsBrokenWhereItIsTheEmptyClauseAlone) {
  EXPECT_EQ(why_broken(std::string{'a', '\0'}, pigeons(4)), "step 1 does not follow by unit propagation");
}

TEST(Refutation, IsBrokenByBytesThatAreNoDrat) {
  const Formula formula = pigeons(4);
  for (const std::string_view text :
       {std::string_view("b"), std::string_view("a\x01\0", 3),
        std::string_view("a\xff\xff\xff\xff\xff\x01\0", 8), std::string_view("p cnf 1 1\n")})
    EXPECT_EQ(why_broken(std::string(text), formula), "it is no binary DRAT, or cut off");
}

TEST(Refutation, IsReadBackAsItWasWrittenOnRandomInputs) {
  Random random(test::starting_seed(6'300));
  std::string text;
  std::vector<std::vector<int>> clauses;
  for (long i = test::count(200); i > 0; --i) {
    auto& clause = clauses.emplace_back();
    for (int n = random.between(1, 4); n > 0; --n)
      clause.push_back(random.between(1, 1 << random.between(0, 30)) * (random.chance(1, 2) ? 1 : -1));
    append_drat(text, clauses.size() % 2 == 0, clause);
  }
  const auto read = parse_drat(text);
  ASSERT_TRUE(read && read->steps.size() == clauses.size());
  for (std::size_t i = 0; i < clauses.size(); ++i) {
    EXPECT_EQ(read->steps[i].adds, i % 2 == 1);
    EXPECT_TRUE(std::ranges::equal(read->clause(read->steps[i]), clauses[i]));
  }
}

TEST(Refutation, EndsAtTheEmptyClauseAndNeverDeletesIt) {
  std::string text;
  append_drat(text, true, std::vector{1, -2});
  append_drat(text, true, std::vector<int>{});
  append_drat(text, true, std::vector{3});
  const auto read = parse_drat(text + "no DRAT at all");
  ASSERT_TRUE(read.has_value());
  EXPECT_EQ(read->steps.size(), 2U);
  std::string deletes;
  append_drat(deletes, false, std::vector<int>{});
  EXPECT_EQ(parse_drat(deletes), std::nullopt);
}

TEST(Refutation, IsReadInTimeOrNotAtAll) {
  std::string text;
  for (int i = 1; i < 10'000; ++i) append_drat(text, true, std::vector{i});
  EXPECT_THROW((void)parse_drat(text, Deadline(0.0)), DeadlinePassed);
}

TEST(Refutation, PassesOverDeletionsThatWouldTakeBackWhatWasConcluded) {
  // 1 and what follows from it stay, though the clauses that say so are deleted; as DRAT's checkers do.
  const int clauses[] = {1, 0, -1, 2, 0, -2, 3, 4, 0, -2, 3, -4, 0, -2, -3, 4, 0, -2, -3, -4, 0};
  std::string proof;
  append_drat(proof, false, std::vector{1});
  append_drat(proof, false, std::vector{-1, 2});
  append_drat(proof, true, std::vector{3});
  append_drat(proof, true, std::vector<int>{});
  EXPECT_EQ(refutes(proof, clauses), true);
  std::string without;
  append_drat(without, false, std::vector{-2, 3, 4});
  append_drat(without, true, std::vector{3});
  EXPECT_EQ(refutes(without, clauses), false);
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
