// Is a set of clauses unsatisfiable as a solver's proof says? Checked by unit propagation alone, without
// anything of the solver's.
//
// Each clause that the proof adds has to follow from those before it: assumed to be false, it leads to a
// conflict by propagation (reverse unit propagation, Goldberg and Novikov 2003). What is deleted only makes
// that faster. Solvers' proofs in DRAT are of this kind but for clauses that remove solutions, which CaDiCaL
// does not add; such are not accepted.
#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "base/deadline.h"

namespace mmaprint {

/// `clauses` in DIMACS's terms, each ended by 0; `proof` in binary DRAT. nullopt: not known by the deadline.
[[nodiscard]] std::optional<bool> refutes(std::string_view proof, std::span<const int> clauses,
                                          const Deadline& deadline = {});

}  // namespace mmaprint
