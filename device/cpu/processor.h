// This machine's processor, asked by CPUID and XGETBV. x86-64 only.
#pragma once

#include "device/cpu/features.h"

namespace mmaprint::cpu {

[[nodiscard]] Processor this_processor();

/// Asks the kernel to let this process use AMX's tiles where there are any, as Linux has it
/// (Documentation/arch/x86/xstate.rst), and notes in `no_tiles` why it won't.
void ask_for_tiles(Processor& processor);

}  // namespace mmaprint::cpu
