// One loop for each row. Registers are named and operands pass through memory, so that no instruction set but
// the baseline has to be switched on for the compiler, and that it can neither move an instruction out of
// MXCSR's scope nor compute what it does beforehand.
#include "device/cpu/kernels.h"

#include <algorithm>
#include <array>
#include <cstdint>

#include "device/cpu/layout.h"

namespace mmaprint::cpu {
namespace {

struct NamedKernel {
  std::string_view name;
  Kernel kernel;
};

/// What no upper halves left behind slow down: SSE code that comes after.
void leave_vectors() {
  asm volatile("vzeroupper"
               :
               :
               : "xmm0", "xmm1", "xmm2", "xmm3", "xmm4", "xmm5", "xmm6", "xmm7", "xmm8", "xmm9", "xmm10",
                 "xmm11", "xmm12", "xmm13", "xmm14", "xmm15");
}

/// Tiles 0 to 2 at their full size, for this thread, as long as it lives. Intel, Software Developer's Manual,
/// volume 2, LDTILECFG.
class TileScope {
 public:
  TileScope() {
    Configuration all;
    for (std::size_t tile = 0; tile < 3; ++tile) {
      all.row_bytes[tile] = 64;
      all.rows[tile] = 16;
    }
    asm volatile("ldtilecfg %0" : : "m"(all));
  }
  TileScope(const TileScope&) = delete;
  TileScope& operator=(const TileScope&) = delete;
  ~TileScope() { asm volatile("tilerelease"); }

 private:
  struct Configuration {
    std::uint8_t palette = 1, start_row = 0;
    std::array<std::uint8_t, 14> reserved{};
    std::array<std::uint16_t, 16> row_bytes{};
    std::array<std::uint8_t, 16> rows{};
  };
  static_assert(sizeof(Configuration) == 64);
};

#define XMM "%%xmm2, %%xmm1, %%xmm0"
#define YMM "%%ymm2, %%ymm1, %%ymm0"
#define ZMM "%%zmm2, %%zmm1, %%zmm0"
#define TMM "%%tmm2, %%tmm1, %%tmm0"

#define VECTORS(registers, r, assembly)                                                                    \
  for (std::size_t at = 0, size = bytes_of(Registers::registers); count > 0; --count, at += size)          \
    asm volatile("vmovups (%0), %%" r "1\n\tvmovups (%1), %%" r "2\n\tvmovups (%2), %%" r "0\n\t" assembly \
                 "\n\tvmovups %%" r "0, (%2)"                                                              \
                 :                                                                                         \
                 : "r"(a + at), "r"(b + at), "r"(c + at)                                                   \
                 : "xmm0", "xmm1", "xmm2", "memory");                                                      \
  leave_vectors();
#define LOOP_scalar(assembly) VECTORS(scalar, "xmm", assembly)
#define LOOP_ymm(assembly) VECTORS(ymm, "ymm", assembly)
#define LOOP_zmm(assembly) VECTORS(zmm, "zmm", assembly)
#define LOOP_tile(assembly)                                                                                \
  const TileScope tiles;                                                                                   \
  for (std::size_t at = 0, size = bytes_of(Registers::tile); count > 0; --count, at += size)               \
    asm volatile(                                                                                          \
        "tileloadd (%0,%3), %%tmm1\n\ttileloadd (%1,%3), %%tmm2\n\ttileloadd (%2,%3), %%tmm0\n\t" assembly \
        "\n\ttilestored %%tmm0, (%2,%3)"                                                                   \
        :                                                                                                  \
        : "r"(a + at), "r"(b + at), "r"(c + at), "r"(std::size_t{64})                                      \
        : "memory");

#define ROW(name, needs, registers, assembly)                                                     \
  NamedKernel{name, [](const std::byte* a, const std::byte* b, std::byte* c, std::size_t count) { \
                LOOP_##registers(assembly)                                                        \
              }},
constexpr NamedKernel kKernels[] = {
#include "device/cpu/rows.inc"
};
#undef ROW

}  // namespace

Kernel find_kernel(std::string_view name) {
  const auto* found = std::ranges::find(kKernels, name, &NamedKernel::name);
  return found == std::end(kKernels) ? nullptr : found->kernel;
}

}  // namespace mmaprint::cpu
