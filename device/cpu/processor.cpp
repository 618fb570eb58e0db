#include "device/cpu/processor.h"

#include <cpuid.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <cerrno>
#include <system_error>

namespace mmaprint::cpu {
namespace {

/// Zeros where the processor has no such leaf.
CpuidRegisters leaf(std::uint32_t number, std::uint32_t part) {
  CpuidRegisters r;
  __get_cpuid_count(number, part, &r.eax, &r.ebx, &r.ecx, &r.edx);
  return r;
}

std::uint64_t read_xcr0() {
  std::uint32_t low = 0, high = 0;
  asm volatile("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return std::uint64_t{high} << 32 | low;
}

std::string brand() {
  std::string text;
  for (const std::uint32_t number : {0x80000002U, 0x80000003U, 0x80000004U}) {
    const CpuidRegisters r = leaf(number, 0);
    for (const std::uint32_t word : {r.eax, r.ebx, r.ecx, r.edx})
      for (int shift = 0; shift < 32; shift += 8) text += static_cast<char>(word >> shift & 0xffU);
  }
  return text;
}

}  // namespace

Processor this_processor() {
  constexpr std::uint32_t kOsXsave = 1U << 27;
  Processor processor;
  processor.leaf_1 = leaf(1, 0);
  processor.leaf_7_0 = leaf(7, 0);
  // What leaf 7.0 has in eax is its last part's number.
  if (processor.leaf_7_0.eax >= 1) processor.leaf_7_1 = leaf(7, 1);
  if ((processor.leaf_1.ecx & kOsXsave) != 0) processor.xcr0 = read_xcr0();
  processor.description = described(brand(), processor.leaf_1.eax);
  return processor;
}

void ask_for_tiles(Processor& processor) {
  constexpr long kRequestPermission = 0x1023;  // ARCH_REQ_XCOMP_PERM of <asm/prctl.h>
  constexpr long kTileData = 18;               // XCR0's component
  if (!has_tiles(processor)) return;
#ifdef SYS_arch_prctl
  if (::syscall(SYS_arch_prctl, kRequestPermission, kTileData) == 0) return;
  processor.no_tiles = std::generic_category().message(errno);
#else
  processor.no_tiles = "this build can't ask for them";
#endif
}

}  // namespace mmaprint::cpu
