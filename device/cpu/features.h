// What an x86-64 processor and its operating system let a program use, from what CPUID and XGETBV say.
//
// Bits: Intel, Software Developer's Manual, volume 2A, "CPUID" (leaves 1 and 7); XCR0's components: volume
// 1, 13.1; AMX-FP16, AVX-VNNI-INT8 and AVX-VNNI-INT16: Intel, Architecture Instruction Set Extensions, 1.3.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace mmaprint::cpu {

/// What instructions of the table need.
enum class Feature : std::uint8_t {
  fma,
  avx512f,
  avx512_fp16,
  avx512_bf16,
  avx512_vnni,
  avx_vnni,
  avx_vnni_int8,
  avx_vnni_int16,
  amx_bf16,
  amx_fp16,
  amx_int8,
};

struct CpuidRegisters {
  std::uint32_t eax = 0, ebx = 0, ecx = 0, edx = 0;
};

/// All that decides whether an instruction can be used. Leaves that a processor lacks are zeros.
struct Processor {
  CpuidRegisters leaf_1, leaf_7_0, leaf_7_1;
  std::uint64_t xcr0 = 0;  ///< the registers that the operating system saves; 0 without OSXSAVE
  /// Why the kernel won't let this process use tiles; empty where it will, or where nobody has asked.
  std::string no_tiles;
  std::string description;  ///< "AMD EPYC 9124, family 25, model 17, stepping 1"
};

/// "AVX512_BF16", as Intel calls it.
[[nodiscard]] std::string_view name_of(Feature feature);

/// Do processor and operating system have AMX's tiles, so that the kernel can be asked for them?
[[nodiscard]] bool has_tiles(const Processor& processor);

/// Why it can't be used: "needs AMX-FP16, which this processor lacks"; empty if it can.
[[nodiscard]] std::string why_not(Feature feature, const Processor& processor);

/// Family, model and stepping as CPUID's leaf 1 has them in eax, and the brand, its spaces trimmed:
/// "AMD EPYC 9124, family 25, model 17, stepping 1".
[[nodiscard]] std::string described(std::string_view brand, std::uint32_t leaf_1_eax);

}  // namespace mmaprint::cpu
