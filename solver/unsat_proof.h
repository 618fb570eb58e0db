// Is a set of clauses unsatisfiable as a solver's proof says? Checked by unit propagation alone, without
// anything of the solver's.
//
// Each clause that a proof adds has to follow from those before it: assumed to be false, it leads to a
// conflict by propagation (reverse unit propagation, Goldberg and Novikov 2003). It is read forward first, to
// where propagation alone ends in a conflict; then backward, and of the added clauses only those are checked
// that the conflict rests on, or one that was checked (Heule, Hunt, Wetzler 2013): a solver learns far more
// than it needs. Given clauses and added ones count for what they are where a proof deletes nothing; a
// deletion that would take back what was concluded is passed over, which can only make more follow, all of
// it from the given clauses. Clauses that merely keep satisfiability, which DRAT allows and CaDiCaL does not
// add, are not accepted.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>

#include "base/deadline.h"

namespace mmaprint {

/// A formula that has no solution, as DIMACS CNF (solver/dimacs.h), and a proof of that in binary DRAT.
struct RefutedFormula {
  std::string cnf;
  std::string proof;
};

/// The clauses are unsatisfiable.
struct ProofHolds {
  /// A proof of the same: the added clauses that were needed, without the others, and the empty one.
  std::string needed;
};
struct ProofBroken {
  std::string why;  ///< "step 17 does not follow by unit propagation"
};
/// Not known by the deadline.
struct ProofUndecided {};
using ProofCheck = std::variant<ProofHolds, ProofBroken, ProofUndecided>;

/// `clauses` in DIMACS's terms, each ended by 0; `proof` in binary DRAT.
[[nodiscard]] ProofCheck check_proof(std::string_view proof, std::span<const int> clauses,
                                     const Deadline& deadline = {});
/// Does it hold? nullopt: not known by the deadline.
[[nodiscard]] std::optional<bool> refutes(std::string_view proof, std::span<const int> clauses,
                                          const Deadline& deadline = {});

}  // namespace mmaprint
