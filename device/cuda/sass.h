// Which machine instructions the kernels became, from a disassembler's listing of this very program.
#pragma once

#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>

#include "device/cuda/target.h"

namespace mmaprint::cuda {

/// For each function of cuobjdump's listing, by its mangled name, its tensor instructions in order:
/// "2x HMMA.16816.F32", or "no tensor op".
[[nodiscard]] std::map<std::string, std::string, std::less<>> tensor_instructions(std::string_view listing);

/// What `cuobjdump -sass` says of the running program's code for one target. nullopt where there is no
/// cuobjdump on PATH, in CUDA_HOME/bin or in /usr/local/cuda/bin, or where it fails.
[[nodiscard]] std::optional<std::string> own_listing(Target target);

}  // namespace mmaprint::cuda
