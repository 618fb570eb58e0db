// A formula as an SMT-LIB 2 script over QF_BV: operands are bit-vectors by their names, gates are Boolean
// functions without arguments, one a line.
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
