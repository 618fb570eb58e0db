// A question's formula, without asking a solver: what a proof has to be about.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "solver/aig_gates.h"
#include "solver/cnf.h"
#include "solver/distinguish.h"

namespace mmaprint {

struct EncodedQuestion {
  std::string cnf;           ///< as DIMACS CNF; the same bytes wherever the question is the same
  std::vector<int> clauses;  ///< each ended by 0
};

/// nullopt where the difference vanishes while the formula is built: so it has no solution. Throws
/// DeadlinePassed; and WrongLemma, as each of the question's lemmas is checked.
[[nodiscard]] std::optional<EncodedQuestion> encode(const Side& left, const Side& right,
                                                    const SolverQuestion& question, const Deadline& deadline);

/// The text of a question that was posed over these gates.
[[nodiscard]] std::string question_dimacs(const SolverQuestion& question, const AigGates& gates,
                                          const Aig& graph, const Cnf& cnf);

}  // namespace mmaprint
