// The instructions themselves. x86-64 only.
#pragma once

#include <cstddef>
#include <string_view>

namespace mmaprint::cpu {

/// Issues an instruction once for each of `count` blocks (layout.h), which lie one after the other; c becomes
/// d. Requires a processor that has it, and MXCSR to be what its name says.
using Kernel = void (*)(const std::byte* a, const std::byte* b, std::byte* c, std::size_t count);

/// The kernel of a row of the table; nullptr for any other name.
[[nodiscard]] Kernel find_kernel(std::string_view name);

}  // namespace mmaprint::cpu
