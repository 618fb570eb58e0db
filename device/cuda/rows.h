// What the tables' words mean: names, shapes and element types.
#pragma once

#include <cstdint>
#include <string_view>

// clang-format off
#define MMAPRINT_MMA_NAME(shape, kind, d, a, b, c, saturation, operation) \
  "mma." #shape kind "." #d "." #a "." #b "." #c saturation operation
#define MMAPRINT_MMA64_NAME(shape, rounding) "mma." #shape ".f64.f64.f64.f64" rounding
#define MMAPRINT_QUADS_NAME(al, bl, d, c) "mma.m8n8k4." #al "." #bl "." #d ".f16.f16." #c
#define MMAPRINT_SPARSE_NAME(head, shape, kind, d, a, b, saturation) \
  head "." #shape kind "." #d "." #a "." #b "." #d saturation
#define MMAPRINT_WGMMA_NAME(head, shape, d, a, b, end) head "." #shape "." #d "." #a "." #b end
#define MMAPRINT_WMMA_NAME(m, n, k, d, a) "wmma.m" #m "n" #n "k" #k "." #d "." #a
#define MMAPRINT_SCALED_NAME(head, shape, kind, a, b, scales) head "." #shape kind ".f32." #a "." #b ".f32." #scales
// clang-format on

namespace mmaprint::cuda {

struct Shape {
  int m, n, k;
};

/// The numbers of "m16n8k8".
constexpr Shape shape_of(std::string_view text) {
  int numbers[3] = {};
  int at = -1;
  for (const char letter : text) {
    if (letter == 'm' || letter == 'n' || letter == 'k')
      ++at;
    else
      numbers[at] = 10 * numbers[at] + (letter - '0');
  }
  return {numbers[0], numbers[1], numbers[2]};
}

/// One of PTX's types: as registers hold it, and as tiles do.
struct Element {
  int bits;                    ///< of a register that one element takes
  int bytes;                   ///< in a tile
  int shift;                   ///< up from a tile's byte to a register's
  unsigned long long noticed;  ///< a value that would show in a result: NaN, else a large one
};

constexpr Element element_of(std::string_view ptx) {
  if (ptx == "f64") return {64, 8, 0, 0x7ff8000000000000};
  if (ptx == "f32" || ptx == "tf32") return {32, 4, 0, 0x7fc00000};
  if (ptx == "s32") return {32, 4, 0, 0x7fffffff};
  if (ptx == "f16") return {16, 2, 0, 0x7e00};
  if (ptx == "bf16") return {16, 2, 0, 0x7fc0};
  if (ptx == "e4m3" || ptx == "e5m2" || ptx == "s8") return {8, 1, 0, 0x7f};
  if (ptx == "u8") return {8, 1, 0, 0xff};
  if (ptx == "e3m2" || ptx == "e2m3") return {8, 1, 0, 0x1f};
  if (ptx == "e2m1") return {8, 1, 2, 0x7};
  if (ptx == "s4") return {4, 1, 0, 0x7};
  if (ptx == "u4") return {4, 1, 0, 0xf};
  return {1, 1, 0, 1};  // b1
}

/// Registers of a lane: 64 bits each where elements have that, else 32.
struct Registers {
  int a, b, c;
};

}  // namespace mmaprint::cuda
