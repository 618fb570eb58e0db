// A parsed command line, run.
#pragma once

#include "cli/arguments.h"
#include "cli/exit_code.h"

namespace mmaprint {

/// Throws BadInput for what a user can mend.
[[nodiscard]] ExitCode run(const std::variant<Arguments, Answer>& parsed);

}  // namespace mmaprint
