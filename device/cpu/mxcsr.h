// MXCSR, the control and status register of SSE and AVX: how results are rounded, what becomes of subnormals.
// Intel, Software Developer's Manual, volume 1, 10.2.3. x86-64 only, but for what a name says.
#pragma once

#include <cstdint>
#include <string_view>

namespace mmaprint::cpu {

/// All exceptions masked.
inline constexpr std::uint32_t kMaskedMxcsr = 0x1f80;

/// MXCSR for an instruction with the words of its name: "vfmadd231ps.rz.ftz.daz". All exceptions are masked;
/// without words subnormals are kept and results rounded to nearest.
[[nodiscard]] constexpr std::uint32_t mxcsr_of(std::string_view name) {
  struct Word {
    std::string_view text;
    std::uint32_t bits;
  };
  constexpr Word kWords[] = {{"rn", 0},      {"rd", 0x2000},  {"ru", 0x4000},
                             {"rz", 0x6000}, {"ftz", 0x8000}, {"daz", 0x40}};
  std::uint32_t mxcsr = kMaskedMxcsr;
  for (std::size_t dot = name.find('.'); dot != std::string_view::npos;) {
    const std::size_t next = name.find('.', dot + 1);
    const std::string_view word =
        name.substr(dot + 1, next == std::string_view::npos ? next : next - dot - 1);
    for (const Word& known : kWords)
      if (word == known.text) mxcsr |= known.bits;
    dot = next;
  }
  return mxcsr;
}

/// Sets this thread's MXCSR for as long as it lives; what it was before, flags included, comes back. The
/// compiler moves no assembly that is volatile across either.
class MxcsrScope {
 public:
  explicit MxcsrScope(std::uint32_t mxcsr) {
    asm volatile("stmxcsr %0" : "=m"(before_) : : "memory");
    asm volatile("ldmxcsr %0" : : "m"(mxcsr) : "memory");
  }
  MxcsrScope(const MxcsrScope&) = delete;
  MxcsrScope& operator=(const MxcsrScope&) = delete;
  ~MxcsrScope() { asm volatile("ldmxcsr %0" : : "m"(before_) : "memory"); }

 private:
  std::uint32_t before_ = 0;
};

}  // namespace mmaprint::cpu
