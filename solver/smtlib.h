// A formula as an SMT-LIB 2 script over QF_BV: operands are bit-vectors by their names, their bits Boolean
// functions without arguments; gates are Boolean constants that are asserted to be what they are made of, one
// a line. (Were they functions, too, Z3 4.8.12 would write each out wherever it is used, and read for
// minutes.)
#pragma once

#include <string>
#include <vector>

#include "solver/formula.h"
#include "solver/limits.h"

namespace mmaprint {

/// `about`: lines of a comment at the start. `verdict` becomes `:status`.
[[nodiscard]] std::string smtlib_text(const Formula& formula, Verdict verdict,
                                      const std::vector<std::string>& about = {});

}  // namespace mmaprint
