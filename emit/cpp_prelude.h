// What emitted C++ needs besides the language: helpers, each written only where it is used.
#pragma once

#include <string>

#include "emit/program.h"

namespace mmaprint::emit {

/// `function`: what stands before each helper ("inline", or CUDA's words).
[[nodiscard]] std::string cpp_prelude(const Program& program, const std::string& function);

}  // namespace mmaprint::emit
