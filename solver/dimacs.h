// Clauses as text, in the format that SAT solvers read (DIMACS CNF).
#pragma once

#include <string>
#include <vector>

#include "solver/cnf.h"
#include "solver/formula.h"

namespace mmaprint {

/// With a comment for each input that the clauses mention: `c a0[3] = 17`. What is said of it (`about`, lines
/// without their ends) comes first. The same clauses and names give the same bytes.
[[nodiscard]] std::string dimacs_text(const Formula& formula, const Cnf& cnf,
                                      const std::vector<std::string>& about = {});

}  // namespace mmaprint
